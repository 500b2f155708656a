import { relative, sep } from "node:path";

/** The output of git; or `none`, there is nothing of the kind; or `failed`, as where there is no such object. */
export type GitSaid = Buffer | "none" | "failed";

/** Each is a git of its own. */
export const mostOperands = 8;

/** The names in an output of `-z`. */
export const fieldsOf = (said: Buffer): string[] =>
  said
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "");

/** More names than these are not looked through. */
export const mostNames = 50_000;
/** The names of notes in their own commits: hashes of what they are notes of, parted into folders where there are many. */
const ofNotes = /^(?:[\da-f]{40}|[\da-f]{64})$/u;

/** Each once, in order; undefined where they are too many, or one of them is a note's: that may be any object, and is no name of a file. */
export function sureNames(names: readonly string[], top: string): string[] | undefined {
  if (names.length > mostNames) return undefined;
  const isNote = (name: string): boolean => ofNotes.test(relative(top, name).replaceAll(sep, ""));
  return names.some(isNote) ? undefined : [...new Set(names)].sort();
}
