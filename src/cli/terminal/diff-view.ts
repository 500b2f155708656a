import type { Change } from "../../files/diff-text.ts";
import { type DiffEntry, entriesOf } from "./diff-entries.ts";
import { changedWords, type Part } from "./diff-words.ts";
import { sanitise } from "./sanitise.ts";
import { mergeSpans, type Span, type SpanStyle, type StyledLine } from "./span.ts";
import { cells, cutSpans, hardWrapSpans } from "./width.ts";

/** One row of the screen. */
export interface DiffLine {
  kind: DiffEntry["kind"];
  spans: StyledLine;
  /** Line numbers in the old and the new file. */
  old?: number;
  new?: number;
  /** A further row of the line above it. */
  continued: boolean;
}

export interface DiffOptions {
  /** The lines that name each file. Default: they are there. */
  names?: boolean;
  /** Default: from 30 columns. */
  lineNumbers?: boolean;
}

/** A laid out change: its rows are counted, and made when they are looked at, for a change may be a thousand screens long. */
export interface DiffRows {
  readonly length: number;
  slice(from: number, to: number): DiffLine[];
}

interface Frame {
  width: number;
  /** Cells of the line number, 0 for none. */
  digits: number;
  words: ReadonlyMap<DiffEntry, Part[]>;
}

/** An entry, or a piece of a very long one. */
interface Unit {
  entry: DiffEntry;
  text: string;
  first: boolean;
  last: boolean;
}

/** Longer lines are laid out in pieces of about so many characters. */
const longestPiece = 4_000;
/** A line that stays is there for orientation; of a longer one the end is cut. */
const contextRows = 3;
const numbersFrom = 30;
const tab = 4;

const signs: Readonly<Record<DiffEntry["kind"], string>> = {
  added: "+",
  removed: "-",
  context: " ",
  hunk: "",
  file: "",
  note: "",
  text: "",
};

const styles: Readonly<Record<DiffEntry["kind"], SpanStyle>> = {
  added: { color: "green" },
  removed: { color: "red" },
  context: {},
  hunk: { color: "cyan" },
  file: { bold: true },
  note: { dim: true },
  text: {},
};

/**
 * Changes as rows of at most `width` cells: sign on every row, line numbers, changed words in inverse, trailing blanks as ·,
 * control characters readable, a tab with an arrow where only blanks changed. Takes raw text and sanitises it. Changed
 * lines are wrapped and shown to their last character, whatever their length; only lines that stay may be cut.
 */
export function layoutDiff(changes: readonly Change[], width: number, options: DiffOptions = {}): DiffRows {
  const entries = entriesOf(changes, options.names ?? true);
  const frame = toFrame(entries, width, options);
  const units = entries.flatMap((entry) => unitsOf(entry, frame));
  const ends: number[] = [];
  let length = 0;
  for (const unit of units) {
    length += countRows(unit, frame);
    ends.push(length);
  }
  return { length, slice: (from, to) => sliceRows(units, ends, frame, from, to) };
}

function sliceRows(units: readonly Unit[], ends: readonly number[], frame: Frame, from: number, to: number) {
  const rows: DiffLine[] = [];
  const first = firstAbove(ends, from);
  const skipped = ends[first - 1] ?? 0;
  for (let at = first; at < units.length && skipped + rows.length < to; at += 1) {
    const unit = units[at];
    if (unit !== undefined) rows.push(...unitRows(unit, frame));
  }
  return rows.slice(Math.max(0, from - skipped), Math.max(0, to - skipped));
}

