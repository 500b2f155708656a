import { guardedList } from "./lists/guarded.ts";
import { compileList } from "./lists/row.ts";
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

/** They print names only, so a secret's name is all they show of it. */
const printsNamesOnly = new Set(["ls", "glob"]);

/** @returns why a person must look at the call, or undefined. `path` absolute; `isKey`: the file begins as a private key. */
export function guardedReason(
  path: string,
  workspace: string,
  access: "read" | "write",
  tool: string,
  isKey = false,
): string | undefined {
  if (access === "read" && printsNamesOnly.has(tool)) return undefined;
  const segments = protectedSegments(path, workspace);
  const reason = secretsRow(segments)?.why ?? (access === "write" ? guardedRow(segments)?.why : undefined);
  return reason ?? (isKey ? "it begins as a private key does" : undefined);
}

/** @returns why each change of the file is looked at, unless a rule or a grant names it; or undefined. `path` absolute. */
export const watchedReason = (path: string, workspace: string): string | undefined =>
  watchedRow(protectedSegments(path, workspace))?.why;

/** Below the workspace what leads to it does not count (it may lie in somebody's `.ci` folder); elsewhere all of it does. */
const protectedSegments = (path: string, workspace: string): string[] =>
  (segmentsBelow(workspace, path) ?? segmentsOf(path)).map(foldProtected);
