import type { Span, SpanStyle, StyledLine } from "../../terminal/span.ts";
import { cut, wrapSpans } from "../../terminal/width.ts";

/** A part of the screen: its rows, and where the cursor stands in them. */
export interface Block {
  lines: StyledLine[];
  cursor?: { row: number; col: number };
}

export interface Space {
  columns: number;
  /** Rows that a part may take at most. */
  rows: number;
}

export const nothing: Block = { lines: [] };

/** A run of text; shorthand for building lines. */
export const span = (text: string, style: SpanStyle = {}): Span => ({ text, ...style });

/** A line of one style, cut to the width. */
export const cutTo = (text: string, columns: number, style: SpanStyle = {}): StyledLine => [
  span(cut(text, columns), style),
];

/** Rows of `spans`, wrapped to `width`; the first begins with `lead`, the others are indented by `indent` cells. */
export function hanging(lead: Span, spans: Span[], width: number, indent = 2): StyledLine[] {
  const rows = wrapSpans(spans, Math.max(8, width - indent));
  return rows.map((row, index) => (index === 0 ? [lead, ...row] : [span(" ".repeat(indent)), ...row]));
}

/** Rows above and below a part; what else the part has (cursor, window) stays. */
export const stack = <Part extends Block>(top: StyledLine[], block: Part, below: StyledLine[]): Part => ({
  ...block,
  lines: [...top, ...block.lines, ...below],
  ...(block.cursor === undefined ? {} : { cursor: { row: block.cursor.row + top.length, col: block.cursor.col } }),
});

/** Cells of the bar at the left of a question. */
export const barWidth = (columns: number): number => (columns < 50 ? 1 : 2);

/** A part behind a bar, so that it is found in a long transcript. */
export function barred<Part extends Block>(block: Part, columns: number, style: SpanStyle): Part {
  const width = barWidth(columns);
  const bar = span("▌".padEnd(width), style);
  const { cursor } = block;
  return {
    ...block,
    lines: block.lines.map((line) => [bar, ...line]),
    ...(cursor === undefined ? {} : { cursor: { ...cursor, col: cursor.col + width } }),
  };
}
