import { isLockedSource } from "../../../files/locked-files.ts";

/** The work that the worker is given. */
export interface PackWork {
  /** Paths of the pack's two files, see files/bytes/pack-file.ts. */
  bytes: string;
  index: string;
}

/** One file whose content is to be kept: the one that was met under this path, and no other. */
export interface PackItem {
  path: string;
  ino: number;
  dev: number;
  size: number;
}

/** Asked with `id`, answered with the same. */
export type PackRequest = { id: number; items: PackItem[] };

/** `shas`: of each item, null where it is gone, was exchanged or cannot be read. `size`: bytes of the pack by now. */
export type PackAnswer =
  | { id: number; shas: (string | null)[]; size: number }
  | { id: number; failed: string; errno?: string };

/**
 * Plain JavaScript as text, so that it starts from a bundle as well. Reads and hashes files and appends what the pack does not
 * have yet, away from the thread that draws the screen. Everything is on disk when it answers: bytes first, then their names.
 */
export const packWorkerSource = String.raw`${isLockedSource}
const { parentPort, workerData } = require("node:worker_threads");
const { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } = require("node:fs");
const { createHash } = require("node:crypto");
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;
const append = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
const bytes = openSync(workerData.bytes, append, 0o600);
const index = openSync(workerData.index, append, 0o600);
const known = new Set();
const text = readFileSync(index, "latin1");
const whole = text.lastIndexOf("\n") + 1;
if (whole < text.length) ftruncateSync(index, whole);
for (const line of text.slice(0, whole).split("\n")) known.add(line.slice(0, 64));
let size = fstatSync(bytes).size;

function contentOf(item) {
  let fd;
  try {
    if (isLocked(item)) return undefined;
    fd = openSync(item.path, flags);
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.ino !== item.ino || stats.dev !== item.dev || stats.size !== item.size) return undefined;
    const content = readFileSync(fd);
    return content.length === item.size ? content : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function writeAll(fd, content) {
  for (let done = 0; done < content.length; ) done += writeSync(fd, content, done, content.length - done);
}

function pack(items) {
  const shas = [];
  let names = "";
  const added = [];
  try {
    for (const item of items) {
      const content = contentOf(item);
      const sha = content === undefined ? null : createHash("sha256").update(content).digest("hex");
      shas.push(sha);
      if (sha === null || known.has(sha)) continue;
      writeAll(bytes, content);
      names += sha + " " + size + " " + content.length + "\n";
      size += content.length;
      known.add(sha);
      added.push(sha);
    }
    if (names !== "") {
      fsyncSync(bytes);
      writeAll(index, Buffer.from(names, "latin1"));
      fsyncSync(index);
    }
  } catch (error) {
    for (const sha of added) known.delete(sha);
    size = fstatSync(bytes).size;
    throw error;
  }
  return shas;
}

parentPort.on("message", ({ id, items }) => {
  try {
    parentPort.postMessage({ id, shas: pack(items), size });
  } catch (error) {
    parentPort.postMessage({ id, failed: error.message, errno: error.code });
  }
});
`;
