import { lstatSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { kernelPath } from "../../../files/kernel-path.ts";

/** Where programs, tool chains and their headers are put for all users of a machine; but for settings, which may hold passwords. */
const tops = /^\/(?:usr|opt|nix\/store)\/(?!(?:local\/)?etc(?:\/|$))./u;

/**
 * Whether a file was installed for all users of the machine: each of them may read it, root alone may change it, or put another one in the
 * place of a folder that it lies in, and no link leads to it.
 */
export const isOfMachine = (path: string, isTop: (path: string) => boolean = (one) => tops.test(one)): boolean =>
  isTop(path) && kernelPath("/", path) === path && isKept(path, isOpenFile) && foldersOf(path).every(isKeptFolder);

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
