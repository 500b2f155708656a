import { lstatSync } from "node:fs";
import { dirname, sep } from "node:path";
import { isInside } from "../boundary.ts";

/** Finds whether a path lies in a directory of git's data. `isWritten`: or would, once there is a file of that path. */
export type GitFolderLook = (real: string, isWritten: boolean) => boolean;

/**
 * A directory is git's by what lies in it, wherever it lies and whatever its name: a bare repository in a folder, the target of a
 * `gitdir:` line, that of a worktree. Git takes its settings and hooks, which run commands, from the first one it comes upon.
 * Each folder is looked at once.
 * @param top folders above it do not count; for a path outside of it all of them do.
 * @param holds whether a file, or one below a folder, is about to be written too.
 */
export function gitFolderLook(top: string, holds: (path: string) => boolean = () => false): GitFolderLook {
  const known = new Map<string, boolean>();
  const has = (folder: string, name: string, added: string | undefined): boolean =>
    name === added || exists(below(folder, name)) || holds(below(folder, name));
  const isGit = (folder: string, added?: string): boolean => {
    const found = known.get(folder);
    if (found === true || (found === false && added === undefined)) return found;
    const is = looksLikeGit((name) => has(folder, name, added));
    if (added === undefined) known.set(folder, is);
    return is;
  };
  return (real, isWritten) => {
    for (const folder of foldersAbove(real, isInside(top, real) ? top : sep)) {
      if (isGit(folder, isWritten ? nameInGit(entryOf(folder, real)) : undefined)) return true;
    }
    return false;
  };
}

/** As `join`, which goes through all of a path of many folders, once for each of them. */
const below = (folder: string, name: string): string => (folder === sep ? sep + name : folder + sep + name);

/** The name in a folder that the way to `real` goes through; "" for the folder itself. */
function entryOf(folder: string, real: string): string {
  const from = below(folder, "").length;
  const end = real.indexOf(sep, from);
  return end < 0 ? real.slice(from) : real.slice(from, end);
}

/** The path itself and what it lies in, up to `top`. */
function foldersAbove(path: string, top: string): string[] {
  const folders = [path];
  for (let at = path; at !== top && dirname(at) !== at; ) {
    at = dirname(at);
    folders.push(at);
  }
  return folders;
}

/** As git itself looks, and a little wider: its settings need not be there yet, and what a `commondir` leads to has no HEAD. */
function looksLikeGit(has: (name: string) => boolean): boolean {
  const [objects, refs] = [has("objects"), has("refs")];
  if (!has("HEAD")) return objects && refs && has("config");
  return has("commondir") || (objects && refs) || ((objects || refs) && has("config"));
}

const names = new Map(["HEAD", "config", "objects", "refs", "commondir"].map((name) => [name.toLowerCase(), name]));

/** In any case that a file system may take for the same. */
const nameInGit = (entry: string): string | undefined => names.get(entry.toLowerCase());

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // below a file, or not to be looked at
  }
}
