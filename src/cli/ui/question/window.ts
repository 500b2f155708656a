import type { Key } from "../../terminal/key.ts";
import type { Rows } from "../../terminal/rows.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { cutSpans } from "../../terminal/width.ts";
import { type Block, cutTo, type Space } from "../draw/block.ts";

/** The lines of a question's body in all and those the window holds, at the present size. */
export interface Geometry {
  total: number;
  window: number;
}

export const nowhere: Geometry = { total: 0, window: 0 };

/** A part with a scrolling window in it. */
export interface WindowBlock extends Block {
  geometry?: Geometry;
}

const positionLine = (scroll: number, { total, window }: Geometry, columns: number): StyledLine[] =>
  total <= window
    ? []
    : [
        cutTo(`lines ${scroll + 1}-${Math.min(total, scroll + window)} of ${total} · pgup/pgdn`, columns, {
          dim: true,
        }),
      ];

/** A scrolled window of `rows` on the body, with its position below it when it does not fit. */
export function windowed(rows: Rows, scroll: number, space: Space): Required<Omit<WindowBlock, "cursor">> {
  const room = rows.length <= space.rows ? space.rows : Math.max(1, space.rows - 1);
  const geometry = { total: rows.length, window: room };
  const from = Math.max(0, Math.min(scroll, rows.length - room));
  const lines = rows.slice(from, from + room).map((row) => cutSpans(row, space.columns));
  return { lines: [...lines, ...positionLine(from, geometry, space.columns)], geometry };
}

/** `scroll` moved by so many lines, inside the body. */
export const scrolledBy = (scroll: number, by: number, { total, window }: Geometry): number =>
  Math.max(0, Math.min(scroll + by, total - window));

/** How far a key moves the body, in lines; undefined for keys that do not. */
export function scrollBy(key: Key, window: number): number | undefined {
  const page = Math.max(1, window - 1);
  if (key.name === "pagedown" || (key.name === "char" && key.text === " ")) return page;
  if (key.name === "pageup") return -page;
  if (key.name === "home") return Number.NEGATIVE_INFINITY;
  if (key.name === "end") return Number.POSITIVE_INFINITY;
  const line = key.shift || key.ctrl;
  if (key.name === "down" && line) return 1;
  if (key.name === "up" && line) return -1;
  return undefined;
}

/** How far a key moves what there is only to be read: the arrows scroll there. */
export const readBy = (key: Key, window: number): number | undefined =>
  scrollBy(key, window) ?? (key.name === "down" ? 1 : key.name === "up" ? -1 : undefined);
