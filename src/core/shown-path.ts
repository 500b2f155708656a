import { relative, sep } from "node:path";

/**
 * Returns the name of a file in messages: relative to the workspace where it lies inside (`.` for the workspace itself), else in full.
 * Both absolute, links resolved.
 */
export function shownPath(workspace: string, path: string): string {
  const way = relative(workspace, path);
  return shownName(way === ".." || way.startsWith(`..${sep}`) ? path : way || ".");
}

/** A name that would break the line it stands on, or hide a part of it, is written as a JSON string. */
export const shownName = (name: string): string =>
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name) ? JSON.stringify(name) : name;
