import { constants, fstatSync, readSync, statSync } from "node:fs";
import { errnoOf } from "../../core/errno.ts";
import { closeUnlocked, openUnlocked } from "../locked-files.ts";

/** Thrown where something that git would read cannot be followed to its end: it may run anything. */
export class NotFollowed extends Error {}

/** A file of git's settings, or one that leads somewhere, is never larger: in bytes. */
const mostText = 1_000_000;

/** The text of a file, links followed; undefined where there is none. Waits for nothing. @throws NotFollowed where it cannot be read. */
export function textAt(path: string): string | undefined {
  const bytes = bytesAt(path, mostText);
  return bytes === undefined ? undefined : textOf(bytes, path);
}

/** @throws NotFollowed where the bytes are no UTF-8: a name in them could not be given back to git as it is. */
export function textOf(bytes: Buffer, path: string): string {
  const text = bytes.toString("utf8");
  if (text.includes("\uFFFD")) throw new NotFollowed(path);
  return text;
}

/** The same as bytes. @param most how many there may be. */
export function bytesAt(path: string, most: number): Buffer | undefined {
  let file: number | undefined;
  try {
    // One that is none is not opened: who waits behind it would be woken.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new NotFollowed(path);
    file = openUnlocked(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > most) throw new NotFollowed(path);
    return readAll(file, stats.size);
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return undefined;
    throw error instanceof NotFollowed ? error : new NotFollowed(path, { cause: error });
  } finally {
    if (file !== undefined) closeUnlocked(file);
  }
}

function readAll(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const read = readSync(file, bytes, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}
