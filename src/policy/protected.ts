import { basename } from "node:path";
import { guardedList } from "./lists/guarded.ts";
import { compileList, lastNames } from "./lists/row.ts";
import { sealedList } from "./lists/sealed.ts";
import { secretsList } from "./lists/secrets.ts";
import { watchedList } from "./lists/watched.ts";
import { foldProtected, isWithinFolded, segmentsBelow, segmentsOf } from "./names.ts";
import type { Sealed } from "./types.ts";

const sealedRow = compileList(sealedList);
const guardedRow = compileList(guardedList);
const secretsRow = compileList(secretsList);
const watchedRow = compileList(watchedList);

/** @returns why nobody's call may touch the path, or undefined. `path` absolute. */
export function sealedReason(path: string, workspace: string, sealed: Sealed): string | undefined {
  if (sealed.roots.some((root) => isWithinFolded(root, path)))
    return "this program's own state, settings and policy are kept there";
  if (sealed.hooks?.some((root) => isWithinFolded(root, path)) === true) return "git runs the hooks in it by itself";
  return sealedRow(protectedSegments(path, workspace))?.why;
}

/** @returns why a change of a folder and all below it would change what is sealed, or undefined. `path` absolute. */
export function holdsSealedReason(
  path: string,
  workspaces: readonly string[],
  { roots, hooks = [] }: Sealed,
): string | undefined {
  return [...workspaces, ...roots, ...hooks].some((held) => isWithinFolded(path, held))
    ? "it holds places that are sealed"
    : undefined;
}

/**
 * @returns why a person must look at the call, or undefined. `path` absolute; `names`: nothing of what is in the file is told, and
 * its name is all that shows of a secret; `isKey`: the file begins as a private key.
 */
export function guardedReason(
  path: string,
  workspace: string,
  access: "read" | "write" | "names",
  isKey = false,
): string | undefined {
  if (access === "names") return undefined;
  const segments = protectedSegments(path, workspace);
  const reason = secretsRow(segments)?.why ?? (access === "write" ? guardedRow(segments)?.why : undefined);
  return reason ?? (isKey ? "it begins as a private key does" : undefined);
}

const listedName = lastNames([...sealedList, ...secretsList, ...guardedList]);

/**
 * Whether a place of that name, in a folder that is not protected, may be sealed or guarded itself. False for nearly all names, and
 * quick: who judges many places asks for the reasons only where it is true. A key that only its head tells is not known by name.
 */
export function protectedNames({ roots, hooks = [] }: Sealed): (name: string) => boolean {
  const own = new Set([...roots, ...hooks].map((root) => foldProtected(basename(root))));
  return (name) => {
    const folded = foldProtected(name);
    return own.has(folded) || listedName(folded);
  };
}

/** @returns why each change of the file is looked at, unless a rule or a grant names it; or undefined. `path` absolute. */
export const watchedReason = (path: string, workspace: string): string | undefined =>
  watchedRow(protectedSegments(path, workspace))?.why;

/** Below the workspace what leads to it does not count (it may lie in somebody's `.ci` folder); elsewhere all of it does. */
const protectedSegments = (path: string, workspace: string): string[] =>
  (segmentsBelow(workspace, path) ?? segmentsOf(path)).map(foldProtected);
