import { lstatSync } from "node:fs";
import { isSending } from "../../core/http-methods.ts";
import type { PathFact } from "../../core/path-fact.ts";
import { type Bounds, effectOf, type Overlay, type Plan, type Tool } from "../../core/tool.ts";
import { isKeyFile } from "../../files/bytes/file-head.ts";
import { gitFolderLook } from "../../files/git/folder.ts";
import { gitRunsLook } from "../../files/git/hooks.ts";
import { fileId } from "../../files/leading-names.ts";
import { homeFolder, repositoryRoot } from "../../files/project-root.ts";
import { heedsPast } from "../../policy/past.ts";
import { onlyReads } from "../../policy/shell/line-parts.ts";
import type { CallFacts, PastFacts } from "../../policy/types.ts";
import { isBuiltIn } from "../../tools/built-in.ts";

/** What the session has come upon so far. */
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
  const facts: CallFacts = {
    ...bareFacts(tool, bounds),
    ...confirmOf(plan.confirm),
    paths: lookedAt(paths, bounds.workspace, overlay),
    commands: (plan.commands ?? []).map((one) => ({ ...one, paths: lookedAt(one.paths, bounds.workspace, overlay) })),
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

/** What this very call does, which may be less than what its tool does, or more. */
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

/** What policy looks at of a tool itself. */
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

/** Each path with what a look at the file system tells of it. */
export function lookedAt(paths: readonly PathFact[], workspace: string, overlay?: Overlay): PathFact[] {
  if (paths.length === 0) return [];
  const isInGit = gitFolderLook(repositoryRoot(workspace) ?? workspace, (path) => overlay?.holds?.(path) === true);
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

/** What the file of that path is, where it has more than one name. */
export function fileOf(real: string): string | undefined {
  try {
    const stats = lstatSync(real, { throwIfNoEntry: false });
    return stats?.isFile() === true && stats.nlink > 1 ? fileId(stats) : undefined;
  } catch {
    return undefined; // below a file, or not to be looked at
  }
}

/** The repository that the workspace is a part of, or is. */
export function projectOf(workspace: string): Pick<CallFacts, "project"> {
  const project = repositoryRoot(workspace);
  return project === undefined ? {} : { project };
}

/** Whether a folder is, or lies in, one of git's data: sealed for every use, whatever its name. */
export function gitFolders(workspace: string): (folder: string) => boolean {
  const look = gitFolderLook(repositoryRoot(workspace) ?? workspace);
  const known = new Map<string, boolean>();
  return (folder) => {
    const is = known.get(folder) ?? look(folder, false);
    known.set(folder, is);
    return is;
  };
}
