import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ClosedPlaces } from "../../../core/tool.ts";

/** So many names are looked at in folders whose own is no text. */
const mostNames = 10_000;
/** The sign that stands in a text for bytes that are none. */
const broken = "\ufffd";

/** The places in such a folder that are not read unasked, by the names as far as they are texts. */
interface Looked extends Pick<ClosedPlaces, "isClosed"> {
  /** Names of folders that are told apart. */
  apart: readonly string[];
}

/**
 * Tells whether something of a folder whose name is no text (UTF-8) is closed, or holds a place that is: no path of ours leads there, so no mount can
 * lie over it, and a command reaches it all the same.
 * @param entries the folder's, as they are read as texts
 */
export function holdUnnamed(folder: string, entries: readonly Dirent[], looked: Looked): boolean {
  if (!entries.some(({ name }) => name.includes(broken))) return false;
  const left: { raw: Buffer; path: string; isTop: boolean }[] = [
    { raw: Buffer.from(folder), path: folder, isTop: true },
  ];
  let seen = 0;
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    for (const entry of rawEntries(at.raw)) {
      const name = entry.name.toString();
      if (at.isTop && Buffer.from(name).equals(entry.name)) continue;
      seen += 1;
      const path = join(at.path, name);
      if (seen > mostNames || looked.apart.includes(name) || looked.isClosed(path)) return true;
      const raw = Buffer.concat([at.raw, Buffer.from("/"), entry.name]);
      if (entry.isDirectory()) left.push({ raw, path, isTop: false });
    }
  }
  return false;
}

function rawEntries(folder: Buffer): Dirent<Buffer>[] {
  try {
    return readdirSync(folder, { encoding: "buffer", withFileTypes: true });
  } catch {
    return []; // not to be looked at, so nor by the command
  }
}
