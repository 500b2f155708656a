import { statSync } from "node:fs";
import { kernelPath, longestPath } from "../../files/kernel-path.ts";
import type { Folders } from "./folders.ts";
import type { Words } from "./options.ts";
import type { Use } from "./programs.ts";

/**
 * Files that words of a program name of which it is not known what they mean: whole, or behind what joins an option, a revision or a
 * form's field to its value (`--env-file=.env`, `HEAD:.env`, `@.env`). They count as read. Words that name no file are none.
 */
export function mentionedFiles([, ...words]: Words, folders: Folders, workspace: string): Use[] {
  const paths = words.flatMap((word) => (word === null ? [] : [word, ...partsOf(word)]));
  return [...new Set(paths)]
    .filter((path) => isFile(path, folders ?? [workspace]))
    .map((path) => ({ path, access: "read" }));
}

/** A longer word is a text, not a path. */
const partsOf = (word: string): string[] =>
  word.length > longestPath ? [] : [...word.matchAll(/[=@:,]/gu)].map(({ index }) => word.slice(index + 1));

const isFile = (path: string, folders: readonly string[]): boolean =>
  path !== "" &&
  path.length <= longestPath &&
  folders.some((folder) => {
    try {
      return statSync(kernelPath(kernelPath("/", folder), path)).isFile();
    } catch {
      return false;
    }
  });
