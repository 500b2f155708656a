import { dirname } from "node:path";
import type { PathFact } from "../../core/path-fact.ts";
import type { Bounds, ClosedPlaces, Plan, ToolContext } from "../../core/tool.ts";
import { isKeyHead } from "../../files/bytes/file-head.ts";
import { decide } from "../../policy/decide.ts";
import { closedJudge, pathJudge } from "../../policy/path-judge.ts";
import { mayHoldSecrets } from "../../policy/protected.ts";
import type { CallFacts, Policy, RuleSource } from "../../policy/types.ts";
import { fileOf, gitFolders, projectOf } from "./call-facts.ts";

/* What a call may read, tell and speak to beyond what its plan names: asked while it runs. */

/**
 * What holds when a call is run: the rules in force; `facts`: the call as it was judged last; `approved`: what made a person be asked about it
 * who then said yes; `timeoutMs` for a tool that says no time of its own.
 */
export interface RulesNow {
  policy: Policy;
  facts?: CallFacts;
  approved?: RuleSource | undefined;
  timeoutMs?: number | undefined;
  /** For a tool that drives children. */
  runChild?: ToolContext["runChild"];
}

/**
 * Whether the call may read what it comes upon: as the call itself and, where it tells what is in files, as read_file too. What a
 * person was asked about the call, and approved, they are not asked again. Folders of git are looked for, once each. Names decide
 * about keys, so that no file is opened for it; where the caller has the head of one, that counts too. Nothing is worked out before a place is
 * asked about.
 */
export function readsOf(facts: CallFacts, { policy, approved }: RulesNow): NonNullable<ToolContext["mayRead"]> {
  let judge: NonNullable<ToolContext["mayRead"]> | undefined;
  const made = (): NonNullable<ToolContext["mayRead"]> => {
    const use: CallFacts = { ...facts, paths: [], commands: [], hosts: [] };
    const uses = use.access === "names" ? [use] : [use, readingOf(use)];
    const mayRead = pathJudge(uses, policy, approved);
    const isGit = gitFolders(facts.workspace);
    const hasNames = (policy.leads?.files.size ?? 0) > 0;
    return (real, head) =>
      !isGit(dirname(real)) &&
      mayRead(real, head !== undefined && isKeyHead(head), hasNames ? fileOf(real) : undefined);
  };
  return (real, head) => {
    judge ??= made();
    return judge(real, head);
  };
}

/** What a command does not come upon: as the call itself, whatever the tables say of that, and as read_file. */
export function closedTo(facts: CallFacts, policy: Policy): ClosedPlaces {
  const { past: _, ...rest } = facts;
  const use: CallFacts = { ...rest, effect: "none", paths: [], commands: [], hosts: [] };
  let judge: ReturnType<typeof closedJudge> | undefined;
  const hasNames = (policy.leads?.files.size ?? 0) > 0;
  const isClosed = (real: string): boolean => {
    judge ??= closedJudge([use, readingOf(use)], policy);
    return judge(real, hasNames ? fileOf(real) : undefined);
  };
  return { isClosed, mayHold: mayHoldSecrets };
}

/** Whether the name of a place that the call does not ask about may be told: as reading it there would be, secrets aside. */
export function tellsOf(bounds: Bounds, policy: Policy): NonNullable<ToolContext["mayTell"]> {
  let judge: NonNullable<ToolContext["mayTell"]> | undefined;
  return (real) => {
    judge ??= readsOf(
      { ...readingOf({ ...bounds, ...projectOf(bounds.workspace), paths: [] }), access: "names" },
      { policy },
    );
    return judge(real);
  };
}

/** Whether the call may speak to a host that it is sent on to: what a person said yes to is the one that they were shown. */
export const reachOf =
  (facts: CallFacts, { policy }: RulesNow): NonNullable<ToolContext["mayReach"]> =>
  (host) =>
    decide({ ...facts, hosts: [host] }, policy).decision === "allow";

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
