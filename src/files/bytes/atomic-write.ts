import { linkSync, renameSync, type Stats } from "node:fs";
import { lstat, open, realpath, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ToolRefusal } from "../../core/codes.ts";
import { errnoOf } from "../../core/errno.ts";
import { faultPoint } from "../../core/fault-point.ts";
import { type Sha, sha256 } from "../../core/json.ts";
import type { PinnedRoots } from "../../core/tool.ts";
import { fileRefusal } from "../file-errors.ts";
import { type PinnedFolder, withParent } from "../pinned-folder.ts";
import { openRegular } from "./read-regular.ts";
import { asideName, discard, type FileContent, hashHandle, setIdBits, stageFile } from "./temporaries.ts";

export interface AtomicWrite {
  /** Permission bits the file will have. */
  mode: number;
  /** Permission bits that the file to be replaced must have, where it counts: else it has drifted. */
  expectMode?: number;
  /** Hash of the bytes that are to be replaced; null: there must be no file, and one that appears is not overwritten. */
  expectBefore: Sha | null;
  /** The workspace, where the file has to lie in one: checked on the opened folder. */
  within?: string;
  /** The pinned roots, where it has to be the session's own folder, whatever has its name. */
  pins?: PinnedRoots;
  /** The name of the file in messages; default: its path. */
  asked?: string;
  /** Runs between the last check and the rename: for tests of the race. */
  beforeRename?: () => void | Promise<void>;
}

/**
 * `drifted`: the file was not as expected, nothing was done.
 * `raced`: somebody saved between the check and the rename; their bytes are in place, ours are not.
 * `written`: it was done (the file is gone, where it was to be removed).
 */
export type WriteOutcome = "written" | "drifted" | "raced";

/**
 * Replaces or makes a whole file: readers and a crash at any point see the old bytes or the new ones. The temporary
 * lies in the same folder; file and folder are synced; owner kept where we may; nothing of ours is left on failure.
 * @param path absolute, symlinks resolved (so that a link stays and its target is written); its folder must exist.
 * @throws ToolRefusal ENOSPC, EIO, EACCES, READ_ONLY, OUTSIDE_WORKSPACE and others; FolderLost before anything was done.
 */
export async function writeAtomically(path: string, bytes: Uint8Array, write: AtomicWrite): Promise<WriteOutcome> {
  const target: Target = { name: basename(path), asked: write.asked ?? path, after: sha256(bytes) };
  try {
    return await withParent(path, write, (folder) =>
      write.expectBefore === null
        ? create(folder, target, bytes, write)
        : replace(folder, target, bytes, { ...write, expectBefore: write.expectBefore }),
    );
  } catch (error) {
    throw fileRefusal(error, target.asked);
  }
}

/** `expectBefore`: hash of the bytes that are to go. */
export type AtomicRemoval = Pick<AtomicWrite, "within" | "pins" | "asked" | "beforeRename"> & { expectBefore: Sha };

/**
 * Removes a file, if its bytes are those expected: as carefully as `writeAtomically`, in that it takes another name first
 * and is compared under it, so that what somebody saved in the last instant comes back.
 * @param path absolute, symlinks resolved.
 * @throws ToolRefusal as writeAtomically.
 */
export async function removeAtomically(path: string, removal: AtomicRemoval): Promise<WriteOutcome> {
  const target = { name: basename(path), asked: removal.asked ?? path };
  try {
    return await withParent(path, removal, (folder) => remove(folder, target, removal));
  } catch (error) {
    throw fileRefusal(error, target.asked);
  }
}

/**
 * For files of our own (grants, settings): whatever is there is replaced, the last writer wins. A symlink stays and its
 * target is written. The folder must exist.
 * @throws ToolRefusal as writeAtomically.
 */
export async function replaceFile(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  try {
    const real = await realpath(path).catch(async () => join(await realpath(dirname(path)), basename(path)));
    await withParent(real, {}, async (folder) => {
      const staged = await stageFile(folder, bytes, { mode });
      await rename(folder.at(staged), folder.at(basename(real))).catch(async (error: unknown) => {
        await discard(folder, staged);
        throw error;
      });
      await folder.sync();
    });
  } catch (error) {
    throw fileRefusal(error, path);
  }
}

/**
 * Makes a whole file, and overwrites none.
 * @returns false where there is something already: nothing was done.
 * @throws ToolRefusal as writeAtomically.
 */
export async function writeNewFile(path: string, content: FileContent, mode: number): Promise<boolean> {
  try {
    const folder = await realpath(dirname(path)).catch((error: unknown) => {
      throw fileRefusal(error, dirname(path));
    });
    const real = join(folder, basename(path));
    const target = { name: basename(path), asked: path };
    return (await withParent(real, {}, (pinned) => create(pinned, target, content, { mode }))) === "written";
  } catch (error) {
    throw fileRefusal(error, path);
  }
}

interface Target {
  name: string;
  asked: string;
  after: Sha;
}

async function create(
  folder: PinnedFolder,
  target: Omit<Target, "after">,
  bytes: FileContent,
  write: Pick<AtomicWrite, "mode" | "beforeRename">,
) {
  const staged = await stageFile(folder, bytes, { mode: write.mode });
  try {
    await write.beforeRename?.();
    if (!(await putNew(folder, staged, target.name))) return "drifted";
  } finally {
    await discard(folder, staged);
  }
  await settle(folder, target);
  return "written";
}

