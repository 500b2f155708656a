import { diffArrays } from "diff";
import { bare, indentOf, isBlank, isFlat, withoutTrail } from "./blanks.ts";

/** Indentation of the request -> indentation of the file. */
type Indents = ReadonlyMap<string, string>;

/** A count and not a time, for the same request must give the same bytes on any machine. */
const maxEditLength = 1_500;

/**
 * New lines as the place has them: lines that old and new share stay the place's own; the others get the indentation of the lines in whose
 * stead or beside which they stand, and keep their own depth beyond it, in the place's tabs or blanks.
 * @param old, block the same lines as they were asked for and as they are
 * @param around all lines of the file
 */
export function reindented(
  fresh: readonly string[],
  old: readonly string[],
  block: readonly string[],
  around: readonly string[],
): string[] {
  const place = placeOf(old, block);
  const units = unitsOf([...old, ...fresh], block, around);
  const base = shallowest(fresh);
  const changes = changesOf(old, fresh);
  const apart = changes.every(({ kept }) => !kept);
  return changes.flatMap((change) =>
    change.kept
      ? block.slice(change.from, change.to)
      : change.lines.map(indentingIn(change, { place, units, base, apart, old, block })),
  );
}

/** Old lines `from` to `to` that stay, or that `lines` replace. */
interface Change {
  from: number;
  to: number;
  kept: boolean;
  lines: string[];
}

function changesOf(old: readonly string[], fresh: readonly string[]): Change[] {
  const parts = diffArrays(old.map(withoutTrail), fresh.map(withoutTrail), { maxEditLength });
  if (parts === undefined) return [{ from: 0, to: old.length, kept: false, lines: [...fresh] }];
  const changes: Change[] = [];
  let [inOld, inFresh] = [0, 0];
  for (const { added, removed, count } of parts) {
    const kept = !added && !removed;
    let change = changes.at(-1);
    if (change === undefined || kept || change.kept) {
      change = { from: inOld, to: inOld, kept, lines: [] };
      changes.push(change);
    }
    if (!added) inOld += count;
    if (!removed) inFresh += count;
    if (added) change.lines.push(...fresh.slice(inFresh - count, inFresh));
    change.to = inOld;
  }
  return changes;
}

interface Place {
  /** The file's indentation for each one of the request; undefined where the request is flat and the file is not. */
  indents: Indents | undefined;
  /** The least deep of the place. */
  least: string;
}

function placeOf(old: readonly string[], block: readonly string[]): Place {
  const indents = new Map<string, string>();
  let isOne = true;
  for (const [at, line] of old.entries()) {
    if (isBlank(line)) continue;
    const [asked, real] = [indentOf(line), indentOf(block[at] ?? "")];
    if ((indents.get(asked) ?? real) !== real) isOne = false;
    indents.set(asked, real);
  }
  return { indents: isOne ? indents : undefined, least: shallowest(block) };
}

/** Empty where all lines are blank. */
function shallowest(lines: readonly string[]): string {
  const indents = lines.filter((line) => !isBlank(line)).map(indentOf);
  return indents.length === 0 ? "" : indents.reduce(shorter);
}

const shorter = (one: string, other: string): string => (other.length < one.length ? other : one);

interface Known {
  place: Place;
  units: Units;
  /** The least deep of all new lines. */
  base: string;
  /** They share no line with the old ones: how deep they stand says nothing by itself. */
  apart: boolean;
  old: readonly string[];
  block: readonly string[];
}

/** Makes the function that indents the new lines of one change. */
function indentingIn(change: Change, known: Known): (line: string) => string {
  const { place, units } = known;
  const made = new Map<string, string>();
  const put = (line: string, indents: Indents): string => {
    const asked = indentOf(line);
    return indentLike(asked, indents, units) + line.slice(asked.length);
  };
  const { indents } = place;
  if (indents !== undefined)
    return (line) => {
      if (isBlank(line)) return line;
      const asked = indentOf(line);
      const indent = made.get(asked) ?? indentLike(asked, indents, units);
      made.set(asked, indent);
      return indent + line.slice(asked.length);
    };
  const beside = besides(change, known);
  let turn = 0;
  return (line) => {
    if (isBlank(line)) return line;
    const one = beside[Math.min(turn, beside.length - 1)] ?? new Map([["", place.least]]);
    turn += 1;
    return put(line, one);
  };
}

/**
 * Lists, for a flat request and a file that is not, the indentation of the place's line by which each new one goes, in turn. New lines
 * that are flat too go by those in whose stead they are; new lines with a depth of their own, all by the first of these. Lines that are
 * only put in go by the deeper one of their neighbours: after a line that opens a block, they are in it.
 */
