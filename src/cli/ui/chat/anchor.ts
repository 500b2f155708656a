import type { StyledLine } from "../../terminal/span.ts";
import type { Frame, Part } from "./live-frame.ts";

interface Size {
  columns: number;
  rows: number;
}

/**
 * Keeps the last row of the live part where it is on the screen: blank rows stand above a live part that became lower, until what is
 * finished next is written into their place. In a window of another size it begins anew, for nobody can tell where the terminal put the rows.
 */
export class Anchor {
  /** Rows of the live part that its last row is held by, with the blank ones. */
  #height = 0;
  /** Rows that are above the live part for certain. */
  #above = 0;
  #size: Size = { columns: 0, rows: 0 };
  #blank = 0;

  /** Blank rows above the live part that was held last. */
  get blank(): number {
    return this.#blank;
  }

  /** So many rows were written above the live part. */
  wrote(rows: number): void {
    this.#height = Math.max(0, this.#height - rows);
    this.#above += rows;
  }

  /** `frame` with the blank rows above it. One of nothing, as behind a full view, leaves all as it was. */
  held(frame: Frame, size: Size): Frame {
    if (size.columns !== this.#size.columns || size.rows !== this.#size.rows) {
      this.#height = 0;
      this.#above = 0;
    }
    this.#size = size;
    const { length } = frame.lines;
    if (length === 0) return frame;
    this.#blank = Math.max(0, this.#height - length);
    const pushedUp = this.#above + length > size.rows;
    this.#height = Math.max(this.#height, pushedUp ? length : length - ownRows(frame.parts));
    return this.#blank === 0 ? frame : lowered(frame, this.#blank);
  }
}

/** Rows that the person's own keys open and close, a menu or more lines of a draft: where they pushed nothing up, the input stays in its place. */
const ownRows = (parts: readonly Part[]): number =>
  parts.reduce((sum, { name, block }) => {
    if (name === "popup") return sum + block.lines.length;
    return name === "composer" ? sum + block.lines.length - 1 : sum;
  }, 0);

function lowered(frame: Frame, rows: number): Frame {
  const { cursor, lines, parts } = frame;
  const blank = Array.from({ length: rows }, (): StyledLine => []);
  return {
    ...frame,
    lines: [...blank, ...lines],
    parts: parts.map((part, index) => (index === 0 ? { ...part, gap: part.gap + rows } : part)),
    ...(cursor === undefined ? {} : { cursor: { ...cursor, row: cursor.row + rows } }),
  };
}
