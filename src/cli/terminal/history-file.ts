import { constants } from "node:fs";
import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** The inputs of earlier sessions, in a file that only its owner can read. */
export interface HistoryFile {
  /** At most the last 500, oldest first, one after the other never the same. An unreadable file or line counts as empty. */
  load(): Promise<string[]>;
  /** Adds one input. Several processes may do so at once: each entry is one append. Throws what the file system throws. */
  add(input: string): Promise<void>;
  /** Takes these inputs out, wherever they came from. @returns how many lines it held of them. Throws what the file system throws. */
  forget(inputs: ReadonlySet<string>): Promise<number>;
}

const KEPT = 500;
/** Lines in the file at which `load` writes it anew. */
const REWRITE_AT = 2 * KEPT;
/** A longer input is not kept, in UTF-16 units: nobody wants a pasted file back by an arrow key. */
const LONGEST = 32_768;
/** A larger file is not ours; it is left as it is. Bytes. */
const LARGEST_FILE = 64 * 1024 * 1024;

/** History kept in `path`, one JSON string a line, so that an input of several lines stays one entry. */
export function openHistoryFile(path: string): HistoryFile {
  return {
    async load() {
      const lines = await readLines(path);
      const entries = lines.flatMap(parseEntry).filter((entry, index, all) => entry !== all[index - 1]);
      const kept = entries.slice(-KEPT);
      // Best effort: a history that cannot be shortened is still a history.
      if (lines.length > REWRITE_AT) await rewrite(path, kept).catch(() => undefined);
      return kept;
    },
    async forget(inputs) {
      const entries = (await readLines(path)).flatMap(parseEntry);
      const kept = entries.filter((entry) => !inputs.has(entry));
      if (kept.length < entries.length) await rewrite(path, kept);
      return entries.length - kept.length;
    },
    async add(input) {
      if (input.trim() === "" || input.length > LONGEST) return;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = await open(
        path,
        constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK,
        0o600,
      );
      try {
        const info = await file.stat();
        // A history that is sent to /dev/null is not kept, and the device's mode is not ours to change.
        if (!info.isFile()) return;
        if ((info.mode & 0o077) !== 0) await file.chmod(0o600);
        // The line end before it keeps a line that a crash cut off from swallowing this one.
        await file.write(`\n${toLine(input)}`);
      } finally {
        await file.close();
      }
    },
  };
}

function toLine(entry: string): string {
  return `${JSON.stringify(entry)}\n`;
}

async function readLines(path: string): Promise<string[]> {
  try {
    const info = await stat(path);
    if (!info.isFile() || info.size > LARGEST_FILE) return [];
    return (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}

function parseEntry(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" && entry.trim() !== "" ? [entry] : [];
  } catch {
    return [];
  }
}

async function rewrite(path: string, entries: string[]): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, entries.map(toLine).join(""), { mode: 0o600, flag: "wx" });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
