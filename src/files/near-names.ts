import { opendir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { editDistance } from "../core/nearest-name.ts";

const mostEntries = 2_000;
const named = 3;
const longestCompared = 100;

/**
 * Names in the same folder that someone may have meant, as paths like the one asked; [] where there are none.
 * @param mayTell of an absolute path whether its name may be told.
 */
export async function nearNames(
  real: string,
  asked: string,
  mayTell: (path: string) => boolean = () => true,
): Promise<string[]> {
  const wanted = basename(real).toLowerCase();
  const near: { name: string; distance: number }[] = [];
  for (const name of await namesIn(dirname(real))) {
    const distance = distanceOf(wanted, name.toLowerCase());
    if (distance !== undefined) near.push({ name, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  const told = near.filter(({ name }) => mayTell(join(dirname(real), name)));
  return told.slice(0, named).map(({ name }) => join(dirname(asked), name));
}

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  const entries = await opendir(folder).catch(() => undefined);
  if (entries === undefined) return names;
  for await (const entry of entries) {
    if (!entry.name.startsWith(".holdfast-")) names.push(entry.name);
    if (names.length >= mostEntries) break;
  }
  return names;
}

/** Small for names alike: other case, other extension, a few letters; undefined for others. */
function distanceOf(wanted: string, name: string): number | undefined {
  if (wanted === name) return 0;
  const stem = (text: string): string => text.replace(/\.[^.]+$/, "");
  if (stem(wanted) !== "" && stem(wanted) === stem(name)) return 1;
  if (wanted.length > longestCompared) return undefined;
  const most = Math.min(3, Math.floor(wanted.length / 3));
  const edits = editDistance(wanted, name, most);
  return edits <= most ? 1 + edits : undefined;
}
