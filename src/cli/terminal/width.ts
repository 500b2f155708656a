import stringWidth from "string-width";
import { graphemes, pieces } from "./graphemes.ts";
import { mergeSpans, type Span, type StyledLine } from "./span.ts";

const PRINTABLE_ASCII = /^[ -~]*$/;
/** Single characters of the common scripts, which need no look into the tables of Unicode; from U+4E00 on they are wide. */
const SIMPLE =
  /^[ -~\u00ae-\u02ff\u0391-\u03a1\u03a3-\u0482\u2010-\u2027\u2190-\u2193\u2500-\u257f\u4e00-\u9fff\uac00-\ud7a3]*$/;

/** Terminal cells that clean text takes: 2 for wide characters and emoji, 0 for combining marks. */
export function cells(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  if (SIMPLE.test(text)) return simpleCells(text);
  let width = 0;
  for (const piece of pieces(text)) width += stringWidth(piece, { countAnsiEscapeCodes: true });
  return width;
}

function simpleCells(text: string): number {
  let width = 0;
  for (let index = 0; index < text.length; index += 1) width += text.charCodeAt(index) < 0x4e00 ? 1 : 2;
  return width;
}

/** UTF-16 units that are looked at for one cell: what is cut off may be a megabyte. */
const mostPerCell = 32;

/** `text` in at most `width` cells; what is cut off shows as the ellipsis. */
export function cut(text: string, width: number, ellipsis = "…"): string {
  const near = text.slice(0, Math.max(0, width) * mostPerCell + mostPerCell);
  if (near === text && cells(text) <= width) return text;
  const mark = cells(ellipsis) <= width ? ellipsis : "";
  return fitLeft(graphemes(near), width - cells(mark)) + mark;
}

/** A path in at most `width` cells, shortened from the left by whole folders where that is possible: `…/http/retry.ts`. */
export function elidePath(path: string, width: number): string {
  if (cells(path) <= width) return path;
  for (let slash = path.indexOf("/", 1); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    const shorter = `…${path.slice(slash)}`;
    if (cells(shorter) <= width) return shorter;
  }
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (width < 1) return "";
  return `…${fitLeft(graphemes(name).reverse(), width - 1, true)}`;
}

/** Text followed by blanks up to `width` cells; longer text stays whole. */
export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - cells(text)));
}

/** Tabs as blanks up to the next column that `size` divides. */
export function expandTabs(line: string, size = 4): string {
  if (!line.includes("\t")) return line;
  let out = "";
  let column = 0;
  for (const [index, part] of line.split("\t").entries()) {
    const pad = index === 0 ? 0 : size - (column % size);
    out += " ".repeat(pad) + part;
    column += pad + cells(part);
  }
  return out;
}

/** Rows of at most `width` cells, broken between words where there are words. Newlines break as well; never empty. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => {
    if (PRINTABLE_ASCII.test(line) && line.length <= width) return [line];
    return wrapSpans([{ text: line }], width).map((row) => row.map((span) => span.text).join(""));
  });
}

const NARROW = /^[ -~\u00ae-\u02ff\u0391-\u03a1\u03a3-\u0482\u2010-\u2027\u2190-\u2193\u2500-\u257f]*$/;

interface Piece {
  text: string;
  cells: number;
  span: Span;
}

/**
 * `wrap` for styled text: each row keeps the styles; blanks at which a row is broken are dropped. At least one row. A character
 * wider than `width` stands alone on its row.
 */
export function wrapSpans(line: StyledLine, width: number): StyledLine[] {
  const limit = Math.max(1, width);
  if (line.reduce((sum, span) => sum + cells(span.text), 0) <= limit) return [mergeSpans(line)];
  if (line.every((span) => NARROW.test(span.text))) return wrapNarrow(line, limit);
  const rows: StyledLine[] = [];
  let row: Piece[] = [];
  let used = 0;
  for (const piece of line.flatMap(toPieces)) {
    if (used + piece.cells > limit && row.length > 0) {
      if (piece.text === " ") {
        rows.push(toSpans(row));
        row = [];
        used = 0;
        continue;
      }
      const [kept, carried] = breakRow(row, piece);
      rows.push(toSpans(kept));
      row = carried;
      used = carried.reduce((sum, one) => sum + one.cells, 0);
    }
    row.push(piece);
    used += piece.cells;
  }
  rows.push(toSpans(row));
  return rows;
}

