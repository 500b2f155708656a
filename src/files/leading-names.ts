import { lstatSync, readdirSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** A link, and a path that it leads to: the one that it names, and the one at the end where that is a link again. Absolute. */
export interface LeadingLink {
  path: string;
  to: string;
}

export interface LeadingNames {
  links: LeadingLink[];
  /** Of the files that were asked for and have more than one name: the one they were found by, by `fileId`. */
  files: Map<string, string>;
}

export interface LeadingLook {
  /** Looked through with all that lies below them, the nearest folders first. */
  roots: readonly string[];
  /** Of these only what lies in them, and below the names that are wanted. */
  above: readonly string[];
  /** Tells whether a name's file is to be known by its other names too, and a folder of `above` to be looked through. */
  isWanted(path: string): boolean;
}

/** Names of folders that nobody links from to protect them, and of those that have more files than all else. */
const passedBy =
  /^(?:node_modules|bower_components|venv|\.venv|site-packages|__pycache__|\.tox|\.nox|\.hg|\.svn|\.jj)$/iu;
const gitData = /^\.git$/iu;
const inGitData = /^(?:hooks|info)$/iu;

/** More folders, names and links than these are not looked at. */
export const mostLeading = { folders: 2_000, names: 20_000, links: 500 };

/** As long as a folder was changed less than this before it was read, its time does not tell whether it was changed since; milliseconds. */
const unsureMs = 2_000;

interface Folder {
  /** Of the folder as it was read; absent where it must be read again. */
  stamp?: string;
  links: string[];
  files: string[];
  folders: string[];
  names: number;
}

/** A file by what it is, whatever its name. */
export const fileId = ({ dev, ino }: Pick<Stats, "dev" | "ino">): string => `${dev}:${ino}`;

/**
 * Finds the links below some folders, and files with more than one name. Asked again it reads only the folders that were changed; where
 * links lead is found each time. Waits for nothing; what cannot be read has no links.
 */
export function leadingLook({ roots, above, isWanted }: LeadingLook): () => LeadingNames {
  const onlyAbove = new Set(above.filter((one) => !roots.includes(one)));
  let known = new Map<string, Folder>();
  return () => {
    const now = new Map<string, Folder>();
    let left = mostLeading.names;
    // The list grows as it is gone through: the folders of a level come before those below them.
    const queue = [...roots, ...onlyAbove];
    for (const path of queue) {
      if (now.size >= mostLeading.folders || left <= 0) break;
      const folder = now.has(path) ? undefined : readFolder(path, known.get(path), left, isWanted);
      if (folder === undefined) continue;
      now.set(path, folder);
      left -= folder.names;
      queue.push(...(onlyAbove.has(path) ? folder.folders.filter(isWanted) : folder.folders));
    }
    known = now;
    return foundIn(now.values());
  };
}

function foundIn(folders: Iterable<Folder>): LeadingNames {
  const found: LeadingNames = { links: [], files: new Map() };
  for (const { links, files } of folders) {
    for (const link of links) if (found.links.length < mostLeading.links) found.links.push(...leadsOf(link));
    for (const file of files) {
      const stats = look(file);
      if (stats?.isFile() === true && stats.nlink > 1) found.files.set(fileId(stats), file);
    }
  }
  return found;
}

function readFolder(
  path: string,
  known: Folder | undefined,
  most: number,
  isWanted: LeadingLook["isWanted"],
): Folder | undefined {
  const stats = look(path);
  if (stats?.isDirectory() !== true) return undefined;
  const stamp = `${fileId(stats)} ${stats.mtimeMs} ${stats.ctimeMs}`;
  if (known?.stamp === stamp && known.names <= most) return known;
  const isSure = Math.max(stats.mtimeMs, stats.ctimeMs) < Date.now() - unsureMs;
  const isGit = gitData.test(basename(path));
  const folder: Folder = { ...(isSure ? { stamp } : {}), links: [], files: [], folders: [], names: 0 };
  for (const entry of entriesOf(path).slice(0, most)) {
    folder.names += 1;
    const at = join(path, entry.name);
    if (entry.isSymbolicLink()) folder.links.push(at);
    else if (entry.isDirectory() && !passedBy.test(entry.name) && (!isGit || inGitData.test(entry.name)))
      folder.folders.push(at);
    else if (entry.isFile() && !isGit && isWanted(at)) folder.files.push(at);
  }
  return folder;
}

/**
 * Lists the places that a link leads to: the one it names, its folder's links resolved, and the one where that leads in the end. [] where it cannot
 * be told. Asked of many names that are no links: to look first is a tenth of what an error costs.
 */
export function leadsOf(path: string): LeadingLink[] {
  if (look(path)?.isSymbolicLink() !== true) return [];
  try {
    const named = realOrAsIs(resolve(dirname(path), readlinkSync(path)), true);
    const end = realOrAsIs(named);
    return [...new Set([named, end])].map((to) => ({ path, to }));
  } catch {
    return [];
  }
}

/** Real path by the nearest ancestor that exists; `isItself`: a link at its end is not followed. */
function realOrAsIs(path: string, isItself = false): string {
  if (!isItself) {
    try {
      return realpathSync.native(path);
    } catch {
      // what is not there yet may come to be
    }
  }
  const parent = dirname(path);
  return parent === path ? path : join(realOrAsIs(parent), basename(path));
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