/** The first index whose value is greater; the values ascend. */
function firstAbove(values: readonly number[], limit: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

function toFrame(entries: DiffEntry[], width: number, options: DiffOptions): Frame {
  const numbers = options.lineNumbers ?? width >= numbersFrom;
  const highest = entries.reduce((max, entry) => Math.max(max, entry.old ?? 0, entry.new ?? 0), 0);
  const digits = numbers && highest > 0 ? String(highest).length : 0;
  return { width: Math.max(1, width), digits, words: changedWords(entries) };
}

function unitsOf(entry: DiffEntry, frame: Frame): Unit[] {
  const { text, kind } = entry;
  if (text.length <= longestPiece) return [{ entry, text, first: true, last: true }];
  const room = roomOf(frame, kind);
  const size = Math.max(1, Math.floor(longestPiece / room)) * room;
  if (kind === "context") return [{ entry, text: text.slice(0, size), first: true, last: false }];
  const units: Unit[] = [];
  for (let from = 0; from < text.length; ) {
    const end = wholeCharacters(text, from + size);
    units.push({ entry, text: text.slice(from, end), first: from === 0, last: end >= text.length });
    from = end;
  }
  return units;
}

/** Not between the halves of a surrogate pair. */
const wholeCharacters = (text: string, end: number): number =>
  /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end + 1 : end;

const roomOf = (frame: Frame, kind: DiffEntry["kind"]): number =>
  Math.max(1, frame.width - (signs[kind] === "" ? 0 : gutterWidth(frame)));

/** As many rows as `unitRows` makes; ASCII, most of any text, need not be laid out for that. */
function countRows(unit: Unit, frame: Frame): number {
  const { kind } = unit.entry;
  const width = asciiCells(unit.text);
  if (width === undefined) return unitRows(unit, frame).length;
  const rows = Math.max(1, Math.ceil(width / roomOf(frame, kind)));
  return kind === "context" ? Math.min(contextRows, rows) : rows;
}

/** undefined for what is not printable ASCII with tabs between it; tabs at the end are drawn in a way of their own. */
function asciiCells(text: string): number | undefined {
  if (/^[ -~]*$/.test(text)) return text.length;
  if (!/^[ -~\t]*[!-~]$/.test(text)) return undefined;
  let column = 0;
  for (const [index, part] of text.split("\t").entries()) {
    if (index > 0) column += tab - (column % tab);
    column += part.length;
  }
  return column;
}

function unitRows(unit: Unit, frame: Frame): DiffLine[] {
  const { entry } = unit;
  const room = roomOf(frame, entry.kind);
  const rows = hardWrapSpans(contentSpans(unit, frame), room);
  return (entry.kind === "context" ? withinContext(rows, room) : rows).map((row, index) => {
    const continued = !unit.first || index > 0;
    return {
      kind: entry.kind,
      spans: mergeSpans([...gutter(entry, continued, frame), ...row]),
      ...(entry.old !== undefined && { old: entry.old }),
      ...(entry.new !== undefined && { new: entry.new }),
      continued,
    };
  });
}

function withinContext(rows: StyledLine[], room: number): StyledLine[] {
  if (rows.length <= contextRows) return rows;
  const last = rows[contextRows - 1] ?? [];
  return [...rows.slice(0, contextRows - 1), [...cutSpans([...last, { text: "……" }], room)]];
}

function gutterWidth(frame: Frame): number {
  return frame.digits === 0 ? 1 : frame.digits + 3;
}

function gutter(entry: DiffEntry, continued: boolean, frame: Frame): Span[] {
  if (signs[entry.kind] === "") return [];
  const sign = { ...styles[entry.kind], text: signs[entry.kind] };
  if (frame.digits === 0) return [sign];
  const number = continued ? "" : String(entry.new ?? entry.old ?? "");
  return [{ dim: true, text: `${number.padStart(frame.digits)} ` }, sign, { text: " " }];
}

function contentSpans({ entry, text, last }: Unit, frame: Frame): Span[] {
  const style = styles[entry.kind];
  const body = last && signs[entry.kind] !== "" ? text.slice(0, bodyEnd(text)) : text;
  const trailing = text.slice(body.length);
  const parts = frame.words.get(entry);
  const arrows = parts?.every((part) => !part.changed || part.text.trim() === "");
  const spans = within(parts ?? [{ text: body, changed: false }], body.length).map((part) => {
    const emphasis = part.changed ? { inverse: true, bold: true } : {};
    return { ...style, ...emphasis, text: part.text };
  });
  const drawn = expand(spans, arrows);
  const shownTrailing = entry.kind === "context" ? blanks(trailing, " ", " ") : blanks(trailing, "·", "→");
  if (shownTrailing !== "")
    drawn.push({ ...style, ...(entry.kind === "context" ? {} : { inverse: true }), text: shownTrailing });
  return drawn;
}

/** Where the blanks at the end of a line begin. */
function bodyEnd(text: string): number {
  let end = text.length;
  while (end > 0 && /[ \t]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}

/** The parts up to `length` UTF-16 units. */
function within(parts: Part[], length: number): Part[] {
  let left = length;
  const kept: Part[] = [];
  for (const part of parts) {
    kept.push({ ...part, text: part.text.slice(0, left) });
    left = Math.max(0, left - part.text.length);
  }
  return kept;
}

/** Sanitised spans with tabs as blanks up to the next column, the first of them an arrow where tabs are what matters. */
function expand(spans: Span[], arrows = false): Span[] {
  let column = 0;
  return spans.map((span) => {
    const text = sanitise(span.text, { tabWidth: 0, showSequences: true })
      .split(/(\t)/)
      .map((piece) => {
        const size = piece === "\t" ? tab - (column % tab) : cells(piece);
        column += size;
        return piece === "\t" ? (arrows ? "→" : " ").padEnd(size) : piece;
      })
      .join("");
    return { ...span, text };
  });
}

function blanks(text: string, space: string, ofTab: string): string {
  return sanitise(text.replaceAll(" ", space), { tabWidth: 0 }).replaceAll("\t", ofTab.padEnd(tab));
}
