import { diffArrays } from "diff";

export type Merged =
  | { kind: "clean"; lines: string[] }
  /** Both sides changed the same place, or places without a line between them. Line numbers of `ours`, from 1. */
  | { kind: "conflict"; from: number; to: number }
  /** The search for a small difference was given up. */
  | { kind: "too_different" };

/** A count and not a time, for the same texts must merge in the same way on any machine. */
const maxEditLength = 1_500;

/**
 * Merges two changes of one text, line by line. Changes count as apart only with a line between them that all three have:
 * what touches is a conflict, and so nothing is placed by guessing. The same change on both sides is made once.
 */
export function mergeLines(base: readonly string[], ours: readonly string[], theirs: readonly string[]): Merged {
  const inOurs = matches(base, ours);
  const inTheirs = matches(base, theirs);
  if (inOurs === undefined || inTheirs === undefined) return { kind: "too_different" };
  const lines: string[] = [];
  let [b, o, t] = [0, 0, 0];
  while (b < base.length || o < ours.length || t < theirs.length) {
    const end = nextStable(b, inOurs, inTheirs);
    const oEnd = inOurs[end] ?? ours.length;
    const tEnd = inTheirs[end] ?? theirs.length;
    const chosen = choose(base.slice(b, end), ours.slice(o, oEnd), theirs.slice(t, tEnd));
    if (chosen === undefined) return { kind: "conflict", from: o + 1, to: Math.max(oEnd, o + 1) };
    lines.push(...chosen);
    const stable = base[end];
    if (stable !== undefined) lines.push(stable);
    [b, o, t] = [end + 1, oEnd + 1, tEnd + 1];
  }
  return { kind: "clean", lines };
}

/** For each line of the base where it stands in the other text; undefined where it is gone. */
function matches(base: readonly string[], other: readonly string[]): (number | undefined)[] | undefined {
  const changes = diffArrays([...base], [...other], { maxEditLength });
  if (changes === undefined) return undefined;
  const found: (number | undefined)[] = [];
  let at = 0;
  for (const change of changes) {
    for (let i = 0; i < change.count && !change.added; i++) found.push(change.removed ? undefined : at + i);
    if (!change.removed) at += change.count;
  }
  return found;
}

/** The next line of the base that both sides still have; the base's length where there is none. */
function nextStable(
  from: number,
  inOurs: readonly (number | undefined)[],
  inTheirs: readonly (number | undefined)[],
): number {
  let at = from;
  while (at < inOurs.length && (inOurs[at] === undefined || inTheirs[at] === undefined)) at += 1;
  return at;
}

function choose(base: string[], ours: string[], theirs: string[]): string[] | undefined {
  if (same(ours, base) || same(ours, theirs)) return theirs;
  return same(theirs, base) ? ours : undefined;
}

const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, index) => line === other[index]);
