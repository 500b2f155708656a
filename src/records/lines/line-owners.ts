import { diffArrays } from "diff";
import { undoToolName } from "../../core/call.ts";
import type { Sha } from "../../core/json.ts";
import type { FileStep } from "./file-history.ts";

/** `other`: no recorded call wrote the line. `unknown`: bytes that would tell are not kept any more. */
export type LineOwner = FileStep | "other" | "unknown";

/** Of a content that is kept; undefined of any other, and of what is no text. */
export type TextOf = (sha: Sha, step: FileStep) => string | undefined;

/** More changed lines than these are not looked for one by one: then only what begins and ends alike is the same. */
const maxEditLength = 2_000;

/** Lines with what ends each. */
export const linesIn = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];

/**
 * Whose each line of a text is: the call that wrote these very bytes, found by going back through what calls left and what was there before each. What was taken
 * back is of whoever wrote it first.
 * @param steps newest first
 */
export function lineOwners(text: string, steps: readonly FileStep[], textOf: TextOf): LineOwner[] {
  const way = new WayBack(linesIn(text));
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at];
    const after = step && contentOf(step.after, step, textOf);
    if (step === undefined || after === undefined) return way.end("unknown");
    way.back(linesIn(after));
    const undone = step.toolName === undoToolName ? backTo(steps, at) : undefined;
    if (undone !== undefined) {
      at = undone;
      continue;
    }
    const before = contentOf(step.before, step, textOf);
    if (before === undefined) return way.end("unknown");
    way.back(linesIn(before), step);
  }
  return way.end("other");
}

/** From a text back through what it was before. */
class WayBack {
  readonly #owners: LineOwner[];
  #now: readonly string[];
  /** For each line of what it was then which line of the text it is; -1 for none. */
  #places: readonly number[];

  constructor(lines: readonly string[]) {
    this.#owners = lines.map(() => "other");
    this.#now = lines;
    this.#places = lines.map((_, at) => at);
  }

  /** One content further back; lines that were not there are of `owner`, or of nobody who is known. */
  back(to: readonly string[], owner: LineOwner = "other"): void {
    const same = sameLines(to, this.#now);
    const stayed = new Set(same.values());
    this.#places.forEach((place, at) => {
      if (place >= 0 && !stayed.has(at)) this.#owners[place] = owner;
    });
    this.#places = to.map((_, at) => this.#places[same.get(at) ?? -1] ?? -1);
    this.#now = to;
  }

  /** Gives all lines that are left to this owner. */
  end(owner: LineOwner): LineOwner[] {
    for (const place of this.#places) if (place >= 0) this.#owners[place] = owner;
    return this.#owners;
  }
}

const contentOf = (sha: Sha | null, step: FileStep, textOf: TextOf): string | undefined =>
  sha === null ? "" : textOf(sha, step);

/** The step behind which to go on: what an undo brought back was there before that one. */
function backTo(steps: readonly FileStep[], at: number): number | undefined {
  const brought = steps[at]?.after ?? null;
  for (let older = at + 1; older < steps.length; older++) if (steps[older]?.before === brought) return older;
  return undefined;
}

/** The places, from 0 and in order, of lines of a text that were not there before. */
export function addedLines(before: string, after: string): Set<number> {
  const [older, newer] = [linesIn(before), linesIn(after)];
  const stayed = new Set(sameLines(older, newer).values());
  return new Set(newer.map((_, at) => at).filter((at) => !stayed.has(at)));
}

/** Maps each line of the older text that is still there to its line of the newer one, in order. */
function sameLines(older: readonly string[], newer: readonly string[]): Map<number, number> {
  const parts = diffArrays([...older], [...newer], { maxEditLength });
  if (parts === undefined) return sameEnds(older, newer);
  const same = new Map<number, number>();
  let [from, to] = [0, 0];
  for (const { added, removed, value } of parts) {
    const count = value.length;
    if (!added && !removed) for (let line = 0; line < count; line++) same.set(from + line, to + line);
    if (!added) from += count;
    if (!removed) to += count;
  }
  return same;
}

function sameEnds(older: readonly string[], newer: readonly string[]): Map<number, number> {
  const same = new Map<number, number>();
  const most = Math.min(older.length, newer.length);
  let begin = 0;
  while (begin < most && older[begin] === newer[begin]) same.set(begin, begin++);
  for (let end = 1; end <= most - begin && older.at(-end) === newer.at(-end); end++)
    same.set(older.length - end, newer.length - end);
  return same;
}
