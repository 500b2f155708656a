import { basename } from "node:path";
import type { Reason } from "../words/contract/policy-reasons.ts";
import { guardedList } from "./lists/guarded.ts";
import { compileList, type ListRow, lastNames, wayTo } from "./lists/row.ts";
import { sealedList } from "./lists/sealed.ts";
import { secretsList } from "./lists/secrets.ts";
import { watchedList } from "./lists/watched.ts";
import { foldProtected, isWithinFolded, segmentsBelow, segmentsOf } from "./names.ts";
import type { LinkedPlace, Sealed } from "./types.ts";

const sealedRow = compileList(sealedList);
const guardedRow = compileList(guardedList);
const secretsRow = compileList(secretsList);
const watchedRow = compileList(watchedList);

export const hooksReason: Reason = { code: "git_hooks" };

const reasonOf = (row: ListRow | undefined): Reason | undefined => row && { code: row.why };

/** @returns why nobody's call may touch the path, or undefined. `path` absolute. */
export function sealedReason(path: string, project: string, sealed: Sealed): Reason | undefined {
  if (sealed.roots.some((root) => isWithinFolded(root, path))) return { code: "own_state" };
  if (sealed.hooks?.some((root) => isWithinFolded(root, path)) === true) return hooksReason;
  return reasonOf(sealedRow(protectedSegments(path, project)));
}

/** @returns why a change of a folder and all below it would change what is sealed, or undefined. `path` absolute. */
export function holdsSealedReason(
  path: string,
  workspaces: readonly string[],
  { roots, hooks = [] }: Sealed,
): Reason | undefined {
  return [...workspaces, ...roots, ...hooks].some((held) => isWithinFolded(path, held))
    ? { code: "holds_sealed" }
    : undefined;
}

/**
 * @returns why a person must look at the call, or undefined. `path` absolute; `names`: nothing of what is in the file is told, and
 * its name is all that shows of a secret; `isKey`: the file begins as a private key; `linked`: places that are so by what leads to them.
 */
export function guardedReason(
  path: string,
  project: string,
  access: "read" | "write" | "names",
  isKey = false,
  linked: readonly LinkedPlace[] = [],
): Reason | undefined {
  if (access === "names") return undefined;
  const segments = protectedSegments(path, project);
  const reason = reasonOf(secretsRow(segments) ?? (access === "write" ? guardedRow(segments) : undefined));
  if (reason !== undefined || isKey) return reason ?? { code: "key_head" };
  return linked.find(({ real, isSecret }) => (isSecret || access === "write") && isWithinFolded(real, path))?.why;
}

const wayToSecret = wayTo(secretsList);

/** Tells whether secrets are known to lie in such a folder beside other things, as in `~/.config`. `folder` absolute. */
export const mayHoldSecrets = (folder: string): boolean => wayToSecret(segmentsOf(folder).map(foldProtected).slice(-4));

const listedName = lastNames([...sealedList, ...secretsList, ...guardedList]);

/**
 * Makes the test whether a place of that name, in a folder that is not protected, may be sealed or guarded itself. False for nearly all names, and
 * quick: who judges many places asks for the reasons only where it is true. A key that only its head tells is not known by name.
 */
export function protectedNames(
  { roots, hooks = [] }: Sealed,
  linked: readonly LinkedPlace[] = [],
): (name: string) => boolean {
  const own = new Set(
    [...roots, ...hooks, ...linked.map(({ real }) => real)].map((root) => foldProtected(basename(root))),
  );
  return (name) => {
    const folded = foldProtected(name);
    return own.has(folded) || listedName(folded);
  };
}

/** Lists the targets of those links of a home whose own names are guarded there. */
export function linkedPlaces(links: readonly { path: string; real: string }[], home: string): LinkedPlace[] {
  return links.flatMap(({ path, real }) => {
    const why = guardedReason(path, home, "write");
    if (why === undefined || isWithinFolded(real, home)) return [];
    return [
      {
        real,
        why: { code: "led_from_home", name: basename(path), because: why },
        isSecret: guardedReason(path, home, "read") !== undefined,
      },
    ];
  });
}

/** @returns why each change of the file is looked at, unless a rule or a grant names it; or undefined. `path` absolute. */
export const watchedReason = (path: string, project: string): Reason | undefined =>
  reasonOf(watchedRow(protectedSegments(path, project)));

/** Below the project what leads to it does not count (it may lie in somebody's `.ci` folder); elsewhere all of it does. */
const protectedSegments = (path: string, project: string): string[] =>
  (segmentsBelow(project, path) ?? segmentsOf(path)).map(foldProtected);
