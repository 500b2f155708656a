import { lstatSync, type Stats } from "node:fs";

type Kind = Pick<Stats, "isFIFO" | "isSocket" | "isCharacterDevice" | "isBlockDevice">;

/**
 * Tells whether it is a FIFO, a socket or a device: what is read there comes of another program, which waits for it and has it no more, and to be
 * read alone keeps nobody from writing to one of the first two.
 */
export const isStream = (found: Kind): boolean =>
  found.isFIFO() || found.isSocket() || found.isCharacterDevice() || found.isBlockDevice();

/** The same of what lies at a real path; false where nothing does. Opens nothing, for that alone may wait, or take something. */
export function isStreamAt(real: string): boolean {
  try {
    const found = lstatSync(real, { throwIfNoEntry: false });
    return found !== undefined && isStream(found);
  } catch {
    return false; // below a file, or not to be looked at
  }
}
