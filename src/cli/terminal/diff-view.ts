import type { Change } from "../../files/diff/diff-text.ts";
import { type DiffEntry, entriesOf } from "./diff-entries.ts";
import { countRows, drawnText, type Frame, type Unit, unitRows, unitsOf } from "./diff-rows.ts";
import { countPair, type Pair, pairRows, pairsOf, type Sides, sidesOf } from "./diff-sides.ts";
import { syntaxOf } from "./diff-syntax.ts";
import { changedWords } from "./diff-words.ts";
import type { Highlight } from "./markdown-theme.ts";
import type { StyledLine } from "./span.ts";

/** One row of the screen. */
export interface DiffLine {
  /** `changed`: an old line beside a new one. */
  kind: DiffEntry["kind"] | "changed";
  spans: StyledLine;
  /** Line numbers in the old and the new file. */
  old?: number;
  new?: number;
  /** A further row of the line above it. */
  continued: boolean;
}

export interface DiffOptions {
  /** The lines that name each file. Default: they are there. */
  names?: boolean;
  /** Old lines on the left, new ones on the right. Files that are new or gone keep the whole width. */
  sideBySide?: boolean;
  /** Colours by the language of each file. They never change the text of a row, nor how many there are. */
  highlight?: Highlight | undefined;
  /** Changed words in ⟦ ⟧ and nothing tinted, for a terminal without colours. */
  brackets?: boolean;
}

/** The look of changes, wherever they are drawn. */
export type DiffLook = Pick<DiffOptions, "highlight" | "brackets">;

/** A laid out change: its rows are counted, and made when they are looked at, for a change may be a thousand screens long. */
export interface DiffRows {
  readonly length: number;
  /** The rows at which a file or a hunk begins, ascending. */
  readonly heads: readonly DiffHead[];
  slice(from: number, to: number): DiffLine[];
}

export interface DiffHead {
  kind: "file" | "hunk";
  row: number;
}

/** From so many columns two sides have room for code beside each other. */
export const sideBySideFrom = 140;

const numbersFrom = 30;

interface Layout {
  frame: Frame;
  sides: Sides;
}

/**
 * Changes as rows of at most `width` cells: sign on every row, line numbers, changed lines tinted over the whole width and their
 * changed words more so, trailing blanks as ·, tabs with an arrow, control characters readable. Takes raw text and sanitises it.
 * Changed lines are wrapped and shown to their last character, whatever their length; only lines that stay may be cut.
 */
export function layoutDiff(changes: readonly Change[], width: number, options: DiffOptions = {}): DiffRows {
  const entries = entriesOf(changes, options.names ?? true);
  const frame = toFrame(entries, width, options);
  const layout = { frame, sides: sidesOf(frame) };
  const blocks =
    options.sideBySide === true
      ? pairsOf(entries, frame, layout.sides)
      : entries.flatMap((entry) => unitsOf(entry, frame));
  const ends: number[] = [];
  const heads: DiffHead[] = [];
  let length = 0;
  for (const [at, block] of blocks.entries()) {
    const kind = beginningOf(block, blocks[at - 1]);
    if (kind !== undefined) heads.push({ kind, row: length });
    length += isPair(block) ? countPair(block, layout.sides) : countRows(block, frame);
    ends.push(length);
  }
  return { length, heads, slice: (from, to) => sliceRows(blocks, ends, layout, from, to) };
}

const isPair = (block: Unit | Pair): block is Pair => "left" in block;

/** Two lines name a file. */
function beginningOf(block: Unit | Pair, before: Unit | Pair | undefined): DiffHead["kind"] | undefined {
  if (isPair(block) || !block.first) return undefined;
  const { kind } = block.entry;
  if (kind === "hunk") return "hunk";
  const isSecond = before !== undefined && !isPair(before) && before.entry.kind === "file";
  return kind === "file" && !isSecond ? "file" : undefined;
}

function sliceRows(
  blocks: readonly (Unit | Pair)[],
  ends: readonly number[],
  layout: Layout,
  from: number,
  to: number,
): DiffLine[] {
  const rows: DiffLine[] = [];
  const first = firstAbove(ends, from);
  const skipped = ends[first - 1] ?? 0;
  for (let at = first; at < blocks.length && skipped + rows.length < to; at += 1) {
    const block = blocks[at];
    if (block !== undefined) rows.push(...linesOf(block, layout));
  }
  return rows.slice(Math.max(0, from - skipped), Math.max(0, to - skipped));
}

function linesOf(block: Unit | Pair, { frame, sides }: Layout): DiffLine[] {
  const [left, right] = isPair(block) ? [block.left, block.right] : [block, block];
  const rows = isPair(block) ? pairRows(block, sides) : unitRows(block, frame);
  const unit = left ?? right;
  const same = left === undefined || right === undefined || left.entry.kind === right.entry.kind;
  const old = left?.entry.old;
  const now = right?.entry.new;
  return rows.map((spans, index) => ({
    kind: same ? (unit?.entry.kind ?? "context") : "changed",
    spans,
    ...(old !== undefined && { old }),
    ...(now !== undefined && { new: now }),
    continued: index > 0 || unit?.first === false,
  }));
}

/** The first index whose value is greater; the values ascend. */
function firstAbove(values: readonly number[], limit: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

function toFrame(entries: DiffEntry[], width: number, options: DiffOptions): Frame {
  const highest = entries.reduce((max, entry) => Math.max(max, entry.old ?? 0, entry.new ?? 0), 0);
  const digits = width >= numbersFrom && highest > 0 ? String(highest).length : 0;
  const brackets = options.brackets ?? false;
  const drawn = { width: Math.max(1, width), digits, words: changedWords(entries), brackets };
  return { ...drawn, syntax: syntaxOf(options.highlight, (entry) => drawnText(entry, drawn)) };
}
