import { statSync } from "node:fs";

/** Another one whenever the file was written; without a turn of the event loop, for it is asked before each call. */
export function fileStamp(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? "none" : `${found.ino}:${found.mtimeMs}:${found.size}`;
}
