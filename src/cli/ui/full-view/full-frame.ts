import { fullView as words } from "../../../words/en/full-view.ts";
import { sideBySideFrom } from "../../terminal/diff-view.ts";
import { graphemes } from "../../terminal/graphemes.ts";
import { plainText, type Span, type StyledLine } from "../../terminal/span.ts";
import { layout } from "../../terminal/text-layout.ts";
import { cells, cut, cutSpans, elidePath } from "../../terminal/width.ts";
import { type Block, cutTo, span } from "../draw/block.ts";
import type { Geometry } from "../question/window.ts";
import { countSpans, type HeadedRows } from "../transcript/item-lines.ts";
import type { Counts } from "../view/view.ts";
import { hitsIn, type Reader, type ReaderText } from "./reader-state.ts";

/** The text that is read on the whole screen. */
export interface FullText {
  /** Stand at the top, whatever is scrolled. */
  head(columns: number, rows: number): StyledLine[];
  /** In the order of the file heads; empty where there is one file or none. */
  files: readonly { name: string; counts: Counts | undefined }[];
  lay(width: number, sides: boolean): HeadedRows;
  /** The effects of the keys, in the longest words that fit the row. */
  hints: readonly string[];
}

/** The whole screen: as many rows as the terminal has. */
export interface FullFrame extends Block {
  geometry: Geometry;
  text: ReaderText;
}

/** From so many columns the files stand at the side. */
const listFrom = 120;
const mostListCells = 40;
/** Lines that run on to the right are laid out in so many columns. */
const unwrapped = 2_000;

interface Size {
  columns: number;
  rows: number;
}

export function fullFrame(reader: Reader, full: FullText, size: Size): FullFrame {
  const head = full.head(size.columns, size.rows).slice(0, Math.max(1, Math.floor(size.rows / 2)));
  const mayBeListed = size.columns >= listFrom && full.files.length > 1;
  const listCells = mayBeListed ? Math.min(mostListCells, listWidth(full)) : 0;
  const beside = size.columns - (mayBeListed ? listCells + 3 : 0);
  const mayHaveSides = size.columns >= sideBySideFrom;
  // The list of files makes room for two sides where these are asked for.
  const listed =
    mayBeListed && !(mayHaveSides && beside < sideBySideFrom && reader.sides === true && reader.left === undefined);
  const width = listed ? beside : size.columns;
  const sides = width >= sideBySideFrom && reader.left === undefined && (reader.sides ?? true);
  const rows = full.lay(reader.left === undefined ? width : unwrapped, sides);
  const window = Math.max(1, size.rows - head.length - 1);
  const top = topOf(reader, rows, window);
  const text: ReaderText = { rows, heads: rows.heads, window, top, mayHaveSides, sides };
  const shown = rows.slice(top, Math.min(rows.length, top + window)).map((row) => withHits(row, reader));
  const body = shown.map((row) =>
    reader.left === undefined ? cutSpans(row, width) : cellsFrom(row, reader.left, width),
  );
  const filled = Array.from({ length: window }, (_, index) => body[index] ?? []);
  const list = listed ? fileList(full, text, listCells, window) : [];
  const rowsShown = filled.map((row, index) => (listed ? [...(list[index] ?? []), ...row] : row));
  const foot = footOf(reader, full, text, size.columns);
  const lines = [...head.map((row) => cutSpans(row, size.columns)), ...rowsShown, ...foot.lines];
  const { cursor } = foot;
  // Of lines that run on to the right not all is on the screen.
  const geometry = { total: rows.length, window: reader.left === undefined ? window : 0, columns: size.columns, top };
  return { lines, geometry, text, ...(cursor && { cursor: { ...cursor, row: lines.length - 1 } }) };
}

function topOf({ top, place }: Reader, rows: HeadedRows, window: number): number {
  const wanted = place === undefined ? top : (rows.heads[place.head]?.row ?? 0) + place.below;
  return Math.max(0, Math.min(wanted, rows.length - window));
}

