import { type DiffEntry, parseDiff } from "./diff-parse.ts";
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
  /** `cut` shows one row a line, with an ellipsis. Default `wrap`: an approval must not hide the end of a line. */
  overflow?: "wrap" | "cut";
  /** Default: from 30 columns. */
  lineNumbers?: boolean;
  /** Lines of the diff that are laid out; the rest is counted in a note. Default 20,000. */
  maxLines?: number;
}

interface Frame {
  width: number;
  overflow: "wrap" | "cut";
  /** Cells of the line number, 0 for none. */
  digits: number;
  /** All lines end in CR LF, so that the CR of each says nothing. */
  crlf: boolean;
}

const MAX_LINES = 20_000;
const LONGEST_LINE = 4000;
const NUMBERS_FROM = 30;
const TAB = 4;

const SIGNS: Readonly<Record<DiffEntry["kind"], string>> = {
  added: "+",
  removed: "-",
  context: " ",
  hunk: "",
  file: "",
  note: "",
};

const STYLES: Readonly<Record<DiffEntry["kind"], SpanStyle>> = {
  added: { color: "green" },
  removed: { color: "red" },
  context: {},
  hunk: { color: "cyan" },
  file: { bold: true },
  note: { dim: true },
};

/**
 * A unified diff as rows of at most `width` cells: sign on every row, line numbers, changed words in inverse, trailing blanks
 * as ·, CR as ␍ (unless all lines end in CR LF), a tab with an arrow where only blanks changed. Takes the raw diff and sanitises
 * it, escape sequences shown. Bounded: lines past 4,000 characters and diffs past `maxLines` end in a note that counts the rest.
 */
export function layoutDiff(diff: string, width: number, options: DiffOptions = {}): DiffLine[] {
  const { entries, left } = parseDiff(diff, options.maxLines ?? MAX_LINES);
  const frame = toFrame(entries, width, options);
  const words = changedWords(entries);
  const rows: DiffLine[] = [];
  for (const entry of entries) for (const row of entryRows(entry, words.get(entry), frame)) rows.push(row);
  if (left > 0) rows.push(...entryRows({ kind: "note", text: `… ${left} more lines are not shown` }, undefined, frame));
  return rows;
}

function toFrame(entries: DiffEntry[], width: number, options: DiffOptions): Frame {
  const numbered = options.lineNumbers ?? width >= NUMBERS_FROM;
  const highest = entries.reduce((max, entry) => Math.max(max, entry.old ?? 0, entry.new ?? 0), 0);
  const contents = entries.filter((entry) => SIGNS[entry.kind] !== "");
  const crlf = contents.length > 0 && contents.every((entry) => entry.text.endsWith("\r"));
  const digits = numbered && highest > 0 ? String(highest).length : 0;
  return { width: Math.max(1, width), overflow: options.overflow ?? "wrap", digits, crlf };
}

function entryRows(entry: DiffEntry, parts: Part[] | undefined, frame: Frame): DiffLine[] {
  const style = STYLES[entry.kind];
  const numbers = {
    ...(entry.old !== undefined && { old: entry.old }),
    ...(entry.new !== undefined && { new: entry.new }),
  };
  if (SIGNS[entry.kind] === "") {
    const text = sanitise(entry.text.slice(0, LONGEST_LINE), { showSequences: true });
    return [{ kind: entry.kind, spans: cutSpans([{ ...style, text }], frame.width), continued: false }];
  }
  const content = contentSpans(entry, parts, frame);
  const room = Math.max(1, frame.width - gutterWidth(frame));
  const rows = frame.overflow === "cut" ? [cutSpans(content, room)] : hardWrapSpans(content, room);
  return rows.map((row, index) => ({
    kind: entry.kind,
    spans: mergeSpans([...gutter(entry, index > 0, frame), ...row]),
    ...numbers,
    continued: index > 0,
  }));
}

function gutterWidth(frame: Frame): number {
  return frame.digits === 0 ? 1 : frame.digits + 3;
}

function gutter(entry: DiffEntry, continued: boolean, frame: Frame): Span[] {
  const sign = { ...STYLES[entry.kind], text: SIGNS[entry.kind] };
  if (frame.digits === 0) return [sign];
  const number = continued ? "" : String(entry.new ?? entry.old ?? "");
  return [{ dim: true, text: `${number.padStart(frame.digits)} ` }, sign, { text: " " }];
}

function contentSpans(entry: DiffEntry, parts: Part[] | undefined, frame: Frame): Span[] {
  const style = STYLES[entry.kind];
  const ended = frame.crlf ? entry.text.slice(0, -1) : entry.text;
  const text = ended.slice(0, LONGEST_LINE);
  const body = text.slice(0, bodyEnd(text));
  const trailing = text.slice(body.length);
  const arrows = parts?.every((part) => !part.changed || part.text.trim() === "");
  const spans = within(parts ?? [{ text: body, changed: false }], body.length).map((part) => {
    const emphasis = part.changed ? { inverse: true, bold: true } : {};
    return { ...style, ...emphasis, text: part.text };
  });
  const drawn = expand(spans, arrows);
  const shownTrailing = entry.kind === "context" ? blanks(trailing, " ", " ") : blanks(trailing, "·", "→");
  if (shownTrailing !== "")
    drawn.push({ ...style, ...(entry.kind === "context" ? {} : { inverse: true }), text: shownTrailing });
  if (ended.length > text.length) drawn.push({ dim: true, text: ` … ${ended.length - text.length} more characters` });
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
        const size = piece === "\t" ? TAB - (column % TAB) : cells(piece);
        column += size;
        return piece === "\t" ? (arrows ? "→" : " ").padEnd(size) : piece;
      })
      .join("");
    return { ...span, text };
  });
}

function blanks(text: string, space: string, tab: string): string {
  return sanitise(text.replaceAll(" ", space), { tabWidth: 0 }).replaceAll("\t", tab.padEnd(TAB));
}
