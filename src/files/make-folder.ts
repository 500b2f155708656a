import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder with those above it, mode 0700; one that is there already is left as it is. Not `recursive`: Node 20 never comes
 * back from it where the system will not make the parent either (below /proc).
 * @throws the error of the file system where the folder cannot be made, also where something else is in its way.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it first.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
