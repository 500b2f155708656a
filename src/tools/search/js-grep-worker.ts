import { isLockedSource } from "../../files/locked-files.ts";

/** What the worker is given. */
export interface GrepWork {
  source: string;
  flags: string;
  /** Absolute, in the order to search. */
  files: string[];
  /** The one file was asked for by name: a binary one is told of, not passed over. */
  isExplicit: boolean;
  context: number;
  /** Matching lines after which to stop. */
  stopAt: number;
  maxFileBytes: number;
}

/** A matching file. Lines are cut to a window around the match, which `at` gives in it. */
export interface WorkedFile {
  path: string;
  isBinary: boolean;
  lines: { line: number; text: string; at: number; isMatch: boolean; head: boolean; tail: boolean }[];
}

export type WorkerMessage =
  | { type: "file"; file: WorkedFile }
  | { type: "done"; full: boolean; unreadable: number; tooLarge: number };

/**
 * Plain JavaScript as text, so that it starts from a bundle as well. It runs a pattern of the model over files, one by one,
 * where it can be ended: a pattern may take for ever on one line. Special files are opened without blocking and passed over, and so is what is
 * not where its path says when it is open.
 */
export const grepWorkerSource = String.raw`${isLockedSource}
const { parentPort, workerData } = require("node:worker_threads");
const { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readlinkSync, realpathSync } = require("node:fs");
const { source, flags, files, isExplicit, context, stopAt, maxFileBytes } = workerData;
const pattern = new RegExp(source, flags);
const openFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
let matches = 0;
let unreadable = 0;
let tooLarge = 0;

function openedPath(fd, path) {
  try {
    return readlinkSync("/proc/self/fd/" + fd);
  } catch {
    return realpathSync(path);
  }
}

function readBytes(path) {
  let fd;
  try {
    if (isLocked(lstatSync(path))) return undefined;
    fd = openSync(path, openFlags);
    const stats = fstatSync(fd);
    if (!stats.isFile() || openedPath(fd, path) !== path) return undefined;
    if (stats.size > maxFileBytes) {
      tooLarge += 1;
      return undefined;
    }
    return readFileSync(fd);
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "ELOOP" && error.code !== "ENXIO") unreadable += 1;
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function decode(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes), isBinary: false };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    const swapped = Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
    return { text: new TextDecoder("utf-16le").decode(swapped), isBinary: false };
  }
  return { text: new TextDecoder("utf-8").decode(bytes), isBinary: bytes.includes(0) };
}

function lineAt(lines, i, at, isMatch) {
  const text = lines[i];
  const from = Math.max(0, at - 1000);
  const cut = text.slice(from, from + 3000);
  return { line: i + 1, text: cut, at: at - from, isMatch, head: from > 0, tail: from + cut.length < text.length };
}

function search(path) {
  const bytes = readBytes(path);
  if (bytes === undefined) return undefined;
  const { text, isBinary } = decode(bytes);
  if (isBinary && !isExplicit) return undefined;
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  const shown = new Map();
  for (let i = 0; i < lines.length && matches <= stopAt; i++) {
    const found = pattern.exec(lines[i]);
    if (found === null) continue;
    matches += 1;
    if (isBinary) return { path, isBinary, lines: [lineAt(lines, i, 0, true)] };
    for (let j = Math.max(0, i - context); j <= Math.min(lines.length - 1, i + context); j++)
      if (j === i) shown.set(i, lineAt(lines, i, found.index, true));
      else if (!shown.has(j)) shown.set(j, lineAt(lines, j, 0, false));
  }
  if (shown.size === 0) return undefined;
  return { path, isBinary, lines: [...shown.values()].sort((a, b) => a.line - b.line) };
}

for (const path of files) {
  if (matches > stopAt) break;
  const file = search(path);
  if (file !== undefined) parentPort.postMessage({ type: "file", file });
}
parentPort.postMessage({ type: "done", full: matches > stopAt, unreadable, tooLarge });
`;
