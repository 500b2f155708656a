import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../../core/errno.ts";
import { limits } from "../../../core/limits.ts";
import { createIgnoreRules, type MorePatterns, patternsFor } from "../../search/ignore-rules.ts";
import { walkFolders } from "../../search/walk-folders.ts";

/** A regular file as it was met. `mark` says whether it may have changed since: where it is the same, it has not. */
export interface TreeFile {
  path: string;
  mark: string;
  ino: number;
  dev: number;
  size: number;
  /** Permission bits. */
  mode: number;
  /** The time when it last changed in any way, by the file system's clock; milliseconds since the epoch, as below. */
  changedAt: number;
  /** The time when the file was made, under whatever name; where the file system does not know, the time when it last changed. */
  bornAt: number;
}

export interface TreeList {
  /** By path. More than may be kept are not listed to their end. */
  files: Map<string, TreeFile>;
  /** Bytes of those that are kept: none over the limit of one file. */
  bytes: number;
  /** There are more files than are kept. */
  tooMany: boolean;
  /** Each `.git` that was met, a folder or a file that leads to one. */
  git: string[];
}

/** Tells whether a file is small enough to be kept. */
export const isKept = ({ size }: Pick<TreeFile, "size">): boolean => size <= limits.keptTreeFile.most;

/**
 * Regular files below the roots that git would not ignore: those that a command's change can be taken back from. Folders of our `own` are
 * left out: what our processes write there is no command's, and a store that one of them has open is not to be opened beside it.
 */
export async function listTree(
  roots: readonly string[],
  { ignore, own = [], signal }: { ignore: MorePatterns; own?: readonly string[]; signal: AbortSignal },
): Promise<TreeList> {
  const list: TreeList = { files: new Map(), bytes: 0, tooMany: false, git: [] };
  for (const root of roots) {
    await walkFolders({
      root,
      top: root,
      state: root,
      rules: createIgnoreRules(root, await patternsFor(root, ignore)),
      signal,
      mayRead: () => true,
      enter: (at, name) => {
        const path = join(at, name);
        return own.includes(path) ? undefined : path;
      },
      visit: (_, entry, path, look) => {
        const stats = entry.isFile() ? look() : undefined;
        if (stats?.isFile()) add(list, path, stats);
      },
      pass: (path, { name }) => {
        if (name === ".git") list.git.push(path);
      },
      isFull: () => list.tooMany,
    });
  }
  return list;
}

/** The same for one place: undefined where no regular file lies there. */
export function lookAtFile(path: string): TreeFile | undefined {
  const stats = lookAt(path);
  return stats?.isFile() === true ? treeFile(path, stats) : undefined;
}

/** Undefined where nothing lies, below a file too. @throws where it may not be looked at. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/**
 * Tells whether all that lies at the path, and below it, is in the list and small enough to be kept. Where nothing lies, nothing is lost; of what may
 * not be looked at nobody knows.
 */
export function holdsAll({ files }: Pick<TreeList, "files">, path: string): boolean {
  try {
    const stats = lookAt(path);
    if (stats === undefined) return true;
    if (stats.isDirectory())
      return namesIn(path).every((name) => name !== undefined && holdsAll({ files }, join(path, name)));
    const known = files.get(path);
    return known !== undefined && isKept(known);
  } catch {
    return false;
  }
}

/** One that is undefined where the folder cannot be read. */
function namesIn(folder: string): (string | undefined)[] {
  try {
    return readdirSync(folder);
  } catch {
    return [undefined];
  }
}

function add(list: TreeList, path: string, stats: Stats): void {
  if (list.files.size >= limits.keptTreeFiles.most) {
    list.tooMany = true;
    return;
  }
  const file = treeFile(path, stats);
  if (isKept(file)) list.bytes += file.size;
  list.files.set(path, file);
}

function treeFile(path: string, { ino, dev, size, mode, mtimeMs, ctimeMs, birthtimeMs }: Stats): TreeFile {
  const mark = [dev, ino, size, mode, mtimeMs, ctimeMs].join(" ");
  const changedAt = Math.max(mtimeMs, ctimeMs);
  const bornAt = birthtimeMs > 0 ? birthtimeMs : ctimeMs;
  return { path, mark, ino, dev, size, mode: mode & 0o7777, changedAt, bornAt };
}
