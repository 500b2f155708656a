import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { PlannedCommand } from "../../core/command.ts";
import { isSending } from "../../core/http-methods.ts";
import type { PathFact } from "../../core/path-fact.ts";
import {
  type Bounds,
  type ClosedPlaces,
  effectOf,
  type Overlay,
  type Plan,
  rootsOf,
  type Tool,
  type ToolContext,
} from "../../core/tool.ts";
import { isKeyFile, isKeyHead } from "../../files/bytes/file-head.ts";
import { gitFolderLook } from "../../files/git/folder.ts";
import { gitRunsLook } from "../../files/git/hooks.ts";
import { fileId } from "../../files/leading-names.ts";
import { homeFolder, repositoryRoot } from "../../files/project-root.ts";
import { decide } from "../../policy/decide.ts";
import { heedsPast } from "../../policy/exposure.ts";
import { closedJudge, pathJudge } from "../../policy/path-judge.ts";
import { mayHoldSecrets } from "../../policy/protected.ts";
import { onlyReads } from "../../policy/shell/line-parts.ts";
import type { CallFacts, PastFacts, Policy, RuleSource } from "../../policy/types.ts";
import { isBuiltIn } from "../../tools/built-in.ts";
import { lookAt } from "../../tools/shell/running/closed-below.ts";
import { closedIn } from "../../tools/shell/running/closed-in.ts";
import { withoutLeftOut } from "../../tools/shell/running/sandbox-masks.ts";
import { policyReasons } from "../../words/contract/policy-reasons.ts";

/** Gives the facts that the session has come upon so far. */
export type Past = () => PastFacts;

/**
 * All that policy looks at of one call: it comes from the plan, so what is judged is what was planned, and of each path what lies
 * there. `overlay`: what the message will have written by then; `past` is asked only where it bears on the call.
 */
export function factsOf(
  tool: ToolSaid,
  plan: Plan,
  bounds: Bounds,
  { overlay, past }: { overlay?: Overlay; past?: Past | undefined } = {},
): CallFacts {
  const paths: PathFact[] = [
    ...(plan.files ?? []).map(({ asked, real }) => ({ asked, real, access: "write" as const })),
    ...(plan.reads ?? []).map(({ asked, real }) => ({ asked, real, access: "read" as const })),
  ];
  const hosts = plan.hosts ?? [];
  const bare = bareFacts(tool, bounds);
  const root = bare.project ?? bare.workspace;
  const facts: CallFacts = {
    ...bare,
    ...confirmOf(plan.confirm),
    paths: lookedAt(paths, root, overlay),
    commands: (plan.commands ?? []).map((one) => ({ ...one, paths: lookedAt(one.paths, root, overlay) })),
    ...(plan.covered === undefined ? {} : { covered: plan.covered }),
    ...(plan.sandbox === undefined ? {} : { sandbox: plan.sandbox }),
    ...(plan.network === undefined ? {} : { network: plan.network }),
    ...(plan.made === undefined || isOwn(tool) ? {} : { made: plan.made.map(({ path }) => path) }),
    ...(plan.apart === undefined || isOwn(tool) ? {} : { apart: plan.apart }),
    hosts,
    ...(plan.secrets === undefined ? {} : { secrets: [...new Set(plan.secrets.map(({ name }) => name))] }),
  };
  const judged = withOwnEffect(facts, plan);
  return past === undefined ? judged : withPast(judged, past);
}

/** Gives the facts the effect of this very call, which may be less than its tool's, or more. */
function withOwnEffect(facts: CallFacts, { method }: Plan): CallFacts {
  if (method !== undefined) return { ...facts, method, ...(isSending(method) ? { effect: "once" } : {}) };
  // What was given a secret may use it, whatever its words say.
  const isReading = facts.commands.length > 0 && facts.secrets === undefined && onlyReads(facts);
  return isReading ? { ...facts, effect: "none" } : facts;
}

/** Whatever is said there but no means that a person must be asked; words say why. */
export function confirmOf(said: unknown): Pick<CallFacts, "confirm"> {
  if (said === undefined || said === null || said === false) return {};
  return { confirm: typeof said === "string" && said.trim() !== "" ? said : true };
}

/** The fields of a tool itself that policy looks at. */
type ToolSaid = Pick<Tool, "name" | "effect" | "risk" | "confirm" | "access" | "outlasts"> &
  Partial<Pick<Tool, "execute">>;

/** A recorded call tells nothing of it: there its tool counts as the program's own. */
const isOwn = (tool: ToolSaid): boolean => tool.execute !== undefined && !isBuiltIn(tool);

export const bareFacts = (tool: ToolSaid, { workspace, addDirs = [] }: Bounds): CallFacts => ({
  tool: tool.name,
  effect: effectOf(tool),
  ...(tool.risk === undefined ? {} : { risk: tool.risk }),
  ...confirmOf(tool.confirm),
  ...(tool.access === undefined ? {} : { access: tool.access }),
  ...(tool.outlasts === undefined ? {} : { outlasts: tool.outlasts }),
  ...(isOwn(tool) ? { own: true as const } : {}),
  paths: [],
  commands: [],
  hosts: [],
  workspace,
  ...projectOf(workspace),
  ...(addDirs.length === 0 ? {} : { addDirs }),
});

/** `past` is asked only where it bears on the call. */
export const withPast = (facts: CallFacts, past: () => PastFacts): CallFacts =>
  heedsPast(facts) ? { ...facts, past: past() } : facts;

