import type { PathFact } from "../../core/path-fact.ts";
import type { Bounds, Plan } from "../../core/tool.ts";
import { decide } from "../../policy/decide.ts";
import type { CallFacts, Policy } from "../../policy/types.ts";

/** What a call asks beside its verdict: whether what is in its files may be told, as reading them would, without asking. */
export const mayBeTold = (call: Reading, policy: Policy): boolean =>
  decide(readingOf(call), policy).decision === "allow";

type Reading = Bounds & Pick<CallFacts, "paths" | "project">;

/** The same call, if it were a reading of its files. */
export const readingOf = ({ workspace, project, addDirs = [], paths }: Reading): CallFacts => ({
  tool: "read_file",
  effect: "none",
  risk: "low",
  paths: paths.map((path) => ({ ...path, access: "read" as const })),
  commands: [],
  hosts: [],
  workspace,
  ...(project === undefined ? {} : { project }),
  ...(addDirs.length === 0 ? {} : { addDirs }),
});

/** Why a person is asked about a change of files that are not read without asking. */
export const tellingWords = (paths: readonly Pick<PathFact, "asked">[]): string =>
  `what comes of it tells what is in ${namesOf(paths)}, which is not read without asking`;

/**
 * The plan of a call that cannot be done, where why it cannot tells of such files: that is all it would do. The person reads the reason;
 * the model does after a yes.
 */
export const tellingPlan = (verb: string, cwd: string, paths: readonly PathFact[], why: string): Plan => ({
  summary: `${verb} ${namesOf(paths)} (it cannot be done as asked)`,
  cwd,
  reads: paths.map(({ asked, real }) => ({ asked, real })),
  confirm: tellingWords(paths),
  warnings: [`nothing would be changed, for ${why}. After a yes the model reads this, which tells of the file.`],
});

const namesOf = (paths: readonly Pick<PathFact, "asked">[]): string =>
  [...new Set(paths.map(({ asked }) => asked))].join(", ");
