import { question as words } from "../../../words/en/question.ts";
import type { Key } from "../../terminal/key.ts";
import type { Rows } from "../../terminal/rows.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { cutSpans } from "../../terminal/width.ts";
import { type Block, cutTo, type Space } from "../draw/block.ts";

/** The room that a field has on the screen, in cells and rows. */
export interface FieldSpace {
  width: number;
  rows: number;
}

/** The scrolling part of a question, at the present size of the terminal. */
export interface Geometry {
  /** Its rows in all, and those the window holds. */
  total: number;
  window: number;
  /** Columns of the terminal: at another width it is another text. */
  columns: number;
  /** The first row in the window, where a reader says it and not the question. */
  top?: number;
  /** The room of the field that is written in, where there is one: its rows are what up and down go by. */
  field?: FieldSpace;
}

export const nowhere: Geometry = { total: 0, window: 0, columns: 0 };

/** A part with a scrolling window in it. */
export interface WindowBlock extends Block {
  geometry?: Geometry;
}

export interface Windowed {
  lines: StyledLine[];
  geometry: Geometry;
  /** The window's position, in words; empty where all is in it. */
  position: string;
}

/** A scrolled window of `space.rows` rows, of which there may be none. */
export function windowOn(rows: Rows, scroll: number, space: Space, columns = space.columns): Windowed {
  const geometry = { total: rows.length, window: Math.max(0, space.rows), columns };
  const from = Math.max(0, Math.min(scroll, rows.length - geometry.window));
  const to = Math.min(rows.length, from + geometry.window);
  const lines = rows.slice(from, to).map((row) => cutSpans(row, space.columns));
  const isAll = rows.length <= geometry.window;
  return { lines, geometry, position: isAll ? "" : words().position({ from: from + 1, to, of: rows.length }) };
}

/** The same with its position below it when not all fits. */
export function windowed(rows: Rows, scroll: number, space: Space): Windowed {
  if (rows.length <= space.rows) return windowOn(rows, scroll, space);
  const window = windowOn(rows, scroll, { ...space, rows: Math.max(1, space.rows - 1) });
  const position = cutTo(words().scrolls({ position: window.position }), space.columns, { dim: true });
  return { ...window, lines: [...window.lines, position] };
}

/** `scroll` moved by so many lines, inside the body. */
export const scrolledBy = (scroll: number, by: number, { total, window }: Geometry): number =>
  Math.max(0, Math.min(scroll + by, total - window));

/** Returns the number of lines by which a key moves the body; undefined for keys that do not. */
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

/** Returns the number of lines by which a key moves a text that is only to be read: the arrows scroll there. */
export const readBy = (key: Key, window: number): number | undefined =>
  scrollBy(key, window) ?? (key.name === "down" ? 1 : key.name === "up" ? -1 : undefined);
