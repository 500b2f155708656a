import type { Span, StyledLine } from "../terminal/span.ts";
import { cells, cutSpans, padEnd, wrapSpans } from "../terminal/width.ts";
import { wrapped } from "./rows.ts";

/** The fate of the last column where the terminal has too little room for it. */
export type Fit = "cut" | "wrap";

const gap = 2;
/** A last column of fewer cells cannot be read: it goes below the others. */
const narrowest = 28;

/**
 * Rows of cells in columns. At a terminal the last column takes what room is left: its text is cut, or goes on below itself; where
 * too little is left it stands below the others. Elsewhere every cell is whole.
 */
export function tableRows(rows: readonly Span[][], width: number | undefined, fit: Fit): StyledLine[] {
  const count = widest(rows, (row) => row.length);
  const cellsAt = (at: number): number => widest(rows, (row) => cells(row[at]?.text ?? ""));
  const widths = Array.from({ length: count - 1 }, (_, at) => cellsAt(at));
  const before = widths.reduce((sum, size) => sum + size + gap, 0);
  const longest = cellsAt(count - 1);
  const room = (width ?? 0) - before;
  const isBeside = room >= Math.min(narrowest, longest);
  return rows.flatMap((row) => {
    const last = row[count - 1] ?? { text: "" };
    const others = row.slice(0, count - 1).map((cell, at) => ({
      ...cell,
      text: padEnd(cell.text, (widths[at] ?? 0) + gap),
    }));
    if (width === undefined) return [[...others, last]];
    if (isBeside) return beside(others, fitted(last, room, fit), before);
    return [
      ...wrapped(others, width, gap),
      ...beside([{ text: " ".repeat(gap) }], fitted(last, width - gap, fit), gap),
    ];
  });
}

/** More rows than a function takes arguments. */
const widest = (rows: readonly Span[][], sizeOf: (row: Span[]) => number): number =>
  rows.reduce((most, row) => Math.max(most, sizeOf(row)), 0);

const fitted = (cell: Span, room: number, fit: Fit): StyledLine[] =>
  fit === "cut" ? [cutSpans([cell], room)] : wrapSpans([cell], room);

const beside = (head: StyledLine, rows: readonly StyledLine[], indent: number): StyledLine[] =>
  rows.map((row, at) => (at === 0 ? [...head, ...row] : [{ text: " ".repeat(indent) }, ...row]));
