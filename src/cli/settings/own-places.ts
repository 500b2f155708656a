import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInside } from "../../files/boundary.ts";
import { fileId, leadsOf } from "../../files/leading-names.ts";
import type { Places } from "./places.ts";

/** The program's own places as they lie now, by whatever names they are reached. */
export interface OwnPlaces {
  /** Absolute: each as it is named and as it leads, with what links on the way name. */
  roots: string[];
  /** The settings among them that decide about calls. */
  settings: string[];
  /** Of files with more than one name, by `fileId`. */
  files: Map<string, string>;
}

/** Links are followed so often; deeper and more of them nobody keeps in a folder of settings. */
const mostHops = 8;
const mostNames = 500;
const mostDepth = 3;
/** The folders that commands and defects leave there: no settings, and many files. */
const passedBy = new Set(["shell", "logs"]);
/** Of these there may be hundreds, each a folder: they take none of the room of the others, and are looked at themselves alone. */
const skills = "skills";

/**
 * Finds them anew: settings are often links to where a person keeps them, and are made while the program runs.
 * @param others further files and folders of ours, absolute
 * @param workspace a link among the settings that leads to what holds it is none of ours
 */
export function ownPlaces(places: Places, others: readonly string[], workspace: string): OwnPlaces {
  const { configDir, dataDir, config, policy, grants, trust, servers, memories, database, logs, history, shell } =
    places;
  const files = [
    config,
    policy,
    grants,
    trust,
    servers,
    memories,
    database,
    `${database}-wal`,
    `${database}-shm`,
    history,
  ];
  const waysOf = waysWith(new Map());
  const whole = [...files, ...others].map((path) => ({ path, isPlain: isPlain(path) }));
  const waysOfFile = ({ path, isPlain }: (typeof whole)[number]) => waysOf(path, isPlain);
  // Both folders are one where `AGENT_HOME` is set.
  const folders = new Set([configDir, dataDir, logs, shell]);
  const named = [...[...folders].flatMap((path) => waysOf(path)), ...whole.flatMap(waysOfFile)];
  const linked = linksBelow(configDir, 0, { names: 0 })
    .flatMap((path) => waysOf(path))
    .filter((path) => !isInside(path, workspace));
  return {
    roots: [...new Set([...named, ...linked])],
    settings: [...new Set(whole.filter(({ path }) => path === config || path === policy).flatMap(waysOfFile))],
    files: new Map(whole.flatMap(({ path, isPlain }) => (isPlain ? [] : otherFile(path)))),
  };
}

/** Neither a link nor a file with other names, or not there: it leads nowhere, and one look tells so. There may be hundreds of them. */
function isPlain(path: string): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined || stats.isDirectory() || (stats.isFile() && stats.nlink < 2);
  } catch {
    return false;
  }
}

/** A path, its folder's links resolved, and all that it leads to. @param folders where they lead, as far as it was looked for in this moment */
const waysWith =
  (folders: Map<string, string>) =>
  (path: string, isPlain = false): string[] => {
    const folder = dirname(path);
    const real = folders.get(folder) ?? realOrAsIs(folder);
    folders.set(folder, real);
    const found = [join(real, basename(path))];
    if (isPlain) return found;
    for (const at of found) {
      if (found.length > mostHops) break;
      found.push(...leadsOf(at).flatMap(({ to }) => (found.includes(to) ? [] : [to])));
    }
    return found;
  };

function otherFile(path: string): [id: string, path: string][] {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() !== true || stats.nlink < 2) return [];
    return [[fileId(stats), realpathSync.native(path)]];
  } catch {
    return []; // not there
  }
}

function linksBelow(folder: string, depth: number, seen: { names: number }): string[] {
  if (depth >= mostDepth) return [];
  return entriesOf(folder).flatMap((entry) => {
    seen.names += 1;
    if (seen.names > mostNames || passedBy.has(entry.name)) return [];
    const isLink = entry.isSymbolicLink();
    if (!isLink && (!entry.isDirectory() || depth + 1 >= mostDepth)) return [];
    const path = join(folder, entry.name);
    if (isLink) return [path];
    return depth === 0 && entry.name === skills
      ? linksBelow(path, mostDepth - 1, { names: 0 })
      : linksBelow(path, depth + 1, seen);
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Real path by the nearest existing ancestor: a state folder that is yet to be made is sealed too. */
export function realOrAsIs(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOrAsIs(parent), basename(path));
  }
}