function besides({ from, to, lines }: Change, { place, base, old, block, apart }: Known): Indents[] {
  const asked = indentOf(old.find((line) => !isBlank(line)) ?? "");
  const filled = [...old.keys()].filter((at) => !isBlank(old[at] ?? ""));
  const like = (at: number): Indents => new Map([[asked, indentOf(block[at] ?? "")]]);
  const stead = filled.filter((at) => at >= from && at < to);
  if (apart && base !== asked) return [new Map([[base, place.least]])];
  if (stead.length > 0) return isFlat(lines) ? stead.map(like) : stead.slice(0, 1).map(like);
  const near = [filled.findLast((at) => at < from), filled.find((at) => at >= to)].filter((at) => at !== undefined);
  const depth = (at: number): number => indentOf(block[at] ?? "").length;
  const [deeper] = near.toSorted((one, other) => depth(other) - depth(one));
  return deeper === undefined ? [] : [like(deeper)];
}

function indentLike(asked: string, indents: Indents, units: Units): string {
  const exact = indents.get(asked);
  if (exact !== undefined) return exact;
  const byLength = [...indents].sort(([a], [b]) => b.length - a.length);
  const shallower = byLength.find(([known]) => asked.startsWith(known));
  if (shallower !== undefined) return shallower[1] + inUnits(asked.slice(shallower[0].length), indents, units);
  const deeper = byLength.toReversed().find(([known]) => known.startsWith(asked));
  if (deeper === undefined) return inUnits(asked, indents, units);
  const surplus = inUnits(deeper[0].slice(asked.length), indents, units);
  return deeper[1].endsWith(surplus) ? deeper[1].slice(0, deeper[1].length - surplus.length) : asked;
}

/** The indentation of the place, and the width of one step in the request and in the file; 0 where that cannot be seen. */
interface Units {
  place: "tabs" | "blanks" | "unknown";
  asked: number;
  file: number;
}

function unitsOf(request: readonly string[], block: readonly string[], around: readonly string[]): Units {
  const own = indentsOf(block);
  const all = own.length > 0 ? own : indentsOf(around);
  const tabs = all.filter((indent) => indent.startsWith("\t")).length;
  const place = all.length === 0 ? "unknown" : tabs * 2 > all.length ? "tabs" : "blanks";
  return { place, asked: stepOf(indentsOf(request)), file: stepOf(indentsOf(around)) };
}

const indentsOf = (lines: readonly string[]): string[] =>
  lines
    .filter((line) => bare(line) !== "")
    .map(indentOf)
    .filter((indent) => indent !== "");

/** The greatest width of which all indentations of blanks are multiples. */
const stepOf = (indents: readonly string[]): number =>
  indents.filter((indent) => isRun(indent, " ")).reduce((step, { length }) => common(step, length), 0);

const common = (one: number, other: number): number => (other === 0 ? one : common(other, one % other));

/** One depth more, as the request has it and as the file does: each tabs alone, or blanks alone. */
interface Step {
  asked: string;
  real: string;
}

/**
 * A depth beyond a known one, in the file's steps: as two known pairs differ, or, where there is no such two, as all lines tell, or one
 * pair by itself, if it stands for as many steps in both.
 */
function inUnits(extra: string, indents: Indents, units: Units): string {
  const pairs = [...indents].sort(([a], [b]) => a.length - b.length);
  const steps = pairs.flatMap((pair, at) => stepBetween(pairs[at - 1], pair, units) ?? []);
  const bySteps = firstOf(
    steps.toSorted((one, other) => one.asked.length - other.asked.length),
    extra,
  );
  if (bySteps !== undefined) return bySteps;
  const { place, asked, file } = units;
  const byLines: Step[] = [];
  if (place === "tabs" && asked > 1) byLines.push({ asked: " ".repeat(asked), real: "\t" });
  if (place === "blanks" && file > 1) byLines.push({ asked: "\t", real: " ".repeat(file) });
  const alone = pairs.flatMap(([from, to]) => (from[0] === to[0] ? [] : { asked: from, real: to }));
  return firstOf([...byLines, ...alone], extra) ?? extra;
}

/** By what two known pairs differ, where one goes on where the other ends and that is what the place is indented with. */
function stepBetween(
  shallower: readonly [string, string] | undefined,
  [asked, real]: readonly [string, string],
  { place }: Units,
): Step | undefined {
  if (shallower === undefined || !asked.startsWith(shallower[0]) || !real.startsWith(shallower[1])) return undefined;
  const step = { asked: asked.slice(shallower[0].length), real: real.slice(shallower[1].length) };
  return isRun(step.real, place === "tabs" ? "\t" : " ") ? step : undefined;
}

function firstOf(steps: readonly Step[], extra: string): string | undefined {
  return steps.map((step) => inSteps(extra, step)).find((made) => made !== undefined);
}

/** The same depth; undefined where it is not made of such steps. */
function inSteps(extra: string, { asked, real }: Step): string | undefined {
  const [of = "", to = ""] = [asked[0], real[0]];
  const length = (extra.length * real.length) / asked.length;
  const isOne = isRun(asked, of) && isRun(real, to) && isRun(extra, of);
  return isOne && Number.isInteger(length) ? to.repeat(length) : undefined;
}

const isRun = (text: string, of: string): boolean => text !== "" && text === of.repeat(text.length);
