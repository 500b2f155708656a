import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { PlannedScript } from "../../../../core/command.ts";
import { sha256 } from "../../../../core/json.ts";
import { kernelPath, longestPath } from "../../../../files/kernel-path.ts";
import { readUnlocked } from "../../../../files/locked-files.ts";

/** Larger files are bound by nothing: what they hold is not known. */
const maxFile = 16 * 1024 * 1024;
/** The most that one line may have hashed, in bytes and files: a plan is made in a moment. */
const mostOfLine = { bytes: 64 * 1024 * 1024, files: 1_000 };
/** A folder of more than this is not bound as a whole. */
const mostOfFolder = { bytes: 8 * 1024 * 1024, entries: 400, depth: 8 };
/** Of a longer file no text is looked into. */
const maxText = 1024 * 1024;

/** Reads and hashes what one line would run, each file once, and no more of it than is read in a moment. */
export class Binder {
  /** The things that could not be bound, in words for the person. */
  readonly warnings = new Set<string>();
  readonly #hashes = new Map<string, PlannedScript | undefined>();
  #bytes = mostOfLine.bytes;
  #files = mostOfLine.files;

  /** @param path absolute. @returns undefined where there is no such regular file, or too much was read already. */
  hashed(path: string): PlannedScript | undefined {
    const real = kernelPath("/", path);
    if (this.#hashes.has(real)) return this.#hashes.get(real);
    const bytes = this.#take(real);
    const found = bytes === undefined ? undefined : { path: real, sha: sha256(bytes) };
    this.#hashes.set(real, found);
    return found;
  }

  /** A folder by the names and bytes of all that is in it, links by where they lead; undefined where that is too much. */
  folder(path: string): PlannedScript | undefined {
    const real = kernelPath("/", path);
    const known = this.#hashes.get(`${real}/`);
    if (known !== undefined) return known;
    const rows: string[] = [];
    const left = { bytes: mostOfFolder.bytes, entries: mostOfFolder.entries };
    if (!this.#list(real, "", 0, rows, left)) return undefined;
    const found = { path: real, sha: sha256(rows.join("\n")) };
    this.#hashes.set(`${real}/`, found);
    return found;
  }

  text(path: string): string | undefined {
    const bytes = sizeOf(path) <= maxText ? this.#take(kernelPath("/", path)) : undefined;
    return bytes?.toString("utf8");
  }

  #list(folder: string, below: string, depth: number, rows: string[], left: { bytes: number; entries: number }) {
    if (depth > mostOfFolder.depth) return false;
    for (const entry of entriesOf(join(folder, below))) {
      left.entries -= 1;
      const name = below === "" ? entry.name : `${below}/${entry.name}`;
      const path = join(folder, name);
      if (entry.isDirectory()) {
        if (!this.#list(folder, name, depth + 1, rows, left)) return false;
        continue;
      }
      left.bytes -= Math.max(sizeOf(path), 0);
      if (left.entries < 0 || left.bytes < 0) return false;
      rows.push(`${name} ${kernelPath("/", path)} ${this.hashed(path)?.sha ?? "none"}`);
    }
    return left.entries >= 0;
  }

  #take(path: string): Buffer | undefined {
    const size = sizeOf(path);
    if (size < 0 || size > maxFile || size > this.#bytes || this.#files <= 0) return undefined;
    this.#bytes -= size;
    this.#files -= 1;
    try {
      return readUnlocked(path);
    } catch {
      return undefined; // who may not read it does not run it either
    }
  }
}

const entriesOf = (folder: string) => {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
};

/** Of a regular file, in bytes; else -1. */
function sizeOf(path: string): number {
  if (/^\/+(?:proc|dev|sys)(?:\/|$)/u.test(path)) return -1;
  try {
    const stats = statSync(path);
    return stats.isFile() ? stats.size : -1;
  } catch {
    return -1;
  }
}

export const isFile = (path: string): boolean => path.length <= longestPath && sizeOf(path) >= 0;

export function isFolder(path: string): boolean {
  try {
    return path.length <= longestPath && statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Names in a folder, in order; none where it cannot be read. */
export const namesIn = (folder: string): string[] => entriesOf(folder).map(({ name }) => name);
