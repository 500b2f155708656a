import { type Dirent, lstatSync, opendirSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { countText } from "../../../core/count-text.ts";
import type { ClosedPlaces } from "../../../core/tool.ts";
import { isStream } from "../../../files/streams.ts";
import type { Mount } from "./sandbox.ts";
import { holdUnnamed } from "./unnamed-places.ts";

/** The number of places of one folder in `sandboxRead` that are looked through: a folder that holds more is not shown. */
const mostLookedThrough = 20_000;
/** Made as it is said: the first number that is grouped loads how languages write them, which takes 15 ms. */
const manyWords = (): string =>
  `holds more than ${countText(mostLookedThrough)} files, too many to look for guarded ones: name a folder in it`;
const unnamedWords =
  "holds a name that is no text (UTF-8) on the way to something guarded, or to more than is looked through for that: name a folder in it";

/** Nothing where guarded places lie in a folder, and in those below it that guarded names are known to lie in. */
export function closedBelow(folder: string, closed: ClosedPlaces): Mount[] {
  return entriesOf(folder).flatMap((entry): Mount[] => {
    const path = join(folder, entry.name);
    if (closed.isClosed(path)) return masked(path);
    return entry.isDirectory() && closed.mayHold(path) ? closedBelow(path, closed) : [];
  });
}

/** The same of all that lies below; or why that cannot be told, in words that can follow the folder's name. */
export function allClosedBelow(top: string, closed: ClosedPlaces): Mount[] | { why: string } {
  if (lookAt(top)?.isDirectory() !== true) return [];
  const isHeld = (entry: Dirent, path: string): boolean => closed.isClosed(path) || isStream(entry);
  const found: Mount[] = [];
  const folders = [top];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = entriesOf(folder, mostLookedThrough + 1 - seen);
    if (holdUnnamed(folder, entries, { isClosed: closed.isClosed, apart: [] })) return { why: unnamedWords };
    for (const entry of entries) {
      seen += 1;
      if (seen > mostLookedThrough) return { why: manyWords() };
      const path = join(folder, entry.name);
      if (isHeld(entry, path)) found.push(...masked(path));
      else if (entry.isDirectory()) folders.push(path);
    }
  }
  return found;
}

/** Nothing at this place; for a link, where it leads. */
export function masked(path: string): Mount[] {
  const at = realOf(path);
  const found = at === undefined ? undefined : lookAt(at);
  if (at === undefined || found === undefined) return [];
  return [found.isDirectory() ? { at, kind: "nothing" } : { at, kind: "nothing", isFile: true }];
}

/** A folder of fewer bytes is listed at once, which takes half the time: it holds some ten thousand names, on ZFS some hundred thousand. */
const smallFolder = 256 * 1024;

/** Lists what is in a folder. @param most a folder may hold millions: of a large one no more than these are read */
export function entriesOf(folder: string, most = Number.POSITIVE_INFINITY): Dirent[] {
  const found: Dirent[] = [];
  try {
    if (most === Number.POSITIVE_INFINITY || statSync(folder).size < smallFolder)
      return readdirSync(folder, { withFileTypes: true });
    const opened = opendirSync(folder, { bufferSize: 512 });
    try {
      for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
        if (found.length >= most) break;
        found.push(entry);
      }
    } finally {
      opened.closeSync();
    }
  } catch {
    // not to be looked at, so nor by the command
  }
  return found;
}

/** Most that is asked about is not there: that is found out first, for a failure costs as much as ten looks. */
export function realOf(path: string): string | undefined {
  try {
    return lookAt(path) === undefined ? undefined : realpathSync.native(path);
  } catch {
    return undefined;
  }
}

export function lookAt(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // below a file, or not to be looked at
  }
}
