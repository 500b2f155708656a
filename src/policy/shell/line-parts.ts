import type { PlannedCommand } from "../../core/command.ts";
import type { RiskLevel } from "../../core/tool.ts";
import { readerReason } from "../../tools/shell/reading/only-reads.ts";
import { reasonText } from "../../words/contract/policy-reasons.ts";
import type { CallFacts, Decision, Judged, PartVerdict, Verdict } from "../types.ts";

/** The facts of each simple command of a line, judged as a call of its own: what only reads has no effect. Where the line runs, each does. */
export const partsOf = (facts: CallFacts): CallFacts[] =>
  facts.commands.map((command) => {
    const startedBy = startersOf(command, facts.commands);
    return {
      ...facts,
      commands: [command],
      paths: [...facts.paths, ...command.paths],
      ...(startedBy.length === 0 ? {} : { startedBy }),
      effect: readerReason(command, facts) === undefined ? facts.effect : "none",
      ...(command.tells === undefined ? {} : { access: command.tells }),
      ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
    };
  });

/** Tells whether each command of a call only reads. */
export const onlyReads = (facts: CallFacts): boolean =>
  facts.commands.every((command) => readerReason(command, facts) !== undefined);

/** Those that start it, the nearest first; each stands before what it starts. */
function startersOf(command: PlannedCommand, commands: readonly PlannedCommand[]): PlannedCommand[] {
  const starters: PlannedCommand[] = [];
  let at = commands.indexOf(command);
  for (let by = command.startedBy; by !== undefined && by < at; by = commands[at]?.startedBy) {
    at = by;
    starters.push(...commands.slice(at, at + 1));
  }
  return starters;
}

const weight: Record<Decision, number> = { deny: 2, ask: 1, allow: 0 };
const risks: Record<RiskLevel, number> = { low: 0, medium: 1, high: 2 };

/** A line is what its strictest part is: denied where one is, allowed where all are. */
export function verdictOfLine(parts: readonly { part: CallFacts; judged: Judged }[]): Verdict {
  const told = parts.map(({ part, judged }) => partVerdict(part.commands[0], judged));
  const [deciding] = told.toSorted(
    (one, other) =>
      weight[other.decision] - weight[one.decision] ||
      risks[other.risk] - risks[one.risk] ||
      fromTable(one) - fromTable(other),
  );
  if (deciding === undefined) throw new TypeError("a line without commands has no verdict");
  const { decision, risk, rule, why, exposes } = deciding;
  return {
    decision,
    risk,
    rule,
    ...(exposes === undefined ? {} : { exposes }),
    why: told.length === 1 ? why : reasonText({ code: "of_command", command: deciding.command, because: why }),
    parts: told,
    understood: parts.every(({ part }) => part.commands[0]?.understood === true),
  };
}

const fromTable = ({ rule }: Pick<Verdict, "rule">): number => (rule.source === "table" ? 1 : 0);

function partVerdict(command: PlannedCommand | undefined, judged: Judged): PartVerdict {
  const { decision, risk, rule, reason, exposes } = judged;
  const { text = "", argv = [], cwd } = command ?? {};
  return {
    command: text,
    ...(argv.length === 0 ? {} : { argv }),
    ...(cwd === undefined ? {} : { cwd }),
    decision,
    risk,
    rule,
    why: reasonText(reason),
    ...(exposes === undefined ? {} : { exposes }),
  };
}