async function settle(folder: PinnedFolder, target: Pick<Target, "asked">, done = "written"): Promise<void> {
  try {
    await folder.sync();
    faultPoint("folder synced");
  } catch (cause) {
    const message = `${target.asked} was ${done}, but the device failed to make that durable: look at it`;
    throw new ToolRefusal("EIO", message, { cause });
  }
}

/** A link does not overwrite. Where there are no links the name is reserved first, which overwrites nothing either. */
async function putNew(folder: PinnedFolder, staged: string, name: string): Promise<boolean> {
  try {
    if (tryLink(folder.at(staged), folder.at(name))) {
      faultPoint("file linked");
      return true;
    }
    await (await open(folder.at(name), "wx")).close();
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    await rename(folder.at(staged), folder.at(name));
  } catch (error) {
    await discard(folder, name);
    throw error;
  }
  return true;
}

async function replace(
  folder: PinnedFolder,
  target: Target,
  bytes: Uint8Array,
  write: AtomicWrite & { expectBefore: Sha },
): Promise<WriteOutcome> {
  const path = folder.at(target.name);
  const before = await look(path, target.asked);
  if (before?.sha !== write.expectBefore) return "drifted";
  // A file that is changed does not keep them, whether or not it had them when that was planned.
  const mode = before.stats.mode & 0o7777 & ~setIdBits;
  if (write.expectMode !== undefined && mode !== (write.expectMode & ~setIdBits)) return "drifted";
  const staged = await stageFile(folder, bytes, { mode: write.mode, owner: before.stats });
  try {
    if (!sameFile(before.stats, await lstat(path))) return "drifted";
    await write.beforeRename?.();
    return await swap(folder, target, staged, write.expectBefore);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return "drifted";
    throw error;
  } finally {
    await discard(folder, staged);
  }
}

async function remove(
  folder: PinnedFolder,
  target: Pick<Target, "name" | "asked">,
  { expectBefore, beforeRename }: AtomicRemoval,
): Promise<WriteOutcome> {
  const path = folder.at(target.name);
  const aside = asideName(expectBefore);
  try {
    const before = await look(path, target.asked);
    if (before?.sha !== expectBefore || !sameFile(before.stats, await lstat(path))) return "drifted";
    await beforeRename?.();
    renameSync(path, folder.at(aside));
    faultPoint("file taken away");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return "drifted";
    await discardUnsaved(folder, aside, expectBefore);
    throw error;
  }
  const raced = !(await isStill(folder.at(aside), expectBefore));
  if (raced) await giveName(folder, aside, target.name);
  else await discard(folder, aside);
  await settle(folder, target, "removed");
  return raced ? "raced" : "written";
}

/** Gives a file that was set aside its name; where that was taken meanwhile, its holder is newer, and the file is discarded. */
async function giveName(folder: PinnedFolder, aside: string, name: string): Promise<void> {
  try {
    if (!tryLink(folder.at(aside), folder.at(name))) return renameSync(folder.at(aside), folder.at(name));
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
  await discard(folder, aside);
}

async function look(path: string, asked: string): Promise<{ sha: Sha; stats: Stats } | undefined> {
  try {
    const { handle, stats } = await openRegular(path, asked);
    return { sha: await hashHandle(handle).finally(() => handle.close()), stats };
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

const sameFile = (one: Stats, other: Stats): boolean =>
  one.dev === other.dev && one.ino === other.ino && one.size === other.size && one.mtimeMs === other.mtimeMs;

/**
 * Node cannot exchange two names in one step, so a save between the last check and the rename cannot be kept out. It is
 * made visible instead: the old file keeps a second name over the rename and is compared after it. Link and rename
 * stand side by side without giving up the thread, so that nothing but a save within these microseconds goes unseen.
 */
async function swap(folder: PinnedFolder, target: Target, staged: string, expect: Sha): Promise<WriteOutcome> {
  const aside = asideName(expect);
  const kept = tryLink(folder.at(target.name), folder.at(aside));
  try {
    faultPoint("file set aside");
    renameSync(folder.at(staged), folder.at(target.name));
    faultPoint("file renamed");
  } catch (error) {
    await discardUnsaved(folder, aside, expect);
    throw error;
  }
  const raced = kept && !(await isStill(folder.at(aside), expect));
  if (raced) await putBack(folder, target, aside);
  else if (kept) await discard(folder, aside);
  faultPoint("file compared");
  await settle(folder, target);
  return raced ? "raced" : "written";
}

/** Discards a file that was set aside if it is as expected: any other is somebody's save, which nobody else may hold, and stays. */
async function discardUnsaved(folder: PinnedFolder, aside: string, expect: Sha): Promise<void> {
  if (await isStill(folder.at(aside), expect)) await discard(folder, aside);
}

async function isStill(path: string, expect: Sha): Promise<boolean> {
  // What took the file's place may not be a file at all: then it is not what was expected either.
  return (await look(path, path).catch(() => undefined))?.sha === expect;
}

/** Unless they saved once more, over ours: then what is there now is newer than what was set aside. */
async function putBack(folder: PinnedFolder, target: Target, aside: string): Promise<void> {
  if (await isStill(folder.at(target.name), target.after)) renameSync(folder.at(aside), folder.at(target.name));
  else await discard(folder, aside);
}

const withoutLinks = new Set(["EPERM", "EOPNOTSUPP", "ENOTSUP", "ENOSYS", "EMLINK", "EACCES"]);

/** @returns false where the file system, or its rules for files of others, has no hard links. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (withoutLinks.has(errnoOf(error) ?? "")) return false;
    throw error;
  }
}
