import { lstatSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { kernelPath } from "../../../files/kernel-path.ts";

/** Folders where programs, tool chains and their headers are put for all users of a machine; but for settings, which may hold passwords. */
const tops = /^\/(?:usr|opt|nix\/store)\/(?!(?:local\/)?etc(?:\/|$))./u;
/** Folders where applications keep theirs, and what they note. */
const settings = /^\/opt\/(?:.*\/)?(?:etc|conf|config|var|log|secrets)(?:\/|$)/iu;
/** Folders where a person puts what no package brought: of root's own projects, too, root alone may change all. */
const byHand = /^\/(?:opt|usr\/local)\//u;

/** Tells whether a path may count as installed for all users of the machine, for an agent that runs as root or not. */
export const isPutForAll = (path: string, asRoot = process.getuid?.() === 0): boolean =>
  tops.test(path) && !settings.test(path) && !(asRoot && byHand.test(path));

/**
 * Tells whether a file was installed for all users of the machine: each of them may read it, root alone may change it, or put another one in the
 * place of a folder that it lies in, and no link leads to it.
 */
export const isOfMachine = (path: string, isTop: (path: string) => boolean = (one) => isPutForAll(one)): boolean =>
  isTop(path) && kernelPath("/", path) === path && isKept(path, isOpenFile) && foldersOf(path).every(isKeptFolder);

/** Says of folders below this one whether they, and it, were put there so, as a file by `isOfMachine`. */
export function foldersOfMachine(
  top: string,
  isTop: (path: string) => boolean = (one) => isPutForAll(one),
): (folder: string) => boolean {
  const isKeptTop = isTop(top) && kernelPath("/", top) === top && [top, ...foldersOf(top)].every(isKeptFolder);
  return (folder) => isKeptTop && isTop(folder) && isKeptFolder(folder);
}

const isOpenFile = (found: Stats): boolean => found.isFile() && (found.mode & 0o004) !== 0;
const isKeptFolder = (path: string): boolean =>
  isKept(path, (found) => found.isDirectory() && (found.mode & 0o001) !== 0);

function isKept(path: string, is: (found: Stats) => boolean): boolean {
  try {
    const found = lstatSync(path);
    return found.uid === 0 && (found.mode & 0o022) === 0 && is(found);
  } catch {
    return false; // not there, or not to be looked at
  }
}

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersOf(folder)];
}
