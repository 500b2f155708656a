import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Sha, sha256 } from "../../../core/json.ts";
import { readUnlocked } from "../../../files/locked-files.ts";

/** The files that are looked at for a change that nobody may make unasked. */
export interface ProtectedFiles {
  /** Hashes by path. */
  files: ReadonlyMap<string, Sha>;
  /** Places that hold more than is looked at. */
  cut: ReadonlySet<string>;
}

/** The number of files that are looked at in one place, and in all, and the size of the largest, in bytes: a folder of hooks has a few small ones. */
const mostInPlace = 2_000;
const mostFiles = 20_000;
const largest = 1_000_000;

/**
 * Hashes of all regular files at and below the places, links not followed. A file that is too large, or cannot be read, counts by
 * what a look at it tells.
 */
export function hashPlaces(places: readonly string[]): ProtectedFiles {
  const files = new Map<string, Sha>();
  const cut = new Set<string>();
  for (const place of places) {
    const found = new Map<string, Sha>();
    if (!addPlace(found, place, Math.min(mostInPlace, mostFiles - files.size))) cut.add(place);
    for (const [path, sha] of found) files.set(path, sha);
  }
  return { files, cut };
}

/** @returns whether it was looked at to its end. */
function addPlace(found: Map<string, Sha>, path: string, most: number): boolean {
  const stats = look(path);
  if (stats?.isDirectory() === true) return namesIn(path).every((name) => addPlace(found, join(path, name), most));
  if (stats === undefined) return true;
  if (found.size >= most) return false;
  if (stats.isFile()) found.set(path, stats.size > largest ? markOf(stats) : contentOf(path, stats));
  else if (stats.isSymbolicLink()) found.set(path, markOf(stats));
  return true;
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
    return sha256(readUnlocked(path));
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

/** Paths of one that are not in the other, or not the same there; and places that hold too much only now. */
export const changedPlaces = (before: ProtectedFiles, after: ProtectedFiles): string[] => [
  ...[...after.cut].filter((place) => !before.cut.has(place)),
  ...[...new Set([...before.files.keys(), ...after.files.keys()])]
    .filter((path) => before.files.get(path) !== after.files.get(path))
    .sort(),
];
