import { sanitise } from "./sanitise.ts";
import type { TextBuffer } from "./text-buffer.ts";
import { unitsOf } from "./text-units.ts";
import { cells, cut } from "./width.ts";

const TAB = 4;

interface Unit {
  index: number;
  text: string;
  cells: number;
}

interface Row {
  units: Unit[];
  start: number;
  /** The index at which the next row begins; for the last row of a line the index of the line end. */
  end: number;
  /** Broken for width, so that `end` is shown on the next row. */
  soft: boolean;
}

export interface Layout {
  lines: string[];
  cursor: { row: number; col: number };
}

/** The rows of the screen that the text takes at `width` cells, and where the cursor stands. Wrapped between words. */
export function layout(buffer: TextBuffer, width: number): Layout {
  const rows = toRows(buffer, width);
  const row = rowOf(rows, buffer.cursor);
  const lines = rows.map((one) => one.units.map((unit) => unit.text).join(""));
  return { lines, cursor: { row, col: columnOf(rows[row], buffer.cursor) } };
}

/** One row of the screen up; `undefined` on the first, where a caller goes to the history. */
export function moveUp(buffer: TextBuffer, width: number): TextBuffer | undefined {
  return moveRows(buffer, width, -1);
}

/** One row of the screen down; `undefined` on the last. */
export function moveDown(buffer: TextBuffer, width: number): TextBuffer | undefined {
  return moveRows(buffer, width, 1);
}

/** So many rows of the screen down, or up where `by` is negative, as far as there are any. The same buffer at either end. */
export function movePage(buffer: TextBuffer, width: number, by: number): TextBuffer {
  return moveRows(buffer, width, by, true) ?? buffer;
}

/** @param near goes to the last row on the way where there are fewer */
function moveRows(buffer: TextBuffer, width: number, by: number, near = false): TextBuffer | undefined {
  const rows = toRows(buffer, width);
  const from = rowOf(rows, buffer.cursor);
  const to = near ? Math.max(0, Math.min(rows.length - 1, from + by)) : from + by;
  const target = rows[to];
  if (target === undefined || to === from) return undefined;
  const goal = buffer.goal ?? columnOf(rows[from], buffer.cursor);
  return { ...buffer, cursor: indexAt(target, goal), goal, last: "other" };
}

function toRows(buffer: TextBuffer, width: number): Row[] {
  const limit = Math.max(1, width);
  const rows: Row[] = [];
  let index = 0;
  for (const line of buffer.text.split("\n")) {
    rows.push(...wrapLine(buffer, index, index + line.length, limit));
    index += line.length + 1;
  }
  return rows;
}

function wrapLine(buffer: TextBuffer, start: number, end: number, limit: number): Row[] {
  const rows: Row[] = [];
  let units: Unit[] = [];
  let used = 0;
  let index = start;
  const raws = unitsOf(buffer.text.slice(start, end), buffer.pastes);
  for (const [position, raw] of raws.entries()) {
    const next = raws[position + 1] ?? "";
    let unit = toUnit(index, raw, next, used, limit);
    while (used + unit.cells > limit && units.length > 0) {
      const kept = breakAfterBlank(units);
      rows.push(softRow(units.slice(0, kept), units[kept]?.index ?? index));
      units = units.slice(kept);
      used = units.reduce((sum, one) => sum + one.cells, 0);
      unit = toUnit(index, raw, next, used, limit);
    }
    units.push(unit);
    used += unit.cells;
    index += raw.length;
  }
  if (used >= limit) {
    rows.push(softRow(units, end));
    units = [];
  }
  rows.push({ units, start: units[0]?.index ?? end, end, soft: false });
  return withoutEmptyTail(rows, buffer.cursor, start, end);
}

/** A full last row needs a row after it only for the cursor. */
function withoutEmptyTail(rows: Row[], cursor: number, start: number, end: number): Row[] {
  const last = rows.at(-1);
  const full = rows.at(-2);
  if (start === end || last === undefined || full === undefined || last.units.length > 0 || cursor === end) return rows;
  return [...rows.slice(0, -2), { ...full, soft: false }];
}

function softRow(units: Unit[], end: number): Row {
  return { units, start: units[0]?.index ?? end, end, soft: true };
}

function breakAfterBlank(units: Unit[]): number {
  const blank = units.findLastIndex((unit) => unit.text.startsWith(" "));
  const wordBefore = units.slice(0, blank + 1).some((unit) => !unit.text.startsWith(" "));
  return wordBefore ? blank + 1 : units.length;
}

function toUnit(index: number, raw: string, following: string, column: number, limit: number): Unit {
  if (raw === "\t") {
    const size = Math.min(TAB - (column % TAB), limit);
    return { index, text: " ".repeat(size), cells: size };
  }
  // A joiner at the end of a unit is judged by what follows it.
  const next = raw.endsWith("\u200c") ? following : "";
  const shown = sanitise(raw + next);
  const text = cut(shown.slice(0, shown.length - sanitise(next).length), limit);
  return { index, text, cells: cells(text) };
}

function rowOf(rows: Row[], cursor: number): number {
  const found = rows.findIndex((row) => cursor < row.end || (cursor === row.end && !row.soft));
  return found < 0 ? rows.length - 1 : found;
}

function columnOf(row: Row | undefined, cursor: number): number {
  const before = row?.units.filter((unit) => unit.index < cursor) ?? [];
  return before.reduce((sum, unit) => sum + unit.cells, 0);
}

function indexAt(row: Row, goal: number): number {
  let column = 0;
  for (const unit of row.units) {
    if (column + unit.cells > goal) return unit.index;
    column += unit.cells;
  }
  return row.soft ? (row.units.at(-1)?.index ?? row.start) : row.end;
}
