import { lstatSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { errnoOf } from "../../core/errno.ts";
import { kernelPath } from "../kernel-path.ts";
import { NotFollowed, textAt } from "./bounded-text.ts";

/** Folders of git's data, as git comes to them; links followed. Either need not be there. */
export interface GitData {
  /** The folder with the data of this working tree. */
  own: string;
  /** The folder with settings, hooks, objects and refs: `own`, or the one that its `commondir` leads to. */
  common: string;
}

/** A repository that git would find in a folder. */
export interface Repository extends GitData {
  /** The folder that it was found in. */
  at: string;
  /** The folder itself is git's data. */
  isBare: boolean;
  /** Git surely takes it; else it may go on to the folder above. */
  isSure: boolean;
}

/**
 * Finds git's data behind a `.git`: a folder, a link to one, or a file that leads to one. A `commondir` counts in each of them, once, as
 * git takes it (`gitrepository-layout`). Undefined where there is no `.git`.
 * @throws NotFollowed where it cannot be read.
 */
export function dataBehind(dotGit: string): GitData | undefined {
  const kind = look(dotGit);
  if (kind === undefined) return undefined;
  if (kind.isDirectory()) return dataIn(kernelPath("/", dotGit));
  const text = textAt(dotGit);
  const to = /^gitdir: ([^\0\n\r]+)[\n\r]*$/u.exec(text ?? "")?.[1];
  if (to === undefined) throw new NotFollowed(dotGit);
  return dataIn(kernelPath(kernelPath("/", dirname(dotGit)), to));
}

/** @param own links followed. @throws NotFollowed */
export function dataIn(own: string): GitData {
  const text = textAt(join(own, "commondir"));
  if (text === undefined) return { own, common: own };
  const to = text.replace(/[\n\r]+$/u, "");
  if (to === "" || /[\0\n]/u.test(to)) throw new NotFollowed(join(own, "commondir"));
  const common = kernelPath(own, to);
  // Git does not go on from there; what it would be taken for by others is not known.
  if (common !== own && look(join(common, "commondir")) !== undefined) throw new NotFollowed(join(common, "commondir"));
  return { own, common };
}

/** Repositories that git may find from a folder, the nearest first; it takes the first that it is sure of. @throws NotFollowed */
export function repositoriesFrom(folder: string): Repository[] {
  const found: Repository[] = [];
  for (let at = folder; ; at = dirname(at)) {
    const here = repositoriesAt(at);
    found.push(...here);
    if (here.some(({ isSure }) => isSure) || dirname(at) === at) return found;
  }
}

/** Those in one folder: behind its `.git`, and the folder itself where it is git's data. @throws NotFollowed */
export function repositoriesAt(at: string): Repository[] {
  const behind = dataBehind(join(at, ".git"));
  const normal = behind === undefined ? [] : [{ ...behind, at, isBare: false, isSure: isTaken(behind) }];
  if (normal.some(({ isSure }) => isSure) || look(join(at, "HEAD")) === undefined) return normal;
  const bare = dataIn(at);
  return hasData(bare) ? [...normal, { ...bare, at, isBare: true, isSure: isTaken(bare) }] : normal;
}

/** As git looks whether a folder is one of its own (`is_git_directory`). */
function isTaken(data: GitData): boolean {
  return hasData(data) && isHead(join(data.own, "HEAD"));
}

/** Tells whether there are the folders without which git takes none. @throws NotFollowed */
export const hasData = ({ common }: GitData): boolean =>
  ["objects", "refs"].every((name) => look(join(common, name))?.isDirectory() === true);

function isHead(path: string): boolean {
  try {
    if (lstatSync(path).isSymbolicLink()) return false; // git takes some of these: it is not sure
    return /^(?:ref:\s*refs\/|[0-9a-f]{40})/u.test(textAt(path) ?? "");
  } catch {
    return false;
  }
}

/** Links followed; undefined where nothing lies. @throws NotFollowed where it may not be looked at. */
function look(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) === "ENOTDIR") return undefined;
    throw new NotFollowed(path, { cause: error });
  }
}
