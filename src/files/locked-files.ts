import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";

/**
 * Files that nobody in this process may open beside those who have them open: the store's, while it has a connection. Their locks belong
 * to the process, and closing any descriptor of the file drops them all, in whatever thread and by whatever name it was opened
 * (sqlite.org/howtocorrupt.html, 2.2). So whoever opens a file that was named from outside asks here first, and once more of what
 * was opened: a descriptor that turns out to be of such a file is never closed.
 */

/** The fields that tell a file from all others, as in `fs.Stats`. */
type Identity = { dev: number | bigint; ino: number | bigint };

const key = "holdfast.locked-files";
/** More than a process can have stores. */
const most = 4096;

/**
 * Inode and device of each file, behind the number of places that were ever used; an empty place has the inode 0. Shared with the
 * threads that this one starts, by whichever asks first.
 */
function places(): BigUint64Array {
  const known = getEnvironmentData(key);
  if (known instanceof SharedArrayBuffer) return new BigUint64Array(known);
  const made = new SharedArrayBuffer((1 + 2 * most) * BigUint64Array.BYTES_PER_ELEMENT);
  setEnvironmentData(key, made);
  return new BigUint64Array(made);
}

/**
 * From now on the file is not to be opened beside its connection.
 * @returns what takes that back; it does nothing where there is no such file
 */
export function holdLocked(path: string): () => void {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (found === undefined) return () => undefined;
  const held = places();
  for (let place = 0; place < most; place += 1) {
    const at = 1 + 2 * place;
    if (Atomics.compareExchange(held, at, 0n, found.ino) !== 0n) continue;
    Atomics.store(held, at + 1, found.dev);
    raise(held, BigInt(place + 1));
    return () => void Atomics.store(held, at, 0n);
  }
  throw new Error(`${path}: too many stores are open in this process`);
}

/** The number of places that were used never falls, whichever thread says it last. */
function raise(held: BigUint64Array, used: bigint): void {
  for (let now = Atomics.load(held, 0); now < used; ) {
    const was = Atomics.compareExchange(held, 0, now, used);
    if (was === now) return;
    now = was;
  }
}

// Keeps files 4.
/** Tells whether this is such a file. @param own a descriptor of it that is the caller's */
export function isLocked({ dev, ino }: Identity, own?: number): boolean {
  const held = places();
  for (let at = 2 * Number(held[0]) - 1; at > 0; at -= 2)
    if (Number(held[at]) === Number(ino) && Number(held[at + 1]) === Number(dev)) return isOpen({ dev, ino }, own);
  return false;
}

/** A connection that nobody closed ends with the garbage, and what is made next may get the number of its file. */
function isOpen({ dev, ino }: Identity, own: number | undefined): boolean {
  const folder = "/proc/self/fd";
  try {
    return readdirSync(folder).some((fd) => {
      const found = Number(fd) === own ? undefined : statSync(`${folder}/${fd}`, { throwIfNoEntry: false });
      return found?.isFile() === true && found.ino === Number(ino) && found.dev === Number(dev);
    });
  } catch {
    return true; // this system does not tell
  }
}

/** The same as text, for a worker that has no modules. What it opened is closed with it, whatever it asks: it asks before. */
export const isLockedSource = `
function isLocked({ dev, ino }) {
  const held = new BigUint64Array(require("node:worker_threads").getEnvironmentData("${key}") ?? 1);
  for (let at = 2 * Number(held[0]) - 1; at > 0; at -= 2)
    if (Number(held[at]) === Number(ino) && Number(held[at + 1]) === Number(dev)) return true;
  return false;
}
`;

/** Says of a file that it cannot be opened, as the file system does. */
export const lockedError = (path: string): Error =>
  Object.assign(new Error(`EBUSY: ${path} belongs to the store, which is open`), { code: "EBUSY", path });

/** `openSync`, but not of such a file; links are followed where `flags` allow it. @throws what it throws; EBUSY. */
export function openUnlocked(path: string, flags: number): number {
  return openSeen(path, flags, statSync(path, { throwIfNoEntry: false })).fd;
}

/** The same of what was looked at just before. @returns with what was opened, as it is */
export function openSeen(path: string, flags: number, seen: Stats | undefined): { fd: number; stats: Stats } {
  if (seen !== undefined && isLocked(seen)) throw lockedError(path);
  const fd = openSync(path, flags);
  const stats = fstatSync(fd);
  if (!isLocked(stats, fd)) return { fd, stats };
  throw lockedError(path);
}

/** `closeSync` of what these gave. @param stats which file it is */
export function closeUnlocked(fd: number, stats: Identity = fstatSync(fd)): void {
  if (!isLocked(stats, fd)) closeSync(fd);
}

/** `readFileSync`, but not of such a file, and without waiting for anything. @throws what it throws; EBUSY. */
export function readUnlocked(path: string): Buffer {
  const fd = openUnlocked(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    return readFileSync(fd);
  } finally {
    closeUnlocked(fd);
  }
}

/** Opened ones that must never be closed, not by the garbage collector either. */
const kept = new Set<FileHandle>();

/** Closes what was opened, unless that would drop locks. @returns whether it did. */
export async function closeHandle(handle: FileHandle): Promise<boolean> {
  if (isLocked(await handle.stat(), handle.fd)) return kept.add(handle).size === 0;
  await handle.close();
  return true;
}
