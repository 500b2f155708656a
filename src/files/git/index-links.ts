import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { bytesAt, NotFollowed, textOf } from "./bounded-text.ts";

/** Of the largest repositories that are known it has 100 MB; in bytes. */
const mostBytes = 256_000_000;
/** Git itself removes those that it does not use any more. */
const mostShared = 20;
/** The number of indexes that are remembered. */
const mostKnown = 200;
const gitlink = 0o160000;
const kindBits = 0o170000;

const known = new Map<string, { mark: string; links: readonly string[] }>();

/**
 * Folders that a repository's index has as other repositories: git goes into each of them to tell its state, named in `.gitmodules` or
 * not. Relative to the root, as `gitformat-index` has them; the parts of a split index are read too.
 * @param own where the data of the working tree is. @param hashBytes how long a hash is: 20, or 32 for sha256.
 * @throws NotFollowed where it cannot be read.
 */
export function indexLinks(own: string, hashBytes: 20 | 32): string[] {
  return [join(own, "index"), ...sharedIn(own)].flatMap((file) => linksOf(file, hashBytes));
}

function sharedIn(own: string): string[] {
  const names = namesIn(own).filter((name) => name.startsWith("sharedindex."));
  if (names.length > mostShared) throw new NotFollowed(own);
  return names.map((name) => join(own, name));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Read once, and again where the file is another one. */
function linksOf(file: string, hashBytes: 20 | 32): readonly string[] {
  const mark = markOf(file, hashBytes);
  const old = known.get(file);
  if (old !== undefined && old.mark === mark) return old.links;
  const bytes = bytesAt(file, mostBytes);
  const links = bytes === undefined ? [] : readLinks(bytes, hashBytes, file);
  if (known.size >= mostKnown) known.clear();
  if (mark !== undefined) known.set(file, { mark, links });
  return links;
}

/** Undefined where the next change may leave no other mark. */
function markOf(file: string, hashBytes: number): string | undefined {
  try {
    const { ino, dev, size, mtimeMs, ctimeMs } = statSync(file);
    const isSettled = Date.now() - Math.max(mtimeMs, ctimeMs) > 1_000;
    return isSettled ? [hashBytes, dev, ino, size, mtimeMs, ctimeMs].join(" ") : undefined;
  } catch {
    return undefined;
  }
}

function readLinks(bytes: Buffer, hashBytes: number, file: string): string[] {
  if (bytes.length < 12 || bytes.toString("latin1", 0, 4) !== "DIRC") throw new NotFollowed(file);
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) throw new NotFollowed(file);
  const links: string[] = [];
  let name: Buffer = Buffer.alloc(0);
  for (let at = 12, left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const read = readEntry(bytes, at, { version, hashBytes, before: name });
    if (read === undefined) throw new NotFollowed(file);
    ({ name, next: at } = read);
    if ((bytes.readUInt32BE(read.at + modeAt) & kindBits) === gitlink) links.push(textOf(name, file));
  }
  return links;
}

/** The offset of an entry's kind, and the number of bytes before its hash. */
const modeAt = 24;
const beforeHash = 40;

/** Undefined where the bytes end before it does. */
function readEntry(
  bytes: Buffer,
  at: number,
  { version, hashBytes, before }: { version: number; hashBytes: number; before: Buffer },
): (Name & { at: number }) | undefined {
  const flagsAt = at + beforeHash + hashBytes;
  if (flagsAt + 4 > bytes.length) return undefined;
  const isLong = version >= 3 && (bytes.readUInt16BE(flagsAt) & 0x4000) !== 0;
  const nameAt = flagsAt + (isLong ? 4 : 2);
  const read = version === 4 ? shortened(bytes, nameAt, before) : whole(bytes, at, nameAt);
  return read === undefined ? undefined : { ...read, at };
}

interface Name {
  name: Buffer;
  /** The offset at which the next entry begins. */
  next: number;
}

/** Each entry is filled up with zeros to a multiple of eight. */
function whole(bytes: Buffer, at: number, nameAt: number): Name | undefined {
  const end = bytes.indexOf(0, nameAt);
  return end < 0 ? undefined : { name: bytes.subarray(nameAt, end), next: at + ((end - at + 8) & ~7) };
}

/** In version 4 a name says how many bytes of the one before are left out at its end, and what follows. */
function shortened(bytes: Buffer, nameAt: number, before: Buffer): Name | undefined {
  let at = nameAt;
  let byte = bytes[at] ?? 0;
  let less = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    if (at >= bytes.length) return undefined;
    byte = bytes[at] ?? 0;
    less = (less + 1) * 128 + (byte & 0x7f);
  }
  const end = bytes.indexOf(0, at + 1);
  if (end < 0 || less > before.length) return undefined;
  const kept = before.subarray(0, before.length - less);
  return { name: Buffer.concat([kept, bytes.subarray(at + 1, end)]), next: end + 1 };
}
