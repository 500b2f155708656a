import { anyOf } from "./glob.ts";
import { foldProtected, segmentsOf } from "./names.ts";
import type { Glob, Leads } from "./types.ts";

/** Links after links, and names of one path: more of them nobody makes to work with. */
const mostSteps = 4;
const mostNames = 32;

/** A path as it is compared: folded, without its root, so that one lies below another where it begins with it and a "/". */
export const foldPath = (path: string): string => segmentsOf(path).map(foldProtected).join("/");

/** The name by which `Leads.rules` has what a pattern of a rule means beside itself. @param root as of the rule */
export const ruleKey = (pattern: string, root?: string): string =>
  root === undefined ? pattern : `${root}\n${pattern}`;

/** The same of a word of a command, which is no pattern. */
export const wordKey = (word: string): string => `\n${word}`;

/** Tests that were made ready once for many paths. */
const ready = new WeakMap<readonly Glob[], (path: string) => boolean>();

/** Tells whether one of these absolute patterns means the path, as a file system that ignores case would see it. */
export function isLed(path: string, globs: readonly Glob[] | undefined): boolean {
  if (globs === undefined) return false;
  const isMeant = ready.get(globs) ?? anyOf(globs, []);
  ready.set(globs, isMeant);
  return isMeant(path);
}

// Keeps policy 2.
/**
 * The names by which a path is reached too: through each link that leads to it or to a folder above it, and by the other name of its
 * file. Links that lead to links are followed. Absolute, without the path itself.
 * @param file `PathFact.file` of it
 */
export function otherNames(path: string, { links, files }: Leads, file?: string): string[] {
  const found = new Set<string>();
  const linked = file === undefined ? undefined : files.get(file);
  let fresh = [path, ...(linked === undefined || linked === path ? [] : [linked])];
  if (linked !== undefined) found.add(linked);
  for (let step = 0; step < mostSteps && fresh.length > 0 && links.length > 0; step++) {
    fresh = fresh.flatMap((one) => throughLinks(one, links)).filter((one) => one !== path && !found.has(one));
    for (const one of fresh) if (found.size < mostNames) found.add(one);
  }
  found.delete(path);
  return [...found];
}

function throughLinks(path: string, links: Leads["links"]): string[] {
  const folded = foldPath(path);
  return links
    .filter(({ to }) => folded === to || to === "" || folded.startsWith(`${to}/`))
    .map(({ path: link, to }) => {
      const rest = segmentsOf(path).slice(to === "" ? 0 : to.split("/").length);
      return [link, ...rest].join("/");
    });
}
