import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Sha, sha256 } from "../../../core/json.ts";

/** Which files are looked at for a change that nobody may make unasked: hashes by path. */
export type ProtectedFiles = ReadonlyMap<string, Sha>;

/** How many are looked at, and how large one may be, in bytes: a folder of hooks has a few small ones. */
const mostFiles = 2_000;
const largest = 1_000_000;

/**
 * Hashes of all regular files at and below the places, links not followed. A file that is too large, or cannot be read, counts by
 * what a look at it tells.
 */
export function hashPlaces(places: readonly string[]): ProtectedFiles {
  const found = new Map<string, Sha>();
  for (const place of places) addPlace(found, place);
  return found;
}

function addPlace(found: Map<string, Sha>, path: string): void {
  if (found.size >= mostFiles) return;
  const stats = look(path);
  if (stats?.isDirectory() === true) for (const name of namesIn(path)) addPlace(found, join(path, name));
  else if (stats?.isFile() === true) found.set(path, stats.size > largest ? markOf(stats) : contentOf(path, stats));
  else if (stats?.isSymbolicLink() === true) found.set(path, markOf(stats));
}

function look(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

const markOf = ({ ino, size, mtimeMs, ctimeMs }: NonNullable<ReturnType<typeof look>>): string =>
  sha256([ino, size, mtimeMs, ctimeMs].join(" "));

function contentOf(path: string, stats: NonNullable<ReturnType<typeof look>>): Sha {
  try {
    return sha256(readFileSync(path));
  } catch {
    return markOf(stats);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Paths of one that are not in the other, or not the same there. */
export const changedPlaces = (before: ProtectedFiles, after: ProtectedFiles): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).sort();
