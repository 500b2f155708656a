import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { platform } from "node:process";
import { errnoOf } from "../core/errno.ts";
import { FolderLost } from "../core/folder-lost.ts";
import type { OpenedFolder, PinnedRoots } from "../core/tool.ts";
import { innermost } from "./boundary.ts";

/** On Linux a folder is opened without being read: one that may only be gone through can be pinned too. Node has no name for it. */
const pathOnly = platform === "linux" ? 0o10000000 : constants.O_RDONLY;
const asFolder = constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Pinned roots that whoever made them ends. */
export interface HeldRoots extends PinnedRoots {
  /** Pins these too. @throws FolderLost, also of those that were pinned before. */
  add(...paths: string[]): void;
  /** Gives the descriptors back; nothing of it may be used after it. */
  close(): void;
}

interface HeldRoot {
  path: string;
  /** As a person reads of it. */
  what: string;
  /** Undefined where the system opens no folder of this kind. */
  fd: number | undefined;
  /** As it was when it was pinned. */
  was: BigIntStats;
  /** Descriptors have names (/proc/self/fd), and the folder's own path is that of its descriptor. */
  isNamed: boolean;
}

// Keeps files 1.
/**
 * Opens the folders that a session works in, and keeps them open: while a descriptor is open no other folder gets the same number.
 * @param workspace absolute, symlinks resolved
 * @throws FolderLost where it is no folder, or a link.
 */
export function pinRoots(workspace: string, addDirs: readonly string[] = []): HeldRoots {
  const held: HeldRoot[] = [];
  const rootOf = (real: string): HeldRoot | undefined => {
    const path = innermost(
      held.map((one) => one.path),
      real,
    );
    return held.find((one) => one.path === path);
  };
  const wayTo = (root: HeldRoot, real: string): string => join(`/proc/self/fd/${root.fd}`, relative(root.path, real));
  const check = (): void => {
    for (const root of held) checkOne(root);
  };
  const add = (...paths: string[]): void => {
    for (const path of paths) {
      if (held.some((one) => one.path === path)) continue;
      held.push(hold(path, held.length === 0 ? "the workspace" : "the added folder"));
    }
    check();
  };
  const close = (): void => {
    for (const { fd } of held.splice(0)) if (fd !== undefined) closeSync(fd);
  };
  try {
    add(workspace, ...addDirs);
  } catch (error) {
    close();
    throw error;
  }
  return {
    add,
    close,
    check,
    at: (real) => {
      const root = rootOf(real);
      return root?.isNamed === true ? wayTo(root, real) : real;
    },
    open: async (real, { flags, above = 0 } = {}) => {
      const root = rootOf(real);
      if (root?.isNamed !== true) return undefined;
      return raised(await openBelow(wayTo(root, real), relative(root.path, real), flags), above, flags);
    },
    descriptors: () => held.flatMap(({ path, fd, isNamed }) => (isNamed && fd !== undefined ? [{ path, fd }] : [])),
  };
}

function hold(path: string, what: string): HeldRoot {
  const was = lookAt(path, what);
  let fd: number | undefined;
  try {
    fd = openSync(path, pathOnly | asFolder);
  } catch (error) {
    // Where it cannot be opened for want of a permission its number alone is compared.
    if (!["EACCES", "EPERM"].includes(errnoOf(error) ?? "")) throw lost(path, what, error);
  }
  return {
    path,
    what,
    fd,
    was: fd === undefined ? was : fstatSync(fd, { bigint: true }),
    isNamed: nameOf(fd) === path,
  };
}

/** The path by which the system knows an open folder now; undefined where it does not tell. */
function nameOf(fd: number | undefined): string | undefined {
  if (fd === undefined) return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

/** Returns the stats of whatever has the name, links followed. @throws FolderLost */
function lookAt(path: string, what: string): BigIntStats {
  try {
    return statSync(path, { bigint: true });
  } catch (error) {
    throw lost(path, what, error);
  }
}

/** Its name leads to it, and it has no other. */
function checkOne({ path, what, fd, was, isNamed }: HeldRoot): void {
  const now = lookAt(path, what);
  const own = fd === undefined ? was : fstatSync(fd, { bigint: true });
  if (now.dev !== own.dev || now.ino !== own.ino) throw replaced(path, what, fd);
  const named = isNamed ? nameOf(fd) : realPath(path);
  if (named !== path) throw replaced(path, what, fd);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

const putBack = "put it back under this name and resume the session, or begin another one elsewhere: agent chat -C DIR";

function lost(path: string, what: string, cause: unknown): FolderLost {
  const errno = errnoOf(cause);
  const isGone = errno === "ENOENT" || errno === "ENOTDIR";
  const words = isGone ? "is not there any more" : `cannot be looked at any more (${errno ?? String(cause)})`;
  return new FolderLost(path, `${what} ${path} ${words}: nothing more is done`, putBack, { cause });
}

function replaced(path: string, what: string, fd: number | undefined): FolderLost {
  const place = nameOf(fd);
  const moved =
    place === undefined || place === path || place.endsWith(" (deleted)") ? "" : ` (${what} is ${place} by now)`;
  const hint = `put ${what} back under this name and resume the session; resumed as it is, the session goes on in what is there by then`;
  return new FolderLost(
    path,
    `${what} is not what it was: ${kindAt(path)} has its name ${path}${moved}: nothing more is done`,
    hint,
  );
}

/** A folder above may be the link. */
function kindAt(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() === true) return at === path ? "a link" : `a link on its way (${at})`;
    if (at === path && found?.isDirectory() === false) return "a file";
    if (at === dirname(at)) return "another folder";
  }
}

/**
 * Opens a folder from its root on, name by name, so that no link on the way is followed.
 * @throws errors of the file system: ENOTDIR where there is a link.
 */
async function openBelow(way: string, below: string, flags: number | undefined): Promise<OpenedFolder> {
  const names = below === "" ? [] : below.split(sep);
  const top = names.length === 0 ? way : way.slice(0, -below.length - 1);
  // The root itself is reached by the link that stands for its descriptor.
  let at = await open(top, (names.length === 0 ? (flags ?? pathOnly) : pathOnly) | constants.O_DIRECTORY);
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    at = await openNext(at, name, isLast ? (flags ?? pathOnly) : pathOnly);
  }
  return at;
}

async function openNext(folder: FileHandle, name: string, flags: number): Promise<FileHandle> {
  try {
    return await open(`/proc/self/fd/${folder.fd}/${name}`, flags | asFolder);
  } finally {
    await folder.close();
  }
}

/** The same folder by a number from `above` on: the system gives the lowest that is free, so those below are held meanwhile. */
async function raised(folder: OpenedFolder, above: number, flags = pathOnly): Promise<OpenedFolder> {
  const low: OpenedFolder[] = [];
  let at = folder;
  try {
    while (at.fd < above) {
      low.push(at);
      at = await open(`/proc/self/fd/${at.fd}`, flags | constants.O_DIRECTORY);
    }
    return at;
  } finally {
    for (const one of low) await one.close();
  }
}
