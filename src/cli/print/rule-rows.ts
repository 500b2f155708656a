import type { PolicyRow } from "../../policy/check.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { policyCommands } from "../../words/en/policy-commands.ts";
import { saidAgain } from "../../words/said-again.ts";
import type { StyledLine } from "../terminal/span.ts";
import { verdictStyles } from "./colours.ts";
import { span } from "./rows.ts";
import { tableRows } from "./table.ts";

/** Returns the rows of a rule or grant: at a terminal what it says on one line, and why and where below it. */
export function ruleRows(row: PolicyRow, width: number | undefined): StyledLine[] {
  const { paths = [], command, hosts = [], methods = [], secrets = [] } = row;
  const made = row.made === true ? [policyCommands().made] : [];
  const by = methods.length === 0 ? [] : [cellWords().byMethods({ methods })];
  const given = secrets.length === 0 ? [] : [cellWords().withSecrets({ secrets })];
  const reach = [...paths, ...(command === undefined ? [] : [command]), ...hosts, ...by, ...given, ...made];
  const what = [row.tool, ...reach].join(" ");
  const scope = row.session === undefined ? row.scope : cellWords().ofSession({ session: row.session });
  const where =
    row.id === undefined ? `${row.file}:${row.line}` : cellWords().grant({ id: row.id, scope: String(scope) });
  const more = [
    row.why === undefined ? undefined : saidAgain(row.why),
    where,
    ...(row.inForce ? [] : [policyCommands().notInForce]),
  ].join("  ·  ");
  const decision = span(row.decision.padEnd(5), verdictStyles[row.decision]);
  if (width === undefined) return [[decision, span(`  ${what}  ·  ${more}`)]];
  const blank = span("");
  return tableRows(
    [
      [decision, span(what, { bold: true })],
      [blank, span(more, { dim: true })],
    ],
    width,
    "wrap",
  );
}
