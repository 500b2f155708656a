import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { hooksIn, mayRunPrograms } from "../git-settings.ts";
import { linkedFolders } from "../sandbox-mounts.ts";

/** What git obeys or runs, in one of its folders. */
const obeyed = ["config", "config.worktree", "hooks", "info", "commondir", "gitdir"];
/** Folders of submodules lie in one another. */
const mostDeep = 6;

/** All that git obeys or runs for a `.git`, a folder or the file of a linked worktree; with its submodules, and other worktrees of it. */
export function gitPlaces(dotGit: string, roots: readonly string[]): string[] {
  const leads = linkedFolders(dotGit, roots);
  return [
    ...new Set([...(leads.length === 0 ? [] : [dotGit]), ...[dotGit, ...leads].flatMap((one) => placesIn(one, 0))]),
  ];
}

function placesIn(folder: string, deep: number): string[] {
  const own = obeyed.map((name) => join(folder, name));
  const inner = ["modules", "worktrees"].flatMap((name) => foldersIn(join(folder, name), deep));
  return [...own, ...inner.flatMap((one) => placesIn(one, deep + 1))];
}

/** A submodule is kept by its path, which may have more than one name. */
function foldersIn(folder: string, deep: number): string[] {
  if (deep >= mostDeep) return [];
  const found = namesIn(folder).map((name) => join(folder, name));
  return found.flatMap((path) => (namesIn(path).includes("HEAD") ? [path] : foldersIn(path, deep + 1)));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether a file of a repository that came to be only now would run something: its settings, or a hook that is no example. */
export function runsInGit(path: string): boolean {
  if (basename(dirname(path)) === "hooks") return hooksIn(dirname(path)).includes(basename(path));
  if (!/^config(?:\.worktree)?$/u.test(basename(path))) return false;
  try {
    return mayRunPrograms(readFileSync(path, "utf8"));
  } catch {
    return true;
  }
}
