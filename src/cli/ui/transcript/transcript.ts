import type { DiffLook } from "../../terminal/diff-view.ts";
import { type Rows, stacked } from "../../terminal/rows.ts";
import type { StyledLine } from "../../terminal/span.ts";
import type { Item } from "../view/view.ts";
import { isApart, itemRows } from "./item-lines.ts";

/** Rows that are handed on at a time: keys that come meanwhile wait no longer than these take. */
const rowsAtATime = 400;

/** The finished items as rows, each handed on once, some of them at a time. */
export class Transcript {
  /** Items whose rows have been begun. */
  #begun = 0;
  #open: { rows: Rows; at: number } | undefined;

  /** Tells whether all rows of these items were handed on. */
  isDone(items: readonly Item[]): boolean {
    return this.#open === undefined && this.#begun >= items.length;
  }

  /** The next rows, at most `most` of them. */
  take(items: readonly Item[], columns: number, look: DiffLook, most = rowsAtATime): StyledLine[] {
    const taken: StyledLine[] = [];
    while (taken.length < most) {
      const rows = this.#next(items, columns, look, most - taken.length);
      if (rows === undefined) break;
      for (const row of rows) taken.push(row);
    }
    return taken;
  }

  #next(items: readonly Item[], columns: number, look: DiffLook, most: number): StyledLine[] | undefined {
    while (this.#open === undefined) {
      const item = items[this.#begun];
      if (item === undefined) return undefined;
      const rows = itemRows(item, columns, look);
      const apart = isApart(item, items[this.#begun - 1]);
      this.#begun += 1;
      if (rows.length > 0) this.#open = { rows: apart ? stacked([[[]], rows]) : rows, at: 0 };
    }
    const { rows, at } = this.#open;
    const to = Math.min(rows.length, at + most);
    this.#open = to < rows.length ? { rows, at: to } : undefined;
    return rows.slice(at, to);
  }
}
