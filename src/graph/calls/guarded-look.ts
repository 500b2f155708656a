import { readdirSync, statSync } from "node:fs";
import { type Bounds, rootsOf } from "../../core/tool.ts";
import { isInside } from "../../files/boundary.ts";
import { gitPlaces, runsInGit } from "../../files/git/places.ts";
import { fileId } from "../../files/leading-names.ts";
import { homeFolder } from "../../files/project-root.ts";
import { protectedNames } from "../../policy/protected.ts";
import type { Policy } from "../../policy/types.ts";
import { changedNames, createNamedLook, type NamedFiles } from "../../tools/shell/tree/named-look.ts";
import { changedPlaces, hashPlaces, type ProtectedFiles } from "../../tools/shell/tree/protected-files.ts";
import type { TreeKeeper } from "../../tools/shell/tree/tree-keeper.ts";
import type { PreparedCall } from "./prepared-call.ts";

/** The places that nobody may change unasked, at one time. */
interface Guarded {
  named: NamedFiles;
  places: Protected;
  hashes: ProtectedFiles;
}

/** The folders of a session, and what keeps its trees. */
interface LookedIn extends Bounds {
  tree?: Pick<TreeKeeper, "own" | "git">;
}

/** The number of folders that are gone through for a command that only reads; such a one does nothing as a rule, and is not to wait. */
const mostForReads = 2_000;

/** Looks for it, by name wherever it lies, and by place. */
export function guardedLook(runtime: LookedIn, { facts, plan }: PreparedCall, policy: Policy) {
  const roots = rootsOf(runtime);
  const own = runtime.tree?.own ?? [];
  // By the lists alone: places that are protected by where they lie are hashed.
  const isNamed = protectedNames({ roots: [] });
  const isRead = facts.effect === "none";
  const look = createNamedLook({ roots, own, isNamed, ...(isRead ? { mostFolders: mostForReads } : {}) });
  const ours = own.filter((path) => isOneOf(roots, path) && !roots.includes(path));
  /** Our own folders in the roots, by what they were before: the sandbox keeps those from a command, and what is not there yet it cannot. */
  let held: ReadonlyMap<string, string> | undefined;
  return {
    take: async (signal: AbortSignal): Promise<Guarded> => {
      const named = await look
        .take(signal)
        .catch((): NamedFiles => ({ at: 0, marks: new Map(), git: [], cut: [...roots] }));
      if (plan.sandbox === true) held ??= new Map(ours.flatMap(withId));
      const places = protectedPlaces(runtime, policy, { git: named.git, held: held && [...held.keys()] });
      return { named, places, hashes: hashPlaces(places.all) };
    },
    compare: (before: Guarded, now: Guarded) => {
      const cut = [...new Set([...before.named.cut, ...now.named.cut])];
      return {
        moved: [
          ...changedSettings(before.hashes, before.places, now.places),
          // One that was moved away with a folder around it: what has its name by now was not kept from the command.
          ...[...(held ?? [])].filter(([path, id]) => withId(path)[0]?.[1] !== id).map(([path]) => path),
        ],
        named: cut.some((one) => roots.includes(one)) ? [] : changedNames(before.named, now.named),
        notLooked: isRead ? [] : cut,
      };
    },
  };
}

/** The state of all that nobody may change unasked when a command had ended, or begun, with jobs in the background. */
export interface JobLook {
  look: ReturnType<typeof guardedLook>;
  last: Awaited<ReturnType<ReturnType<typeof guardedLook>["take"]>>;
  prepared: PreparedCall;
  policy: Policy;
}

/** The places that keep all that runs by itself, and all that decides about calls. */
interface Protected {
  all: string[];
  /** The places that lead to it and cannot be followed. */
  lost: string[];
  /** Of all: what is no repository's. */
  own: readonly string[];
}

/**
 * It is hashed whole, for no plan may name it.
 * @param held of our own folders in the roots those that the sandbox kept from the command, which reaches the roots alone: what changes
 * there was changed by our own processes. Settings that are links to files of a root are in reach of it.
 */
function protectedPlaces(
  runtime: LookedIn,
  { sealed, linked = [] }: Policy,
  { git, held }: { git: readonly string[]; held: readonly string[] | undefined },
): Protected {
  const roots = rootsOf(runtime);
  const inRoots = roots.flatMap((root) => [".holdfast", ".mcp.json"].map((name) => `${root}/${name}`));
  const settings = sealed.settings ?? sealed.roots.flatMap(settingsIn);
  const all = [...settings, ...(runtime.tree?.own ?? []).flatMap(setByPeople(roots))];
  const own = held === undefined ? all : all.filter((path) => isOneOf(roots, path) && !isOneOf(held, path));
  const met = [...roots.map((root) => `${root}/.git`), ...(runtime.tree?.git() ?? []), ...git];
  const { places, lost } = gitPlaces(met, homeFolder());
  const led = linked.map(({ real }) => real).filter((real) => roots.some((root) => isInside(root, real)));
  return {
    all: [...new Set([...inRoots, ...places, ...(sealed.hooks ?? []), ...own, ...led])],
    lost,
    own,
  };
}

const isOneOf = (folders: readonly string[], path: string): boolean => folders.some((folder) => isInside(folder, path));

/** None where no folder lies there. */
function withId(folder: string): [path: string, id: string][] {
  try {
    const stats = statSync(folder);
    return stats.isDirectory() ? [[folder, fileId(stats)]] : [];
  } catch {
    return [];
  }
}

const settingsIn = (root: string): string[] => ["config.json", "policy.json"].map((name) => `${root}/${name}`);

/** The files that our own processes write at any time, by the names in our folders: the store, the contents kept for undo, logs, caches, locks. */
const written = /^(?:agent\.db.*|kept|logs|shell|history.*|.*\.lock|.*\.tmp|.*cache.*)$/u;

/** Of a folder of our own that a command reaches because it lies in a root: all but that. */
const setByPeople =
  (roots: readonly string[]) =>
  (folder: string): string[] =>
    roots.some((root) => isInside(root, folder))
      ? namesIn(folder)
          .filter((name) => !written.test(name))
          .map((name) => `${folder}/${name}`)
      : [];

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Lists the protected places that have changed. Of a repository that was not there before, those that would run something: a clone is none. One
 * that is gone as a whole runs nothing. A place that cannot be followed any more may run something.
 */
function changedSettings(before: ProtectedFiles, places: Protected, now: Protected): string[] {
  const after = hashPlaces([...new Set([...places.all, ...now.all])]);
  const isOf = (some: readonly string[], path: string): boolean =>
    some.some((place) => path === place || path.startsWith(`${place}/`));
  const [fresh, gone] = [without(now.all, places.all), without(places.all, now.all)];
  const changed = changedPlaces(before, after).filter((path) => {
    if (after.cut.has(path)) return true;
    if (!after.files.has(path)) return !isOf(gone, path);
    if (isOf(now.own, path)) return true;
    return before.files.has(path) || !isOf(fresh, path) || runsInGit(path);
  });
  return [...new Set([...changed, ...without(now.lost, places.lost)])];
}

function without(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return some.filter((one) => !known.has(one));
}