/** Each path with what a look at the file system tells of it. @param root of the repository around the workspace, or the workspace */
export function lookedAt(paths: readonly PathFact[], root: string, overlay?: Overlay): PathFact[] {
  if (paths.length === 0) return [];
  const isInGit = gitFolderLook(root, (path) => overlay?.holds?.(path) === true);
  let runsOf: ReturnType<typeof gitRunsLook> | undefined;
  const runByGit = (real: string) => {
    runsOf ??= gitRunsLook(homeFolder());
    return runsOf(real);
  };
  return paths.map((path) => {
    const file = fileOf(path.real);
    const gitRuns = path.access === "write" ? runByGit(path.real) : undefined;
    return {
      ...path,
      ...(isInGit(path.real, path.access === "write") ? { gitDir: true as const } : {}),
      ...(isKeyFile(path.real) ? { key: true as const } : {}),
      ...(gitRuns === undefined ? {} : { gitRuns }),
      ...(file === undefined ? {} : { file }),
    };
  });
}

/** The root of the repository that the workspace is a part of, or is; else the workspace. */
export const rootAround = (workspace: string): string => repositoryRoot(workspace) ?? workspace;

/** Returns the id of the file of that path, where it has more than one name. */
export function fileOf(real: string): string | undefined {
  try {
    const stats = lstatSync(real, { throwIfNoEntry: false });
    return stats?.isFile() === true && stats.nlink > 1 ? fileId(stats) : undefined;
  } catch {
    return undefined; // below a file, or not to be looked at
  }
}

/** The repository that the workspace is a part of, or is. */
function projectOf(workspace: string): Pick<CallFacts, "project"> {
  const project = repositoryRoot(workspace);
  return project === undefined ? {} : { project };
}

/** Makes a look that tells whether a folder is, or lies in, one of git's data: sealed for every use, whatever its name. */
function gitFolders(workspace: string): (folder: string) => boolean {
  const look = gitFolderLook(rootAround(workspace));
  const known = new Map<string, boolean>();
  return (folder) => {
    const is = known.get(folder) ?? look(folder, false);
    known.set(folder, is);
    return is;
  };
}

/* What a call may read, tell and speak to beyond what its plan names: asked while it runs. */

/**
 * The state that holds when a call is run: the rules in force; `facts`: the call as it was judged last; `approved`: the source that made a
 * person be asked about it who then said yes; `timeoutMs` for a tool that says no time of its own.
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
 * Makes the judge of whether the call may read the places that it comes upon: as the call itself and, where it tells what is in files, as
 * read_file too. A person is not asked again for what they were asked about the call, and approved. Folders of git are looked for, once each.
 * Names decide about keys, so that no file is opened for it; where the caller has the head of one, that counts too. Nothing is worked out before
 * a place is asked about.
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

/** Returns the places that a command does not come upon: as the call itself, whatever the tables say of that, and as read_file. */
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

/** Makes the judge of whether the name of a place that the call does not ask about may be told: as reading it there would be, secrets aside. */
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

/** Makes the judge of whether the call may speak to a host that it is sent on to: a person said yes to the one that they were shown. */
export const reachOf =
  (facts: CallFacts, { policy }: RulesNow): NonNullable<ToolContext["mayReach"]> =>
  (host) =>
    decide({ ...facts, hosts: [host] }, policy).decision === "allow";

/** Tells, beside the verdict on a call, whether the contents of its files may be told, as reading them would, without asking. */
export const mayBeTold = (call: Reading, policy: Policy): boolean =>
  decide(readingOf(call), policy).decision === "allow";

type Reading = Bounds & Pick<CallFacts, "paths" | "project">;

/** The same call, if it were a reading of its files. */
const readingOf = ({ workspace, project, addDirs = [], paths }: Reading): CallFacts => ({
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

/** Returns the reason why a person is asked about a change of files that are not read without asking. */
export const tellingWords = (paths: readonly Pick<PathFact, "asked">[]): string =>
  policyReasons.tells_closed({ place: namesOf(paths) });

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

/**
 * Says of each command which file it names that a rule keeps from being read, and of one that goes through folders which place it would come
 * upon that is not read without asking. In the sandbox nothing is said of the latter: there such places are kept from it, and in the reading
 * box so is what a pattern stands for beside others. Where there is more than is looked through, it may read any.
 */
export function withReached(facts: CallFacts, closed: () => ClosedPlaces): CallFacts {
  const judge = closed();
  const isHeld = facts.sandbox === true;
  const inBox = isHeld && facts.effect === "none" && !facts.commands.some(({ outerGit }) => outerGit === true);
  const commands = facts.commands.map((command) => {
    const found = naming(inBox ? withoutLeftOut(command, judge, rootsOf(facts)) : command, judge);
    return isHeld ? found : comingUpon(found, judge, rootsOf(facts));
  });
  return { ...facts, commands };
}

/**
 * Adds to a command the closed file that it names and reads: a file of which it tells the name alone it does not read, and a folder is none of
 * its own.
 */
function naming(command: PlannedCommand, { isClosed }: ClosedPlaces): PlannedCommand {
  if (command.tells === "names") return command;
  const path = command.paths.find(
    ({ access, deep, asked, real }) =>
      access === "read" && deep !== true && (isClosed(asked) || isClosed(real)) && lookAt(real)?.isDirectory() !== true,
  );
  return path === undefined ? command : { ...command, namesClosed: path.asked };
}

function comingUpon(command: PlannedCommand, judge: ClosedPlaces, roots: readonly string[]): PlannedCommand {
  if (!Array.isArray(command.reaches)) return command;
  const { places, isCut } = closedIn(command.reaches, judge, roots);
  const [comesUpon] = places;
  if (comesUpon !== undefined) return { ...command, comesUpon };
  return isCut ? { ...command, reaches: "any" } : command;
}
