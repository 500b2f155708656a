import type { PlannedCommand } from "../../core/command.ts";
import type { PathFact } from "../../core/path-fact.ts";
import { type Bounds, type RiskLevel, rootsOf } from "../../core/tool.ts";
import { destructiveRow } from "../../tools/shell/reading/destructive.ts";
import { judgedReader, type ReadingPlace } from "../../tools/shell/reading/only-reads.ts";
import type { Reason } from "../../words/contract/policy-reasons.ts";
import { segmentsBelow, segmentsOf } from "../names.ts";

/** Judges the risk of a simple command, by the tables. */
export function commandRisk(command: PlannedCommand, facts: ReadingPlace): { risk: RiskLevel; why: Reason } {
  const why = beyond(command, facts);
  if (why !== undefined) return { risk: "high", why };
  const row = destructiveRow(command);
  if (row !== undefined)
    return row.takesFiles === true && isCovered(command, facts)
      ? { risk: "medium", why: { code: "taken_back_by_undo", because: row.why } }
      : { risk: "high", why: row.why };
  if (command.refused !== undefined) return { risk: "high", why: command.refused };
  const judged = judgedReader(command, facts);
  if ("reads" in judged) return { risk: "low", why: judged.reads };
  return { risk: "medium", why: command.why ?? judged.no ?? doesAny(facts) };
}

/** Of a command that no table tells of. */
const doesAny = ({ sandbox, network }: ReadingPlace): Reason => ({
  code: sandbox === true && network !== true ? "changes_files" : "changes_and_reaches",
});

/** Tells whether all that it takes away is known, in the workspace, and kept. */
const isCovered = ({ isPathsKnown, isKept, paths }: PlannedCommand, bounds: Bounds): boolean =>
  isPathsKnown && isKept === true && paths.every(({ asked, real }) => isBelow(bounds, asked) && isBelow(bounds, real));

const isBelow = (bounds: Bounds, path: string): boolean =>
  rootsOf(bounds).some((root) => (segmentsBelow(root, path)?.length ?? 0) > 0);

/** Gives the reason why a command leads out of the workspace, or runs something that comes from elsewhere. */
function beyond({ argv, paths, redirects, runsInput }: PlannedCommand, bounds: Bounds): Reason | undefined {
  if (redirects.some(({ asked }) => asked !== undefined && /^\/dev\/(?:tcp|udp)\//u.test(asked)))
    return { code: "opens_connection" };
  const inProc = paths.filter(({ asked, real }) => [asked, real].some((path) => segmentsOf(path)[0] === "proc"));
  if (inProc.some(({ access }) => access === "write")) return { code: "writes_proc" };
  if (inProc.length > 0) return { code: "reads_proc" };
  const isWrittenTo = (path: string): boolean => argv[0] === "tee" || redirects.some(({ asked }) => asked === path);
  const isLost = ({ asked, real }: PathFact): boolean => real === nowhere && isWrittenTo(asked);
  const isBeyond = (path: PathFact): boolean => !(isWithin(bounds, path.asked) && isWithin(bounds, path.real));
  if (paths.some((path) => path.access === "write" && !isLost(path) && isBeyond(path)))
    return { code: "changes_outside" };
  return runsInput === true ? { code: "runs_input" } : undefined;
}

/** The file whose written bytes nobody keeps; a command that changes the file itself changes the machine. */
const nowhere = "/dev/null";

const isWithin = (bounds: Bounds, path: string): boolean =>
  rootsOf(bounds).some((root) => segmentsBelow(root, path) !== undefined);
