import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { uptime } from "node:os";

/** A file beside the store that says that there was something in it once; see `emptied`. */
export const madeMark = (file: string): string => `${file}-made`;

/**
 * What SQLite itself would pass over: it takes a file without bytes for a new one, a lost log for none, and reads zeros where a file
 * ends too soon. Reads only; other processes may be writing.
 * @returns what is wrong, in words; undefined where nothing is.
 */
export function fileDamage(file: string): string | undefined {
  return emptied(file) ?? lostLog(file) ?? cutOff(file);
}

/** The mark is made after the store has its tables, and taken away before a new file is: so no store that is being made has both. */
function emptied(file: string): string | undefined {
  return sizeOf(file) === 0 && existsSync(madeMark(file)) ? "it is empty, and was a store before" : undefined;
}

/** SQLite's index of the log: a header twice, behind them how much of the log is in the file already. */
const logIndex = { version: 3_007_000, header: 48, isMade: 12, pageSize: 14, frames: 16, copied: 96, bytes: 136 };
const logHeader = 32;
const frameHeader = 24;

/**
 * A process that died leaves the log and its index. An index that knows more of the log than there is means that the log was
 * removed or cut, and with it what was committed. An index from before the machine started says nothing: a power cut may keep it and
 * take the log's unsynced end, which nobody was promised.
 */
export function lostLog(file: string): string | undefined {
  const index = logIndexOf(file);
  if (index === undefined || index.frames <= index.copied) return undefined;
  const size = sizeOf(`${file}-wal`) ?? 0;
  if (size >= logHeader + index.frames * (index.pageSize + frameHeader)) return undefined;
  // A process that empties the log says so in the index first.
  if (!logIndexOf(file)?.bytes.equals(index.bytes)) return undefined;
  return size === 0 ? "its log is gone, with what was written last" : "its log is cut off, with what was written last";
}

function logIndexOf(file: string): { bytes: Buffer; pageSize: number; frames: number; copied: number } | undefined {
  const bytes = beginning(`${file}-shm`, logIndex.bytes);
  const found = statSync(`${file}-shm`, { throwIfNoEntry: false });
  if (bytes === undefined || found === undefined || found.mtimeMs < Date.now() - uptime() * 1000) return undefined;
  const { header } = logIndex;
  const twice = bytes.subarray(0, header).equals(bytes.subarray(header, 2 * header));
  if (!twice || number32(bytes, 0) !== logIndex.version || bytes[logIndex.isMade] !== 1) return undefined;
  return {
    bytes,
    pageSize: pageSizeOf(isLittle ? bytes.readUInt16LE(logIndex.pageSize) : bytes.readUInt16BE(logIndex.pageSize)),
    frames: number32(bytes, logIndex.frames),
    copied: number32(bytes, logIndex.copied),
  };
}

/** The index is memory that processes share, so its numbers are the machine's own. */
const isLittle = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
const number32 = (bytes: Buffer, at: number): number => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
const pageSizeOf = (told: number): number => (told === 1 ? 65_536 : told);

/** SQLite's header: the size of a page, the number of pages, and whether that number holds: two counters that are equal then. */
const header = { magic: "SQLite format 3\0", pageSize: 16, pages: 28, changes: 24, changesThen: 92, bytes: 100 };

/** Where a log is there it may hold the pages that are missing. */
function cutOff(file: string): string | undefined {
  if ((sizeOf(`${file}-wal`) ?? 0) > 0) return undefined;
  const bytes = beginning(file, header.bytes);
  const size = sizeOf(file) ?? 0;
  if (bytes === undefined || bytes.toString("latin1", 0, 16) !== header.magic) return undefined;
  const pageSize = pageSizeOf(bytes.readUInt16BE(header.pageSize));
  if (pageSize < 512) return undefined;
  const holds = bytes.readUInt32BE(header.changes) === bytes.readUInt32BE(header.changesThen);
  const wanted = holds ? bytes.readUInt32BE(header.pages) * pageSize : size;
  if (size >= wanted && size % pageSize === 0) return undefined;
  // Another process may be making it smaller: it writes the header first.
  if (!beginning(file, header.bytes)?.equals(bytes) || (sizeOf(`${file}-wal`) ?? 0) > 0) return undefined;
  return `it is cut off: it has ${size} bytes, not ${Math.max(wanted, Math.ceil(size / pageSize) * pageSize)}`;
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;

/** Undefined where there is less than that, or nothing that can be read: then opening it says why. */
function beginning(path: string, length: number): Buffer | undefined {
  if ((sizeOf(path) ?? 0) < length) return undefined;
  try {
    const fd = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(length);
      return readSync(fd, bytes, 0, length, 0) === length ? bytes : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
