import { constants, lstatSync, readlinkSync, readSync, realpathSync, type Stats } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { ToolRefusal } from "../../core/codes.ts";
import { closeHandle, closeUnlocked, isLocked, openSeen } from "../locked-files.ts";

const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Opens a regular file for reading, blocking on nothing: a FIFO, a socket, a device or a file of the open store is refused before it
 * is opened, and what took the file's place meanwhile is opened without waiting and refused by what was opened.
 * @param path symlinks resolved; a link in the last place is not followed.
 * @throws ToolRefusal IS_DIRECTORY, NOT_A_FILE, PROTECTED; errors of the file system as they come.
 */
export async function openRegular(path: string, asked: string): Promise<{ handle: FileHandle; stats: Stats }> {
  refuseIrregular(await lstat(path), asked);
  const handle = await open(path, openFlags);
  try {
    const stats = await handle.stat();
    refuseIrregular(stats, asked, handle.fd);
    return { handle, stats };
  } catch (error) {
    await closeHandle(handle);
    throw error;
  }
}

function refuseIrregular(stats: Stats, asked: string, own?: number): void {
  if (isLocked(stats, own))
    throw new ToolRefusal("PROTECTED", `${asked} belongs to the agent's own store, which is in use`);
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new ToolRefusal("IS_DIRECTORY", `${asked} is a folder, not a file`);
  throw new ToolRefusal(
    "NOT_A_FILE",
    `${asked} is ${kindOf(stats)}, not a regular file: it is neither read nor written`,
  );
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return "a named pipe (FIFO)";
  if (stats.isSocket()) return "a socket";
  if (stats.isSymbolicLink()) return "a symbolic link";
  return "a device";
}

/**
 * All bytes of an opened file, at most `limit`; the file may grow while it is read.
 * @throws ToolRefusal TOO_LARGE
 */
export async function readBounded(handle: FileHandle, size: number, limit: number, asked: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.min(Math.max(size - total + 1, 64 * 1024), limit - total + 1));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, total);
    if (bytesRead === 0) return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, total);
    total += bytesRead;
    if (total > limit) throw tooLarge(asked, Math.max(size, total), limit);
    chunks.push(chunk.subarray(0, bytesRead));
  }
}

export function tooLarge(asked: string, size: number, limit: number): ToolRefusal {
  const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
  return new ToolRefusal("TOO_LARGE", `${asked} has ${megabytes(size)}; the limit for this is ${megabytes(limit)}`);
}

/** A file that was opened and found to be where its path says, no link on the way. */
export interface ThereFile {
  size: number;
  /** As it was opened. */
  stats: Stats;
  /** At most `length` bytes from `position` on, fewer at the end of the file. */
  read(position: number, length: number): Buffer;
}

/**
 * The same in one go, for one of many files that a search came upon: regular, opened under its path and found to be there, so that
 * what leads elsewhere by now shows nothing.
 * @returns undefined where it is not so, or cannot be read.
 */
export const readThere = <T>(path: string, use: (file: ThereFile) => T): T | undefined =>
  readOpened(path, { look: () => lstatSync(path), isThere: (fd) => openedPath(fd, path) === path }, use);

/**
 * The same of a file in a folder that nobody but the person can write: what leads there is not looked at again, and what it is only once it is
 * opened.
 */
export const readOwn = <T>(path: string, use: (file: ThereFile) => T): T | undefined =>
  readOpened(path, { look: () => undefined, isThere: () => true }, use);

interface Looks {
  look(): Stats | undefined;
  isThere(fd: number): boolean;
}

/** No link is followed: what was looked at is what is opened, or is refused by what was opened. */
function readOpened<T>(path: string, { look, isThere }: Looks, use: (file: ThereFile) => T): T | undefined {
  let opened: ReturnType<typeof openSeen> | undefined;
  try {
    const seen = look();
    if (seen?.isFile() === false) return undefined;
    opened = openSeen(path, openFlags, seen);
    const { fd, stats } = opened;
    if (!stats.isFile() || !isThere(fd)) return undefined;
    const read = (position: number, length: number): Buffer => {
      const bytes = Buffer.allocUnsafe(length);
      return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
    };
    return use({ size: stats.size, stats, read });
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) closeUnlocked(opened.fd, opened.stats);
  }
}

/** As far as the system tells. */
function openedPath(fd: number, path: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return realpathSync(path);
  }
}
