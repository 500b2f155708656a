import { join } from "node:path";
import { ToolRefusal } from "../../../core/codes.ts";
import type { PlannedCommand } from "../../../core/command.ts";
import type { ClosedPlaces } from "../../../core/tool.ts";
import { isInside } from "../../../files/boundary.ts";
import { entriesOf, lookAt, masked } from "./closed-below.ts";
import type { Mount } from "./sandbox.ts";

/** How much is looked through for a command that goes through folders, and how many places are kept from one. */
export const mostMasked = { entries: 200_000, places: 400 };

/** Packages of others, and git's own data, which its commands read in other ways: neither is looked through. */
const notLookedThrough = new Set([".git", "node_modules"]);

/** The folders below which a line may read files that it does not name; empty where it names all. */
export function reachedFolders(commands: readonly PlannedCommand[], roots: readonly string[]): string[] {
  const reached = commands.flatMap(({ reaches = [] }) => (reaches === "any" ? roots : reaches));
  const all = [...new Set(reached)];
  return all.filter((folder) => !all.some((other) => other !== folder && isInside(other, folder)));
}

/**
 * What of these folders is not read unasked: guarded places, and those that a rule denies or asks about; by their real paths, the
 * outermost of each. `isCut` where there was more than is looked through.
 */
export function closedIn(
  folders: readonly string[],
  { isClosed }: Pick<ClosedPlaces, "isClosed">,
): { places: string[]; isCut: boolean } {
  const places: string[] = [];
  const left = [...folders];
  let seen = 0;
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    for (const entry of entriesOf(folder)) {
      seen += 1;
      if (seen > mostMasked.entries) return { places, isCut: true };
      const path = join(folder, entry.name);
      if (isClosed(path)) places.push(path);
      else if (entry.isDirectory() && !notLookedThrough.has(entry.name)) left.push(path);
    }
  }
  return { places, isCut: false };
}

/**
 * Nothing where files lie that a line may come upon and that are not read unasked. What it names itself, a person or policy has judged.
 * @throws ToolRefusal where there are too many to look for, or to keep from it: then it is not run.
 */
export function masksFor(commands: readonly PlannedCommand[], roots: readonly string[], closed: ClosedPlaces): Mount[] {
  const folders = reachedFolders(commands, roots).filter((folder) => roots.some((root) => isInside(root, folder)));
  if (folders.length === 0) return [];
  const named = new Set(
    commands.flatMap(({ paths }) => paths.filter(({ deep }) => deep !== true).map(({ real }) => real)),
  );
  const { places, isCut } = closedIn(folders, closed);
  const found = places.filter((path) => !named.has(path) && lookAt(path)?.isSymbolicLink() === false);
  if (isCut || found.length > mostMasked.places)
    throw new ToolRefusal(
      "TOO_LARGE",
      `it was not run: it goes through ${isCut ? `more than ${mostMasked.entries.toLocaleString("en-US")} files` : `${found.length} files that are not read without asking`}, too many to keep them from it; name the folders or files that it is to read`,
    );
  return found.flatMap(masked);
}

/** For a command that failed and names such a place, or says that it may not open something. */
export function maskHint(said: string, masks: readonly Mount[]): string[] {
  if (masks.length === 0 || !/permission denied|EACCES|busy/iu.test(said)) return [];
  const names = masks.slice(0, 3).map(({ at }) => at);
  const more = masks.length - names.length;
  return [
    `a command that goes through folders, or reads what it does not name, cannot open what is not read without asking: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}; name a file to ask for it`,
  ];
}
