import { lstatSync, statSync } from "node:fs";
import { errnoOf } from "../../core/errno.ts";

/** Another one whenever the file was written, or its name leads to another one; without a turn of the event loop, for it is asked before each call. */
export function fileStamp(file: string): string {
  try {
    const named = lstatSync(file, { throwIfNoEntry: false });
    if (named === undefined) return "none";
    // A link that leads nowhere is not the same as nothing: whoever reads it says so.
    const found = named.isSymbolicLink() ? (statSync(file, { throwIfNoEntry: false }) ?? named) : named;
    const { dev, ino, mtimeMs, ctimeMs, size } = found;
    return [dev, ino, mtimeMs, ctimeMs, size].join(":");
  } catch (error) {
    // Whoever reads it says why it cannot be.
    return errnoOf(error) ?? "unseen";
  }
}
