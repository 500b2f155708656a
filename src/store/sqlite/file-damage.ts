import { existsSync, statSync } from "node:fs";
import { uptime } from "node:os";
import { beginning } from "./read-aside.ts";

/** A file beside the store that says that there was something in it once; see `emptied`. */
export const madeMark = (file: string): string => `${file}-made`;

/**
 * Finds damage that SQLite itself would pass over, and that its own start would wipe out: it takes a file without bytes for a new one, and a lost
 * log for none. Asked before it is opened. Opens nothing; other processes may be writing.
 * @returns what is wrong, in words; undefined where nothing is.
 * @throws NotLooked where nobody can know: it may be opened then by nobody, for that would wipe out what there is to see
 */
export function damageBefore(file: string): string | undefined {
  return emptied(file) ?? lostLog(file);
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
 * @throws NotLooked
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
  const found = statSync(`${file}-shm`, { throwIfNoEntry: false });
  if (found === undefined || found.size < logIndex.bytes || found.mtimeMs < Date.now() - uptime() * 1000)
    return undefined;
  const bytes = beginning(`${file}-shm`, logIndex.bytes);
  if (bytes === undefined) return undefined;
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

/**
 * SQLite reads zeros where a file ends too soon. Asked of a file that nobody has to have opened.
 * @returns what is wrong, in words; undefined where nothing is, or where a log is there, which may hold the pages that are missing.
 */
export function cutOff(file: string): string | undefined {
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
  return tooShort(size, Math.max(wanted, Math.ceil(size / pageSize) * pageSize));
}

/** Asks one number of the connection, such as `PRAGMA page_count`. */
type Ask = (pragma: string) => number;

// Keeps store 5.
/**
 * The same of a file that a connection of this process has open: by its size, and by what SQLite knows of it. All pages must be in the
 * file, which is so as long as the log is empty, or was just copied into it whole.
 * Another process may copy its log into the file meanwhile, and take the log away: so it counts only where another look says the same.
 * @param settled a mark of the log; the file is judged only where it is the same before and after, so that nobody wrote meanwhile
 */
export function shorterThanTold(file: string, ask: Ask, settled: () => string | undefined): string | undefined {
  let seen = shorterNow(file, ask, settled);
  for (let looks = 1; seen !== undefined && looks < mostLooks; looks += 1) {
    Atomics.wait(never, 0, 0, betweenLooksMs);
    const again = shorterNow(file, ask, settled);
    if (again === seen) return seen;
    seen = again;
  }
  return undefined;
}

/** The number of looks at a file that seems too short, until two looks say the same: who writes all the time has no damage. */
const mostLooks = 5;
/** Milliseconds in which a copy of the log gets on. */
const betweenLooksMs = 50;
const never = new Int32Array(new SharedArrayBuffer(4));

function shorterNow(file: string, ask: Ask, settled: () => string | undefined): string | undefined {
  const before = settled();
  if (before === undefined) return undefined;
  const wanted = ask("PRAGMA page_count") * ask("PRAGMA page_size");
  const size = sizeOf(file) ?? 0;
  if (size >= wanted && size % ask("PRAGMA page_size") === 0) return undefined;
  return settled() === before ? tooShort(size, wanted) : undefined;
}

/** A mark for `shorterThanTold`: there is nothing in the log. */
export const withoutLog = (file: string): string | undefined =>
  (sizeOf(`${file}-wal`) ?? 0) > 0 ? undefined : "no log";

const tooShort = (size: number, wanted: number): string => `it is cut off: it has ${size} bytes, not ${wanted}`;

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;
