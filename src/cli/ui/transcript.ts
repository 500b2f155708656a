import type { Highlight } from "../terminal/markdown-theme.ts";
import { type Rows, stacked } from "../terminal/rows.ts";
import type { StyledLine } from "../terminal/span.ts";
import { isApart, itemRows } from "./item-lines.ts";
import type { Item } from "./view.ts";

/** Rows that are one text for ink, whose time for a text goes with the square of its length. */
const rowsOfPiece = 50;

/** Rows that are handed on at a time: keys that come meanwhile wait no longer than these take. */
const rowsAtATime = 400;

/** The finished items as rows in small pieces, a few of them at a time. */
export class Transcript {
  #pieces: StyledLine[][] = [];
  /** Items whose rows have been begun. */
  #begun = 0;
  #open: { rows: Rows; at: number } | undefined;

  /** All pieces that were handed on, append-only. */
  get pieces(): StyledLine[][] {
    return this.#pieces;
  }

  /** Hands on the next rows. @returns whether there are more. */
  advance(items: readonly Item[], columns: number, highlight: Highlight | undefined): boolean {
    const added: StyledLine[][] = [];
    for (let room = rowsAtATime; room > 0; ) {
      const piece = this.#next(items, columns, highlight);
      if (piece === undefined) break;
      added.push(piece);
      room -= piece.length;
    }
    if (added.length > 0) this.#pieces = [...this.#pieces, ...added];
    return this.#open !== undefined || this.#begun < items.length;
  }

  #next(items: readonly Item[], columns: number, highlight: Highlight | undefined): StyledLine[] | undefined {
    while (this.#open === undefined) {
      const item = items[this.#begun];
      if (item === undefined) return undefined;
      const rows = itemRows(item, columns, highlight);
      const apart = isApart(item, items[this.#begun - 1]);
      this.#begun += 1;
      if (rows.length > 0) this.#open = { rows: apart ? stacked([[[]], rows]) : rows, at: 0 };
    }
    const { rows, at } = this.#open;
    const to = Math.min(rows.length, at + rowsOfPiece);
    this.#open = to < rows.length ? { rows, at: to } : undefined;
    return rows.slice(at, to);
  }
}