/** The row with the words that were searched for set off, wherever they stand in it. */
function withHits(row: StyledLine, { query, hit }: Reader): StyledLine {
  const hits = hit === undefined ? [] : hitsIn(row, query);
  if (hits.length === 0) return row;
  const isHit = (at: number): boolean => hits.some((from) => from <= at && at < from + query.length);
  let before = 0;
  return row.flatMap(({ text, ...style }) => {
    const from = before;
    before += text.length;
    const edges = hits.flatMap((one) => [one - from, one + query.length - from]);
    const cuts = [0, ...edges.filter((at) => at > 0 && at < text.length), text.length];
    return cuts.slice(1).map((to, index): Span => {
      const begin = cuts[index] ?? 0;
      const piece = span(text.slice(begin, to), style);
      return isHit(from + begin) ? { ...piece, inverse: true } : piece;
    });
  });
}

/** The cells of a row from a column on. */
function cellsFrom(row: StyledLine, left: number, width: number): StyledLine {
  const kept: Span[] = [];
  let column = 0;
  for (const one of row) {
    let text = "";
    for (const piece of graphemes(one.text)) {
      const size = cells(piece);
      if (column >= left && column + size <= left + width) text += piece;
      column += size;
    }
    if (text !== "") kept.push({ ...one, text });
    if (column > left + width) break;
  }
  return kept;
}

const countsText = (counts: Counts | undefined): Span[] => (counts === undefined ? [] : countSpans(counts));

const listWidth = ({ files }: FullText): number =>
  Math.max(...files.map(({ name, counts }) => cells(name) + cells(plainText(countsText(counts))) + 2));

/** The files round the one that is read, one a row, a rule at their right. */
function fileList(full: FullText, text: ReaderText, width: number, rows: number): StyledLine[] {
  const heads = text.heads.filter(({ kind }) => kind === "file");
  const at = heads.findLastIndex(({ row }) => row <= text.top);
  const from = Math.max(0, Math.min(at - Math.floor(rows / 2), full.files.length - rows));
  return Array.from({ length: rows }, (_, index): StyledLine => {
    const file = full.files[from + index];
    const line = file === undefined ? [] : fileLine(file, from + index === at, width);
    return [...line, span(" ".repeat(width - cells(plainText(line)))), span(" │ ", { dim: true })];
  });
}

function fileLine({ name, counts }: FullText["files"][number], isHere: boolean, width: number): StyledLine {
  const tail = countsText(counts);
  const room = width - 2 - cells(plainText(tail));
  const style = isHere ? { bold: true, color: "cyan" as const } : {};
  return cutSpans([span(`${isHere ? "❯" : " "} ${elidePath(name, Math.max(6, room))}`, style), ...tail], width);
}

/** The search that is typed, what is to be said, or the keys; where the window stands is at the right end. */
function footOf(reader: Reader, full: FullText, text: ReaderText, columns: number): Block {
  if (reader.typing !== undefined) {
    const { lines, cursor } = layout(reader.typing, Math.max(4, columns - 2));
    return {
      lines: [cutSpans([span("/", { bold: true }), span(lines[cursor.row] ?? "")], columns)],
      cursor: { row: 0, col: 1 + cursor.col },
    };
  }
  const to = Math.min(text.rows.length, text.top + text.window);
  const of = text.rows.length;
  const position = to >= of ? words().end({ to }) : words().position({ from: text.top + 1, to, of });
  const room = columns - cells(position) - 2;
  const keys = full.hints.find((one) => cells(one) <= room) ?? full.hints.at(-1) ?? "";
  const left =
    reader.note === "" ? cutTo(keys, room, { dim: true }) : cutTo(`› ${reader.note}`, room, { color: "yellow" });
  const gap = " ".repeat(Math.max(1, columns - cells(plainText(left)) - cells(position)));
  return { lines: [[...left, span(gap), span(cut(position, columns), { dim: true })]] };
}
