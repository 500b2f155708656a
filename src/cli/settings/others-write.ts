import { lstatSync, type Stats } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isOurs } from "../../files/owner.ts";
import { ownFiles } from "../../words/contract/own-files.ts";
import { primaryGroup } from "./home.ts";

/**
 * Tells who else may change a workspace, the files that a project brings to it, or a folder between them, in words; undefined where only
 * this user and root may. A folder where each may change only what is their own (/tmp) is none of them. Access control lists are not looked
 * at.
 * @param files relative to the workspace
 */
export function othersMayWrite(workspace: string, files: readonly string[]): string | undefined {
  if (process.geteuid === undefined) return undefined;
  for (const path of new Set([
    workspace,
    ...files.flatMap((file) => waysTo(file).map((one) => join(workspace, one))),
  ])) {
    const who = otherWriter(path);
    if (who !== undefined) return `${path} ${who}`;
  }
  return undefined;
}

/** A name and the folders that it lies in. */
function waysTo(file: string): string[] {
  const found = [file];
  for (let at = dirname(file); at !== "." && at !== ".." && at !== dirname(at); at = dirname(at)) found.push(at);
  return found;
}

/** The same of one file of a folder of the person's, and of the folders between. @param real in the folder; links resolved, of both */
export function otherWriterIn(folder: string, real: string): string | undefined {
  for (const way of [...waysTo(relative(folder, real)).map((one) => join(folder, one)), folder]) {
    const who = otherWriter(way);
    if (who !== undefined) return way === real ? `it ${who}` : `its folder ${who}`;
  }
  return undefined;
}

export function otherWriter(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : otherWriterOf(found);
}

export function otherWriterOf(found: Stats): string | undefined {
  if (!isOurs(found.uid)) return ownFiles.others({ uid: found.uid });
  if (found.isSymbolicLink()) return undefined;
  if ((found.mode & 0o002) !== 0) return ownFiles.everybody;
  return (found.mode & 0o020) !== 0 && found.gid !== primaryGroup() ? ownFiles.group : undefined;
}
