import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { type Sha, sha256 } from "../../core/json.ts";

/**
 * Contents one after another in `BASE.bytes`, each named once in `BASE.index` by a line `sha offset length`. Both only grow, and
 * the bytes are on disk before their line is: what the index names is there, unless somebody cut it. A last line without its end
 * was cut off by a death and counts as not written.
 */
export interface Pack {
  has(sha: Sha): boolean;
  /** A whole content, compared with its name; undefined where it is not there, or no longer what it was. */
  read(sha: Sha): Buffer | undefined;
}

/** The folder of all sessions' packs, beside the store; undefined for a store that is in memory, or not named by its whole path. */
export const packFolder = (storeFile: string): string | undefined =>
  isAbsolute(storeFile) ? join(dirname(storeFile), "kept") : undefined;

/** The two files of a pack. */
export const packFiles = (base: string): { bytes: string; index: string } => ({
  bytes: `${base}.bytes`,
  index: `${base}.index`,
});

/** Reads a pack that may still grow, or be gone. What cannot be read is not there; without a path nothing is. */
export function readPack(base: string | undefined): Pack {
  if (base === undefined) return { has: () => false, read: () => undefined };
  const { bytes, index } = packFiles(base);
  let places = new Map<Sha, Place>();
  let size = 0;
  const placeOf = (sha: Sha): Place | undefined => {
    const now = statSync(index, { throwIfNoEntry: false })?.size ?? 0;
    if (now !== size) places = readIndex(index);
    size = now;
    return places.get(sha);
  };
  return {
    has: (sha) => placeOf(sha) !== undefined,
    read: (sha) => {
      const place = placeOf(sha);
      const content = place && readAt(bytes, place);
      return content !== undefined && sha256(content) === sha ? content : undefined;
    },
  };
}

/**
 * Makes a pack of what another one has of these contents; none where it has nothing. On disk when it returns: bytes first, then
 * their names. @throws where there is a pack already, and what the file system throws.
 */
export function copyPack(from: Pack, base: string, shas: Iterable<Sha>): void {
  const named = [...new Set(shas)].filter((sha) => from.has(sha));
  if (named.length === 0) return;
  const { bytes, index } = packFiles(base);
  let names = "";
  let size = 0;
  writeNew(bytes, (write) => {
    for (const sha of named) {
      const content = from.read(sha);
      if (content === undefined) continue;
      write(content);
      names += `${sha} ${size} ${content.length}\n`;
      size += content.length;
    }
  });
  writeNew(index, (write) => write(Buffer.from(names, "latin1")));
  const folder = openSync(dirname(base), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(folder); // their names
  } finally {
    closeSync(folder);
  }
}

function writeNew(file: string, fill: (write: (content: Uint8Array) => void) => void): void {
  const fd = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    fill((content) => {
      for (let done = 0; done < content.length; ) done += writeSync(fd, content, done);
    });
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

interface Place {
  offset: number;
  length: number;
}

const indexLine = /^([0-9a-f]{64}) (\d{1,15}) (\d{1,9})$/u;

function readIndex(file: string): Map<Sha, Place> {
  const places = new Map<Sha, Place>();
  for (const line of textOf(file).split("\n").slice(0, -1)) {
    const [, sha, offset, length] = indexLine.exec(line) ?? [];
    if (sha !== undefined) places.set(sha, { offset: Number(offset), length: Number(length) });
  }
  return places;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

function readAt(file: string, { offset, length }: Place): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    if (fstatSync(fd).size < offset + length) return undefined;
    const content = Buffer.alloc(length);
    return readSync(fd, content, 0, length, offset) === length ? content : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
