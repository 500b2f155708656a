import type { Decision, PartVerdict, PolicyCheckLine, RuleSource } from "../../policy/types.ts";
import type { StyledLine } from "../terminal/span.ts";
import { riskStyles, verdictStyles } from "./colours.ts";
import { span, wrapped } from "./rows.ts";
import { tableRows } from "./table.ts";

const would: Readonly<Record<Decision, string>> = {
  allow: "would run without asking",
  ask: "would be asked about",
  deny: "would be denied",
};

/** What policy would decide of a call, in sentences. */
export function verdictRows(
  line: Exclude<PolicyCheckLine, { error: string }>,
  width: number | undefined,
): StyledLine[] {
  const { tool, decision, risk, rule, why, parts = [] } = line;
  const head = [
    span(tool, { bold: true }),
    span(" "),
    span(would[decision], verdictStyles[decision]),
    span(", risk "),
    span(risk, riskStyles[risk]),
  ];
  const [because, ruled] = [`why: ${why}`, `decided by: ${sourceText(rule)}`];
  return [
    ...wrapped(head, width, 2),
    ...[because, ruled].flatMap((text) => wrapped([span(text)], width, 2)),
    ...(parts.length > 1 ? [[span("its commands:")], ...tableRows(parts.map(partCells), width, "wrap")] : []),
  ];
}

const partCells = ({ decision, command, why }: PartVerdict) => [
  span(`  ${decision}`, verdictStyles[decision]),
  span(command, { bold: true }),
  span(why, { dim: true }),
];

const sources: Readonly<Record<RuleSource["source"], string>> = {
  sealed: "the list of sealed places, which nothing may write",
  guarded: "the list of guarded places, which are always asked about",
  watched: "the list of files that run when you build",
  confirm: "the tool itself, which wants this very call confirmed",
  mode: "the mode of this run",
  user: "a rule of yours",
  project: "a rule of this project",
  grant: "a grant of yours",
  table: "the risk table",
};

/** Who decided, with the place where it can be changed. */
function sourceText({ source, file, line, grant }: RuleSource): string {
  if (grant !== undefined) return `${sources[source]} (agent policy revoke ${grant} takes it back)`;
  const where = file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${line}`})`;
  return `${sources[source]}${where}`;
}
