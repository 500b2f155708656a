import type { Dirent } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import type { ClosedPlaces } from "../../../core/tool.ts";
import { innermost } from "../../../files/boundary.ts";
import { fileId } from "../../../files/leading-names.ts";
import { isStream } from "../../../files/streams.ts";
import { entriesOf, lookAt, realOf } from "./closed-below.ts";
import { holdUnnamed } from "./unnamed-places.ts";

/** The number of names that are looked through for a command that goes through folders. */
export const mostEntries = 200_000;
/** So many names of one folder are looked at in any case: folders of programs hold some thousands. */
export const mostOfFolder = 20_000;
/** So much of what is closed is looked at for its other names. */
export const mostTwins = 5_000;

/** Packages of others, and git's own data, which its commands read in other ways: neither is looked through. */
export const notLookedThrough = new Set([".git", "node_modules"]);

/** Folders of version control, and ours: what is in them is told by other ways, or by none. */
export const versionFolders = [".git", ".hg", ".jj", ".svn", ".holdfast"];

/** The limits of the look. */
interface Depth {
  /** After so many names no more folders are looked through. */
  most: number;
  /** Tells whether a folder is not looked through, by its path. */
  isLeft(folder: string): boolean;
  /** Links are not followed: all that they lead to there is looked at by its own name, or not shown. */
  leavesLinks?: true;
  /** A folder that was listed before: its names are not counted. */
  uncounted?: string | undefined;
}

const allButPackages: Depth = { most: mostEntries, isLeft: (folder) => notLookedThrough.has(basename(folder)) };

/** The places in folders that are not to be come upon there. */
interface Closed {
  /** By their real paths, the outermost of each. */
  places: string[];
  /** Folders that are told apart by their names. */
  apart: string[];
  /** FIFOs, sockets and devices: that a place is only read keeps nobody from writing to what waits there. */
  streams: string[];
  /** There was more than is looked through, or something that no text names. */
  isCut: boolean;
  /** Folders of something that is closed, or may hold such, and that no mount can name: its name is no text. */
  unnamed: string[];
  /** Not all that is closed was looked at for its other names. */
  isTwinsCut: boolean;
  /** Folders that it was too much for, the deepest of all: each other one was looked through before. */
  left: string[];
  /** Folders that were begun, and are not known whole: of more names than are looked at, or of `unnamed`. */
  begun: string[];
  /** The number of names that were looked at. */
  seen: number;
}

interface Looking {
  isClosed: ClosedPlaces["isClosed"];
  roots: readonly string[];
  apart: readonly string[];
  depth: Depth;
  found: { places: Set<string>; apart: Set<string>; streams: Set<string> };
  files: string[];
  folders: string[];
  met: Set<string>;
}

/**
 * Finds the places of these folders that are not read unasked: guarded ones, and those that a rule denies or asks about, each with the other names of
 * its file there. The target of a link of theirs counts as lying in them, as far as that is in a root. Places that lie less deep are looked at first.
 * @param apart names of folders that are told apart, and not looked through
 */
export function closedIn(
  folders: readonly string[],
  { isClosed }: Pick<ClosedPlaces, "isClosed">,
  roots: readonly string[],
  apart: readonly string[] = [],
  depth: Depth = allButPackages,
): Closed {
  const found = { places: new Set<string>(), apart: new Set<string>(), streams: new Set<string>() };
  const ways = { folders: [...folders], met: new Set(folders) };
  const { most } = depth;
  const looking: Looking = { isClosed, roots, apart, depth, found, files: [], ...ways };
  const unnamed: string[] = [];
  const cut: string[] = [];
  let seen = 0;
  let next = 0;
  for (; next < ways.folders.length && seen <= most; next += 1) {
    const folder = ways.folders[next] ?? "";
    const room = Math.max(most - seen, mostOfFolder);
    const entries = entriesOf(folder, room + 1);
    if (folder !== depth.uncounted) seen += entries.length;
    if (entries.length > room) cut.push(folder);
    if (apart.includes(".git") && !folders.includes(folder) && isGitsData(entries)) {
      found.apart.add(folder);
      continue;
    }
    if (holdUnnamed(folder, entries, looking)) unnamed.push(folder);
    for (const entry of entries) take(entry, join(folder, entry.name), looking);
  }
  const twins = twinsOf(found.places, looking.files);
  const places = [...found.places, ...twins.places];
  const isCut = seen > most || twins.isCut || unnamed.length > 0;
  const [left, begun] = [ways.folders.slice(next), [...unnamed, ...cut]];
  const [others, streams] = [[...found.apart], [...found.streams]];
  return { places, apart: others, streams, isCut, isTwinsCut: twins.isCut, left, begun, unnamed, seen };
}

