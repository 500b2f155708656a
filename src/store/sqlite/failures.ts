import { accessSync, closeSync, constants, existsSync, openSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { tooManyFilesText } from "../../core/too-many-files.ts";
import { SessionBusy, StoreFailure, type StoreFailureKind } from "../types.ts";
import { NotLooked } from "./read-aside.ts";

const advice: Record<StoreFailureKind, string> = {
  full: "the disk is full; free some space there, then try again",
  read_only: "the store cannot be written; check the permissions of the file and of its folder",
  corrupt: "the store is damaged; nothing was changed",
  gone: "the store was removed or replaced while it was in use, so nothing more is done; what this run has changed stays, but is in no record: look at it, then begin a new session",
  foreign: "this is another program's database; nothing was changed; point AGENT_HOME elsewhere or move the file away",
  newer: "the store was written by a newer version; nothing was changed; upgrade this program",
  io: "the store could not be read or written; check the disk and the folder",
  unserialisable: "the value is not plain data; nothing was stored",
};

/** Tells whether that names no file: SQLite keeps such a database in memory, and each opening is another one. */
export const isInMemory = (file: string): boolean => file === ":memory:";

/** A failure whose message names the file and says what to do. */
export function storeFailure(kind: StoreFailureKind, file: string, what?: unknown): StoreFailure {
  const detail = what instanceof Error ? what.message : typeof what === "string" ? what : undefined;
  const message = `${file}: ${advice[kind]}${detail === undefined ? "" : ` (${detail})`}${kind === "corrupt" ? afresh(file) : ""}`;
  return new StoreFailure(kind, message, what instanceof Error ? { cause: what } : undefined);
}

/**
 * The file is the person's to move, with its log: a log that stays behind would be read into the next store. What lies in the
 * folder can still be looked into, and be put back.
 */
function afresh(file: string): string {
  if (isInMemory(file)) return "";
  const aside = quoted(`${file}.broken`);
  const parts = ["", "-wal", "-shm", "-made"].map((end) => `${file}${end}`).filter((part) => existsSync(part));
  return `\nTo start with a fresh store and keep this one: mkdir ${aside} && mv ${parts.map(quoted).join(" ")} ${aside}`;
}

export const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/** Makes the failure of one session whose saved state cannot be read; the others are not touched by it. */
export function brokenSession(session: string, file: string, cause: unknown): StoreFailure {
  const why = cause instanceof Error ? cause.message : String(cause);
  const message = `${file}: session ${session} cannot be continued: its saved state is damaged (${why}); other sessions are not affected`;
  const look = `\nagent sessions show ${session} still shows its messages and calls`;
  return new StoreFailure("corrupt", `${message}${look}`, { cause });
}

/** By the beginning of the code: SQLite's extended codes (SQLITE_IOERR_FSYNC) belong to their first part. */
const kinds: [prefix: string, kind: StoreFailureKind][] = [
  ["SQLITE_FULL", "full"],
  ["ENOSPC", "full"],
  ["EDQUOT", "full"],
  ["SQLITE_READONLY", "read_only"],
  ["SQLITE_PERM", "read_only"],
  ["SQLITE_AUTH", "read_only"],
  ["EACCES", "read_only"],
  ["EPERM", "read_only"],
  ["EROFS", "read_only"],
  ["SQLITE_CORRUPT", "corrupt"],
  ["SQLITE_NOTADB", "corrupt"],
  ["SQLITE_FORMAT", "corrupt"],
  ["SQLITE_IOERR", "io"],
  ["SQLITE_CANTOPEN", "io"],
  ["SQLITE_NOMEM", "io"],
  ["SQLITE_TOOBIG", "unserialisable"],
  ["E", "io"],
];

/** Node's own complaints (ERR_INVALID_STATE) are of a caller that is wrong, not of a file. */
const isOfNode = (code: string): boolean => code.startsWith("ERR_");

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** Bytes without which nothing can be written: one page of shared memory. */
const leastRoom = 32 * 1024;

/** Another connection holds the lock, or so many want it that SQLite gave up its place: worth trying again. */
export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error));

/** SQLite found the file not to be as it should. */
export const isCorrupt = (error: unknown): boolean => /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(error));

/**
 * Turns a throw of the driver or the file system into one of the store's own failures; anything else (a defect of ours, a
 * StaleMove) comes back as it is.
 */
export function asStoreError(error: unknown, file: string): unknown {
  if (error instanceof StoreFailure || error instanceof SessionBusy) return error;
  if (isBusy(error)) return storeBusy(file, error);
  if (error instanceof NotLooked) return notLooked(file, error);
  const code = codeOf(error);
  const found = code === "" || isOfNode(code) ? undefined : kinds.find(([prefix]) => code.startsWith(prefix));
  if (found === undefined) return error;
  if (found[1] === "io" && mayOpenNoMore(error, code)) return tooFewDescriptors(file, error);
  return storeFailure(found[1] === "io" ? whyIo(dirname(file)) : found[1], file, error);
}

/** It is not damaged by that, and it is not known to be whole. */
const notLooked = (file: string, error: NotLooked): StoreFailure =>
  new StoreFailure(
    "io",
    `${file}: whether the store is whole could not be looked at, so nothing was done; try again (${error.message})`,
    { cause: error },
  );

/** SQLite has no code of its own for it: so it is the cause. */
function tooFewDescriptors(file: string, error: unknown): StoreFailure {
  const known = tooManyFilesText(error) !== undefined;
  const cause = known ? error : Object.assign(new Error("EMFILE", { cause: error }), { code: "EMFILE" });
  return new StoreFailure("io", `${file}: ${tooManyFilesText(cause) ?? ""}`, { cause });
}

/** Files that opening the store takes: the database, its log, its shared memory, and their folder. */
const opened = 4;

/** SQLite tells too few descriptors as a file that cannot be opened. They are counted on a file that nobody locks. */
function mayOpenNoMore(error: unknown, code: string): boolean {
  if (tooManyFilesText(error) !== undefined) return true;
  if (!code.startsWith("SQLITE_")) return false;
  const descriptors: number[] = [];
  try {
    while (descriptors.length < opened) descriptors.push(openSync("/dev/null", "r"));
    return false;
  } catch (error) {
    return ["EMFILE", "ENFILE"].includes(codeOf(error));
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}

/** SQLite tells a log or a shared memory file that cannot be made, or cannot grow, as an input/output error, whatever the reason. */
function whyIo(folder: string): StoreFailureKind {
  if (isFull(folder)) return "full";
  try {
    accessSync(folder, constants.W_OK);
    return "io";
  } catch (error) {
    return ["EROFS", "EACCES", "EPERM"].includes(codeOf(error)) ? "read_only" : "io";
  }
}

function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < leastRoom;
  } catch {
    return false;
  }
}

export const storeBusy = (file: string, cause?: unknown): SessionBusy =>
  new SessionBusy(`${file}: the store is busy: another process keeps it locked; try again when it has finished`, {
    cause,
    why: "locked",
  });