/** The same for text of which each UTF-16 unit is one cell: no character is looked at by itself. */
function wrapNarrow(line: StyledLine, limit: number): StyledLine[] {
  const text = line.map((span) => span.text).join("");
  const rows: StyledLine[] = [];
  const takeTo = spansOf(line);
  let start = 0;
  while (text.length - start > limit) {
    const full = start + limit;
    const blank = text.lastIndexOf(" ", full);
    const between = blank === full || (blank > start && text.slice(start, blank).trim() !== "");
    const end = between ? blank : full;
    rows.push(takeTo(start, end));
    start = between ? end + 1 : end;
  }
  rows.push(takeTo(start, text.length));
  return rows;
}

/** Parts of a line by their place in its text; each call begins where the one before ended, or behind it. */
function spansOf(line: StyledLine): (start: number, end: number) => StyledLine {
  let [at, top] = [0, 0];
  return (start, end) => {
    const found: Span[] = [];
    for (; at < line.length; at += 1) {
      const span = line[at] as Span;
      const text = span.text.slice(Math.max(0, start - top), end - top);
      if (text !== "") found.push({ ...span, text });
      if (top + span.text.length > end) break;
      top += span.text.length;
    }
    return mergeSpans(found);
  };
}

function toPieces(span: Span): Piece[] {
  return graphemes(span.text).map((text) => ({ text, cells: cells(text), span }));
}

/** Scripts that are written without blanks, and their marks. */
const UNPARTED = /^[\u2e80-\u30ff\u3400-\u9fff\uff00-\uffef\u201c\u201d]/;
/** The signs that stand at no row's beginning, and those that stand at none's end. */
const CLOSES = /^[\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff1f\uff01\uff09\u3011\u300b\u300d\u300f\u201d]/;
const OPENS = /^[\uff08\u3010\u300a\u300c\u300e\u201c]/;

const mayPart = (before: Piece, after: Piece): boolean =>
  before.text !== " " &&
  (UNPARTED.test(before.text) || UNPARTED.test(after.text)) &&
  !CLOSES.test(after.text) &&
  !OPENS.test(before.text);

/**
 * Parts a full row at its last blank, or beside a character of a script without blanks; unless the row is only indentation before one
 * long word.
 */
function breakRow(row: Piece[], next: Piece): [Piece[], Piece[]] {
  for (let at = row.length; at > 0; at -= 1) {
    const [before, after] = [row[at - 1] as Piece, row[at] ?? next];
    if (mayPart(before, after)) return [row.slice(0, at), row.slice(at)];
    if (before.text !== " ") continue;
    const hasWordBefore = row.slice(0, at - 1).some((piece) => piece.text !== " ");
    return hasWordBefore ? [row.slice(0, at - 1), row.slice(at)] : [row, []];
  }
  return [row, []];
}

function toSpans(row: Piece[]): StyledLine {
  return mergeSpans(row.map((piece) => ({ ...piece.span, text: piece.text })));
}

/** Rows of exactly as many characters as fit, for code: no blank is dropped, words may be parted. */
export function hardWrapSpans(line: StyledLine, width: number): StyledLine[] {
  const limit = Math.max(1, width);
  if (line.reduce((sum, span) => sum + cells(span.text), 0) <= limit) return [line];
  if (line.every((span) => NARROW.test(span.text))) return sliceNarrow(line, limit);
  const rows: Piece[][] = [[]];
  let used = 0;
  for (const piece of line.flatMap(toPieces)) {
    if (used + piece.cells > limit && used > 0) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push(piece);
    used += piece.cells;
  }
  return rows.map(toSpans);
}

/** For text of which each UTF-16 unit is one cell. */
function sliceNarrow(line: StyledLine, limit: number): StyledLine[] {
  const rows: StyledLine[] = [[]];
  let used = 0;
  for (const span of line) {
    for (let at = 0; at < span.text.length; ) {
      if (used === limit) {
        rows.push([]);
        used = 0;
      }
      const text = span.text.slice(at, at + limit - used);
      rows.at(-1)?.push({ ...span, text });
      at += text.length;
      used += text.length;
    }
  }
  return rows;
}

/** Cuts a styled line to `width` cells, with an ellipsis in the style of the place where it was cut. */
export function cutSpans(line: StyledLine, width: number): StyledLine {
  if (line.reduce((sum, span) => sum + cells(span.text), 0) <= width) return line;
  const out: Span[] = [];
  let left = width - 1;
  for (const span of line) {
    const size = cells(span.text);
    if (size > left) {
      out.push({ ...span, text: `${fitLeft(graphemes(span.text), left)}…` });
      break;
    }
    out.push(span);
    left -= size;
  }
  return width < 1 ? [] : out;
}

function fitLeft(parts: string[], width: number, reversed = false): string {
  const kept: string[] = [];
  let used = 0;
  for (const part of parts) {
    used += cells(part);
    if (used > width) break;
    kept.push(part);
  }
  return (reversed ? kept.reverse() : kept).join("");
}
