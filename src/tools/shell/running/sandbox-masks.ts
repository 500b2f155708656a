import { relative, sep } from "node:path";
import { ToolRefusal } from "../../../core/codes.ts";
import type { PlannedCommand } from "../../../core/command.ts";
import { countText } from "../../../core/count-text.ts";
import type { PathFact } from "../../../core/path-fact.ts";
import { shownPath } from "../../../core/shown-path.ts";
import type { ClosedPlaces } from "../../../core/tool.ts";
import { isInside } from "../../../files/boundary.ts";
import { lookAt, masked } from "./closed-below.ts";
import { closedIn, mostEntries, mostTwins, notLookedThrough } from "./closed-in.ts";
import type { Mount } from "./sandbox.ts";

/** The number of places that are kept from a command that goes through folders. */
const mostMasked = 400;

/** The folders below which a line may read files that it does not name; empty where it names all. */
export function reachedFolders(commands: readonly PlannedCommand[], roots: readonly string[]): string[] {
  const reached = commands.flatMap(({ reaches = [] }) => (reaches === "any" ? roots : reaches));
  const all = [...new Set(reached)];
  return all.filter((folder) => !all.some((other) => other !== folder && isInside(other, folder)));
}

/**
 * Nothing where files lie that a line may come upon and that are not read unasked. What it names itself, a person or policy has judged.
 * @throws ToolRefusal where there are too many to look for, or to keep from it: then it is not run.
 */
export function masksFor(commands: readonly PlannedCommand[], roots: readonly string[], closed: ClosedPlaces): Mount[] {
  const folders = reachedFolders(commands, roots).filter((folder) => roots.some((root) => isInside(root, folder)));
  return folders.length === 0 ? [] : masksIn(folders, commands, closed, roots).mounts;
}

/**
 * The same of these folders, and of each folder in them that has one of the names of `apart`; `places`: without those, which are `aside`.
 * @param apart undefined of a line that may write there: then a FIFO or a socket is there for it, too
 */
export function masksIn(
  folders: readonly string[],
  commands: readonly PlannedCommand[],
  closed: ClosedPlaces,
  roots: readonly string[],
  apart?: readonly string[],
): { mounts: Mount[]; places: string[]; aside: string[] } {
  const named = new Set(
    commands.flatMap(({ paths }) => paths.filter(({ deep }) => deep !== true).map(({ real }) => real)),
  );
  const looked = closedIn(folders, closed, roots, apart);
  const isKept = (path: string): boolean => !named.has(path) && lookAt(path)?.isSymbolicLink() === false;
  const streams = apart === undefined ? [] : looked.streams;
  const [found, aside] = [[...looked.places.filter(isKept), ...streams], looked.apart.filter(isKept)];
  if (looked.unnamed[0] !== undefined)
    throw new ToolRefusal(
      "STALE",
      `it was not run: in ${shownPath(roots[0] ?? "/", looked.unnamed[0])} lies something that is not read without asking, or more than is looked through for that, and a name on the way to it is no text (UTF-8), so that it cannot be kept from the command; name the folders or files that it is to read`,
    );
  if (looked.isCut || found.length + aside.length > mostMasked)
    throw new ToolRefusal(
      "TOO_LARGE",
      `it was not run: it goes through ${looked.isCut ? `more than ${countText(mostEntries)} files, or ${countText(mostTwins)} that are not read without asking` : `${found.length + aside.length} files that are not read without asking`}, too many to keep them from it; name the folders or files that it is to read`,
    );
  return { mounts: [...found, ...aside].flatMap(masked), places: found, aside };
}

/**
 * The command without what the reading box leaves out of its patterns: files that nobody named and that are not read unasked, for their own
 * names and where they are looked for. Not what a pattern stands for that stands for nothing else: that is what it means, and a person decides.
 */
export function withoutLeftOut(
  command: PlannedCommand,
  { isClosed }: Pick<ClosedPlaces, "isClosed">,
  roots: readonly string[],
): PlannedCommand {
  const isLeft = ({ matched, access, deep, real }: PathFact): boolean =>
    matched !== undefined && access === "read" && deep !== true && isLookedFor(real, roots) && isClosed(real);
  const left = new Set(command.paths.filter(isLeft));
  if (left.size === 0) return command;
  const wide = new Set(command.paths.flatMap((path) => (left.has(path) ? [] : (path.matched ?? []))));
  const isBeside = ({ matched = [] }: PathFact): boolean => matched.every((pattern) => wide.has(pattern));
  return { ...command, paths: command.paths.filter((path) => !left.has(path) || !isBeside(path)) };
}

/** It lies below a root, and in nothing that is not looked through. */
const isLookedFor = (real: string, roots: readonly string[]): boolean =>
  roots.some(
    (root) =>
      isInside(root, real) &&
      !relative(root, real)
        .split(sep)
        .some((name) => notLookedThrough.has(name)),
  );

/** For a command that failed and names such a place, or says that it may not open something. */
export function maskHint(said: string, masks: readonly Mount[]): string[] {
  if (masks.length === 0 || !/permission denied|EACCES|busy/iu.test(said)) return [];
  const names = masks.slice(0, 3).map(({ at }) => at);
  const more = masks.length - names.length;
  return [
    `a command that goes through folders, or reads what it does not name, cannot open what is not read without asking: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}; name a file to ask for it`,
  ];
}
