import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInside } from "../boundary.ts";
import { kernelPath } from "../kernel-path.ts";
import { NotFollowed, textAt } from "./bounded-text.ts";
import type { GitData } from "./repository.ts";

/** More entries of git's folders than these are not looked at. */
const mostEntries = 50_000;

/**
 * In these git tells no file as it stands: an object is compared with its name, a hook runs or does not, the repositories of submodules are
 * looked at by themselves, and the others are not git's.
 */
const silent = /^(?:objects\/(?!info(?:\/|$))|(?:hooks|modules|lfs|annex)$)/u;
/** There are many of these, and of one that is none of git's git tells no line. */
const formed = /^(?:refs|logs)\//u;
/** Of each line in it that leads to no folder of objects git tells the line. */
const alternates = "objects/info/alternates";

/**
 * Tells whether a file of git's own, however deep it lies, is a link to one that is not git's, or to another one of git's, or has another name, which
 * may be any: of many a file git tells a line, or all of it (`worktrees/x/gitdir`, `rebase-merge/done`, `BISECT_START`, `info/grafts`). Of linked
 * working trees (git-new-workdir, repo) the links lead to those named alike in another of git's folders.
 * @throws NotFollowed where there is more than is looked at
 */
export function leadsAway({ own, common }: GitData): boolean {
  const roots = [...new Set([own, common])];
  const open: Folder[] = roots.map((at) => ({ at, path: "" }));
  const met = new Set<string>();
  let entries = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const key = `${next.path === "objects"} ${next.at}`;
    if (met.has(key)) continue;
    met.add(key);
    for (const { entry, path, real } of foundIn(next)) {
      entries += 1;
      if (entries > mostEntries) throw new NotFollowed(next.at);
      if (entry.isSymbolicLink() ? !isAlike(real, path, roots) : hasOtherName(real, path, entry)) return true;
      open.push(...behind(real, path, entry));
    }
  }
  return false;
}

interface Folder {
  at: string;
  /** As git comes to it, from the folder of its own on. */
  path: string;
}

/** Lists the entries of a folder, links followed, of which git may tell something as it stands. */
const foundIn = ({ at, path: above }: Folder): { entry: Dirent; path: string; real: string }[] =>
  entriesIn(at).flatMap((entry) => {
    const path = join(above, entry.name);
    const real = silent.test(path) ? undefined : realOf(join(at, entry.name), entry);
    return real === undefined ? [] : [{ entry, path, real }];
  });

/** Undefined where it is a link to nothing. */
function realOf(at: string, entry: Dirent): string | undefined {
  try {
    return entry.isSymbolicLink() ? realpathSync(at) : at;
  } catch {
    return undefined;
  }
}

/** Lists the folders that git goes on to from an entry: the one that it is, and others where it looks for objects, too. @throws NotFollowed */
function behind(real: string, path: string, entry: Dirent): Folder[] {
  if (isFolder(real, entry)) return [{ at: real, path }];
  return path === alternates ? othersIn(real).map((at) => ({ at, path: "objects" })) : [];
}

/** Folders of objects that a file of them names, one a line, from the folder of objects on (`gitrepository-layout`). @throws NotFollowed */
function othersIn(file: string): string[] {
  const lines = (textAt(file) ?? "").split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.some((line) => line.startsWith('"'))) throw new NotFollowed(file);
  return lines.map((line) => kernelPath(dirname(dirname(file)), line));
}

/**
 * Tells whether a link leads to the same of git's; a reference may be a link to another one, and names among objects are compared wherever they are.
 */
function isAlike(real: string, path: string, roots: readonly string[]): boolean {
  if (path === "objects") return true;
  const isOfGit = /\/\.(?:git|repo)\//u.test(real) || roots.some((root) => isInside(root, real));
  return isOfGit && (basename(real) === basename(path) || real.includes("/refs/"));
}

/** Git itself gives second names to objects alone. */
const hasOtherName = (at: string, path: string, entry: Dirent): boolean =>
  entry.isFile() && !formed.test(path) && (lstatSync(at, { throwIfNoEntry: false })?.nlink ?? 1) > 1;

const isFolder = (real: string, entry: Dirent): boolean =>
  entry.isDirectory() || (entry.isSymbolicLink() && statSync(real, { throwIfNoEntry: false })?.isDirectory() === true);

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