/** Tells whether it is a folder of git's data, whatever its name is. */
export const holdsGitsData = (folder: string): boolean => holdsGits((name) => lookAt(join(folder, name)) !== undefined);

/** Whose `.git` may be a file that names it. */
function isGitsData(entries: readonly Dirent[]): boolean {
  const names = new Set(entries.map(({ name }) => name.toLowerCase()));
  return holdsGits((name) => names.has(name.toLowerCase()));
}

const holdsGits = (has: (name: string) => boolean): boolean =>
  (has("HEAD") || has("config")) && ((has("objects") && has("refs")) || has("commondir"));

function take(entry: Dirent, path: string, looking: Looking): void {
  const { isClosed, apart, depth, found, files } = looking;
  if (apart.includes(entry.name)) found.apart.add(path);
  else if (isClosed(path)) close(path, entry, looking);
  else if (entry.isSymbolicLink()) follow(path, looking);
  else if (entry.isFile()) files.push(path);
  else if (isStream(entry)) found.streams.add(path);
  else if (entry.isDirectory() && !depth.isLeft(path)) meet(path, looking);
}

/** With what it leads to, where it is a link: that is not told apart from it. */
function close(path: string, entry: Dirent, { found, roots }: Looking): void {
  found.places.add(path);
  const real = entry.isSymbolicLink() ? realOf(path) : undefined;
  if (real !== undefined && innermost(roots, real) !== undefined) found.places.add(real);
}

function meet(folder: string, { folders, met }: Looking): void {
  if (!met.has(folder)) folders.push(folder);
  met.add(folder);
}

/** Some programs follow a link, some do not. */
function follow(link: string, looking: Looking): void {
  const { isClosed, roots, apart, depth, found } = looking;
  const real = depth.leavesLinks === true ? undefined : realOf(link);
  const root = real === undefined ? undefined : innermost(roots, real);
  if (real === undefined || root === undefined) return;
  const names = relative(root, real).split(sep);
  const at = names.findIndex((name) => apart.includes(name));
  if (at >= 0) found.apart.add(join(root, ...names.slice(0, at + 1)));
  else if (isClosed(real)) found.places.add(real);
  else met(real, lookAt(real), looking);
}

function met(real: string, at: ReturnType<typeof lookAt>, looking: Looking): void {
  if (at?.isDirectory() === true) meet(real, looking);
  else if (at !== undefined && isStream(at)) looking.found.streams.add(real);
}

/** Those of the files that are one of the closed ones, by another name. */
function twinsOf(closed: ReadonlySet<string>, files: readonly string[]): { places: string[]; isCut: boolean } {
  const ids = new Set<string>();
  const left = [...closed];
  let seen = 0;
  for (; left.length > 0 && seen < mostTwins; seen += 1) {
    const path = left.pop() ?? "";
    const id = idOfMany(path);
    if (id !== undefined) ids.add(id);
    else if (lookAt(path)?.isDirectory() === true)
      left.push(...entriesOf(path, mostTwins).map(({ name }) => join(path, name)));
  }
  const places = ids.size === 0 ? [] : files.filter((path) => ids.has(idOfMany(path) ?? ""));
  return { places, isCut: left.length > 0 };
}

/** Returns the id of a file with more than one name. */
function idOfMany(path: string): string | undefined {
  const found = lookAt(path);
  return found?.isFile() === true && found.nlink > 1 ? fileId(found) : undefined;
}
