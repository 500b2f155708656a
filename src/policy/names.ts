import { relative, resolve, sep } from "node:path";
import { foldCase } from "../core/fold-case.ts";
import { withoutEnd } from "../core/linear-text.ts";
import type { PathFact } from "../core/path-fact.ts";
import type { CallFacts } from "./types.ts";

/**
 * Code points that file systems leave out when they compare names: `.g<U+200C>it` opens `.git` on HFS+, which leaves out some of them, and
 * in a folder that Linux folds (ext4, f2fs), which leaves out all (Unicode's NFDICF).
 */
const ignoredByFileSystems = /\p{Default_Ignorable_Code_Point}/gu;

/** Names that no file system reads in another way, the most of them by far. */
const asItIs = /^\.?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/u;

/**
 * A path segment as the most forgiving file system (HFS+, NTFS, ext4 with folded names) would open it: folded, without ignorable code points,
 * without an NTFS stream (`.git::$INDEX_ALLOCATION`), without trailing dots and blanks. Used for names that are
 * protected wherever they lie, on every platform: a repository travels between them.
 */
export function foldProtected(segment: string): string {
  if (asItIs.test(segment)) return segment;
  const plain = foldCase(segment.replace(ignoredByFileSystems, ""));
  const stream = plain.indexOf(":");
  const name = withoutEnd(stream > 0 ? plain.slice(0, stream) : plain, ". ");
  return name === "git~1" ? ".git" : name;
}

/** The segments of an absolute path, without the root. */
export const segmentsOf = (path: string): string[] => path.split(sep).filter((segment) => segment !== "");

/**
 * The segments of `path` below `root` ([] for root itself), undefined when it lies outside: compared by segment, so
 * `/ws-evil` is not below `/ws`. Both absolute.
 */
export function segmentsBelow(root: string, path: string): string[] | undefined {
  const way = segmentsOf(relative(root, path));
  return way[0] === ".." ? undefined : way;
}

/** Tells whether `path` is `root` or lies below it on a file system that ignores case. */
export function isWithinFolded(root: string, path: string): boolean {
  const found = segmentsOf(path);
  return segmentsOf(root).every((segment, index) => {
    const other = found[index];
    return other !== undefined && foldProtected(segment) === foldProtected(other);
  });
}

/** A path of a call as it will be judged: where it was asked for and where it leads, both absolute, both count. */
export interface JudgedPath extends Pick<PathFact, "access" | "gitDir" | "key" | "gitRuns" | "deep" | "file"> {
  path: string;
  /** The place that was asked about, where `path` is a protected name that leads to it. */
  leadsTo?: string;
}

/** Every path of the call, twice where a link leads elsewhere. */
export function judgedPaths(facts: CallFacts): JudgedPath[] {
  const cwd = facts.cwd ?? facts.workspace;
  return facts.paths.flatMap(({ asked, real, ...noted }) => {
    const places = new Set([resolve(cwd, asked), resolve(cwd, real)]);
    return [...places].map((path) => ({ ...noted, path }));
  });
}
