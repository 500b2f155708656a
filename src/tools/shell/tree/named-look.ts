import { accessSync, constants, lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { errnoOf } from "../../../core/errno.ts";
import { type Sha, sha256 } from "../../../core/json.ts";
import { isKernelTree } from "../../../files/boundary.ts";
import { readUnlocked } from "../../../files/locked-files.ts";

/** The files under names that count wherever they lie, ignored by git or not. All paths absolute. */
export interface NamedFiles {
  /** The time when the look for them began, in milliseconds since the epoch. */
  at: number;
  /** A file's content, or where a link leads, by its path: those of such a name, and all below a folder of such a name. */
  marks: ReadonlyMap<string, Sha>;
  /** Each `.git`, and folders that are git's data themselves. */
  git: string[];
  /** Folders that were not looked through to their end. */
  cut: string[];
}

export interface NamedLook {
  /** Goes through all folders below the roots; the second time only through those that changed. */
  take(signal: AbortSignal): Promise<NamedFiles>;
}

interface NamedLookOptions {
  /** Links followed. */
  roots: readonly string[];
  /** Folders that are left out: our own. */
  own: readonly string[];
  isNamed(name: string): boolean;
  /** The number of folders that are gone through. */
  mostFolders?: number;
}

/** Folders in which package managers put what others made: nobody works in them, and what lies there runs as a part of the program. */
const packages = new Set([
  "node_modules",
  ".venv",
  "venv",
  "site-packages",
  "__pycache__",
  ".tox",
  ".nox",
  ".yarn",
  ".pnpm-store",
]);

const mostFolders = 30_000;
/** Of files under such names, and how large one is that is read, in bytes. */
const mostFiles = 20_000;
const largest = 1_000_000;
/** The number of folders that are read before others may do something. */
const atOnce = 100;
/** In milliseconds: a folder that changed so short a time ago may change again without another mark. */
const settleMs = 50;

interface Folder {
  mark: string | undefined;
  folders: string[];
  named: string[];
  isGit: boolean;
  dotGit: boolean;
}

export function createNamedLook({ roots, own, isNamed, ...bounds }: NamedLookOptions): NamedLook {
  const known = new Map<string, Folder>();
  const most = bounds.mostFolders ?? mostFolders;
  const isLeftOut = (path: string): boolean => own.includes(path) || roots.some((root) => isKernelTree(root, path));
  return {
    async take(signal) {
      const found: Taken = { at: Date.now(), marks: new Map(), git: [], cut: [] };
      const open = [...roots];
      for (let passed = 1, at = open.pop(); at !== undefined; passed += 1, at = open.pop()) {
        if (passed % atOnce === 0) await setImmediate();
        signal.throwIfAborted();
        if (passed > most) return { ...found, cut: [...found.cut, at, ...open] };
        const folder = readFolder(known, at, isNamed);
        if (folder !== undefined) open.push(...take(found, at, folder, isLeftOut));
        else if (mayBeEntered(at)) found.cut.push(at);
      }
      return found;
    },
  };
}

type Taken = NamedFiles & { marks: Map<string, Sha> };

/** @returns the folders in it. */
function take(
  found: Taken,
  at: string,
  { dotGit, isGit, named, folders }: Folder,
  isLeftOut: (path: string) => boolean,
): string[] {
  const below = (names: readonly string[]) => names.map((name) => join(at, name)).filter((path) => !isLeftOut(path));
  if (dotGit) found.git.push(join(at, ".git"));
  if (isGit) found.git.push(at);
  for (const path of below(named)) if (!addNamed(found.marks, path)) found.cut.push(path);
  return below(folders);
}

function readFolder(known: Map<string, Folder>, at: string, isNamed: (name: string) => boolean): Folder | undefined {
  const mark = markOf(at);
  const old = known.get(at);
  if (old?.mark !== undefined && old.mark === mark) return old;
  try {
    const entries = readdirSync(at, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const names = new Set(entries.map(({ name }) => name));
    const folder = {
      mark,
      folders: folders.filter((name) => name !== ".git" && !packages.has(name) && !isNamed(name)),
      named: [...names].filter((name) => name !== ".git" && isNamed(name)),
      isGit: names.has("objects") && names.has("refs") && (names.has("HEAD") || names.has("config")),
      dotGit: names.has(".git"),
    };
    known.set(at, folder);
    return folder;
  } catch {
    known.delete(at);
    return undefined;
  }
}

/** Tells whether a folder that was not read may be reached all the same. One that is gone, or lets nobody through, is not. */
function mayBeEntered(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch (error) {
    return !["ENOENT", "ENOTDIR", "EACCES"].includes(errnoOf(error) ?? "");
  }
}

/** Undefined where the next change may leave no other. */
function markOf(folder: string): string | undefined {
  const stats = look(folder);
  if (stats?.isDirectory() !== true) return undefined;
  const { dev, ino, mtimeMs, ctimeMs } = stats;
  return Date.now() - Math.max(mtimeMs, ctimeMs) > settleMs ? [dev, ino, mtimeMs, ctimeMs].join(" ") : undefined;
}

/** @returns whether all of it was looked at. */
function addNamed(marks: Map<string, Sha>, path: string): boolean {
  const stats = look(path);
  if (stats === undefined) return true;
  if (stats.isDirectory()) {
    try {
      return readdirSync(path).every((name) => addNamed(marks, join(path, name)));
    } catch {
      return false;
    }
  }
  if (marks.size >= mostFiles) return false;
  marks.set(path, contentOf(path, stats));
  return true;
}

/** Hashes the content of a path; one that cannot be read counts by the facts that a look at it tells. */
function contentOf(path: string, stats: Stats): Sha {
  const { ino, size, mode, mtimeMs, ctimeMs } = stats;
  try {
    if (stats.isSymbolicLink()) return sha256(`link ${readlinkSync(path)}`);
    if (stats.isFile() && size <= largest) return sha256(readUnlocked(path));
  } catch {
    // It is gone, or closed.
  }
  return sha256([ino, size, mode, mtimeMs, ctimeMs].join(" "));
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Paths of one that are not in the other, or not the same there. Where not all was looked through, the next look may have come by other
 * folders: what is met only once counts if it was made since, or is gone.
 */
export function changedNames(before: NamedFiles, after: NamedFiles): string[] {
  const isWhole = before.cut.length + after.cut.length === 0;
  const isFresh = (path: string): boolean => (look(path)?.ctimeMs ?? 0) >= before.at - settleMs;
  const isChanged = (path: string): boolean => {
    const [old, now] = [before.marks.get(path), after.marks.get(path)];
    if (old === now) return false;
    if (isWhole || (old !== undefined && now !== undefined)) return true;
    return old === undefined ? isFresh(path) : look(path) === undefined;
  };
  return [...new Set([...before.marks.keys(), ...after.marks.keys()])].filter(isChanged).sort();
}
