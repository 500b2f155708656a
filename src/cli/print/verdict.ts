import type { PartVerdict, PolicyCheckLine, RuleSource } from "../../policy/types.ts";
import { verdict as words } from "../../words/en/verdict.ts";
import { saidAgain } from "../../words/said-again.ts";
import type { StyledLine } from "../terminal/span.ts";
import { riskStyles, verdictStyles } from "./colours.ts";
import { span, wrapped } from "./rows.ts";
import { tableRows } from "./table.ts";

/** Returns the verdict of the policy on a call, in sentences. */
export function verdictRows(
  line: Exclude<PolicyCheckLine, { error: string }>,
  width: number | undefined,
): StyledLine[] {
  const { tool, decision, risk, rule, why, parts = [] } = line;
  const head = [
    span(tool, { bold: true }),
    span(" "),
    span(words().would[decision], verdictStyles[decision]),
    span(words().risk),
    span(risk, riskStyles[risk]),
  ];
  const [because, ruled] = [words().why({ why: saidAgain(why) }), words().decidedBy({ source: sourceText(rule) })];
  return [
    ...wrapped(head, width, 2),
    ...[because, ruled].flatMap((text) => wrapped([span(text)], width, 2)),
    ...(parts.length > 1 ? [[span(words().commands)], ...tableRows(parts.map(partCells), width, "wrap")] : []),
  ];
}

const partCells = ({ decision, command, why }: PartVerdict) => [
  span(`  ${decision}`, verdictStyles[decision]),
  span(command, { bold: true }),
  span(saidAgain(why), { dim: true }),
];

/** Names the source of a decision, with the place where it can be changed. */
function sourceText({ source, file, line, grant }: RuleSource): string {
  const said = words().sources[source];
  if (grant !== undefined) return words().revokes({ source: said, grant });
  const where = file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${line}`})`;
  return `${said}${where}`;
}
