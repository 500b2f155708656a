import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { withoutFolderSync } from "./pinned-folder.ts";

// Keeps files 3.
/**
 * Makes a folder with those above it, mode 0700; one that is there already is left as it is. Each new one is made durable before
 * anything is put into it: a power cut would take it with all that was synced in it. Not `recursive`: Node 20 never comes back from
 * it where the system will not make the parent either (below /proc).
 * @throws the error of the file system where the folder cannot be made, also where something else is in its way.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
    syncEntries(parent);
  } catch (error) {
    // Another process may have made it first.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isFolder(folder)) throw error;
  }
}

const unsyncable: readonly string[] = ["EACCES", ...withoutFolderSync];

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** A folder that may be written and not read cannot be synced, and some file systems know no sync of folders. */
function syncEntries(folder: string): void {
  let opened: number | undefined;
  try {
    opened = openSync(folder, "r");
    fsyncSync(opened);
  } catch (error) {
    if (!unsyncable.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}
