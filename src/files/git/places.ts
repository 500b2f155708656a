import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readUnlocked } from "../locked-files.ts";
import { NotFollowed } from "./bounded-text.ts";
import { namedByFolders } from "./config-text.ts";
import { dataBehind, dataIn, type GitData } from "./repository.ts";
import { hooksIn, reachedFrom } from "./running.ts";
import { mayRunPrograms } from "./working-keys.ts";

/** The entries that git obeys or runs, or by which it is led on, in one of its folders. */
export const obeyed: readonly string[] = ["config", "config.worktree", "hooks", "info", "commondir", "gitdir"];
/** Folders of submodules lie in one another, and other folders between them. */
const mostDeep = 8;
/** More of them in one repository are not looked at one by one. */
const mostFolders = 2_000;

/** All by which git can be made to run something, for the repositories behind some `.git`. Absolute. */
export interface GitPlaces {
  places: string[];
  /** The places that could not be followed: they may lead to anything. */
  lost: string[];
}

/**
 * Follows each `.git` (a folder, a link, the file of a worktree or a submodule; a folder that is git's data itself) to what git obeys there:
 * with submodules, other worktrees, what their settings name, and each folder that an index has as a repository, for git goes into it
 * wherever it lies.
 * @param home the user's, for names that begin there
 */
export function gitPlaces(dotGits: readonly string[], home: string | undefined): GitPlaces {
  const found: GitPlaces = { places: [], lost: [] };
  // It grows as it is gone through.
  const open = new Set(dotGits);
  for (const dotGit of open) {
    try {
      if (open.size > dotGits.length + mostFolders) throw new NotFollowed(dotGit);
      for (const inner of follow(dotGit, found.places, home)) open.add(inner);
    } catch (error) {
      if (!(error instanceof NotFollowed)) throw error;
      found.lost.push(dotGit);
    }
  }
  return { places: [...new Set(found.places)], lost: found.lost };
}

/** @returns each further `.git` that git goes on to from there. @throws NotFollowed */
function follow(dotGit: string, places: string[], home: string | undefined): string[] {
  if (!isFolder(dotGit)) places.push(dotGit);
  const data = isFolder(dotGit) ? dataIn(dotGit) : dataBehind(dotGit);
  const folders = { left: mostFolders };
  // Where none is there now, one may be made there.
  if (data === undefined) {
    places.push(...placesIn(dotGit, 0, folders));
    return [];
  }
  for (const folder of new Set([data.own, data.common])) places.push(...placesIn(folder, 0, folders));
  places.push(...namedBy(data, dirname(dotGit), home));
  return innerOf(dotGit, data);
}

/** The `.git` of each folder that this one's index leads into, where there is one. @throws NotFollowed */
const innerOf = (dotGit: string, data: GitData): string[] =>
  basename(dotGit) !== ".git"
    ? []
    : reachedFrom(dirname(dotGit), data)
        .map((at) => join(at, ".git"))
        .filter((path) => look(path) !== undefined);

/** Hooks that lie elsewhere, scripts, and more settings. */
function namedBy({ own, common }: GitData, root: string, home: string | undefined): string[] {
  const { hooks, files } = namedByFolders([own, common], root, home);
  return [...hooks, ...files];
}

/** @throws NotFollowed where there are more than are looked at */
function placesIn(folder: string, deep: number, folders: { left: number }): string[] {
  folders.left -= 1;
  if (folders.left < 0) throw new NotFollowed(folder);
  const own = obeyed.map((name) => join(folder, name));
  const inner = ["modules", "worktrees"].flatMap((name) => foldersIn(join(folder, name), deep, folders));
  return [...own, ...inner.flatMap((one) => placesIn(one, deep + 1, folders))];
}

const marks = ["HEAD", "commondir", "config"];

/** A submodule is kept by its path, which may have more than one name. */
function foldersIn(folder: string, deep: number, folders: { left: number }): string[] {
  const names = namesIn(folder);
  if (names.length === 0) return [];
  if (deep > mostDeep) throw new NotFollowed(folder);
  return names
    .map((name) => join(folder, name))
    .filter(isFolder)
    .flatMap((path) => {
      folders.left -= 1;
      if (folders.left < 0) throw new NotFollowed(path);
      const inside = namesIn(path);
      return marks.some((mark) => inside.includes(mark)) ? [path] : foldersIn(path, deep + 1, folders);
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const isFolder = (path: string): boolean => look(path)?.isDirectory() === true;
const isLink = (path: string): boolean => look(path)?.isSymbolicLink() === true;

function look(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Tells whether a file of a repository that came to be only now would run something: its settings, a hook that is no example, or a link in the
 * place of what git obeys, which may lead to another file tomorrow.
 */
export function runsInGit(path: string): boolean {
  const name = basename(path);
  if (obeyed.includes(name) && isLink(path)) return true;
  if (basename(dirname(path)) === "hooks") return hooksIn(dirname(path)).includes(name);
  if (!/^config(?:\.worktree)?$/u.test(name)) return false;
  try {
    return mayRunPrograms(readUnlocked(path).toString("utf8"));
  } catch {
    return true;
  }
}
