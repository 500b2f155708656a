import type { DiffEntry } from "./diff-entries.ts";
import { colored, type SyntaxOf } from "./diff-syntax.ts";
import type { Part } from "./diff-words.ts";
import { sanitise } from "./sanitise.ts";
import { type Ground, mergeSpans, plainText, type Span, type SpanStyle, type StyledLine } from "./span.ts";
import { cells, cutSpans, hardWrapSpans } from "./width.ts";

/** The frame in which rows are drawn: the whole width, or one of two sides. */
export interface Frame {
  width: number;
  /** Cells of the line number, 0 for none. */
  digits: number;
  /** Of two sides, the one whose numbers its lines have. */
  side?: "old" | "new";
  words: ReadonlyMap<DiffEntry, Part[]>;
  /** Changed words stand in ⟦ ⟧, for whoever sees no colours; nothing is tinted. */
  brackets: boolean;
  syntax: SyntaxOf;
}

/** An entry, or a piece of a very long one. */
export interface Unit {
  entry: DiffEntry;
  text: string;
  first: boolean;
  last: boolean;
}

/** Longer lines are laid out in pieces of about so many characters. */
const longestPiece = 4_000;
/** A line that stays is there for orientation; of a longer one the end is cut. */
const contextRows = 3;
const tab = 4;

interface Kind {
  sign: string;
  style: SpanStyle;
  signStyle?: SpanStyle;
  word?: Ground;
}

const kinds: Readonly<Record<DiffEntry["kind"], Kind>> = {
  added: { sign: "+", style: { background: "added" }, signStyle: { color: "addedSign" }, word: "addedWord" },
  removed: { sign: "-", style: { background: "removed" }, signStyle: { color: "removedSign" }, word: "removedWord" },
  context: { sign: " ", style: {} },
  hunk: { sign: "", style: { color: "cyan" } },
  file: { sign: "", style: { bold: true } },
  note: { sign: "", style: { dim: true } },
  text: { sign: "", style: {} },
};

export function unitsOf(entry: DiffEntry, frame: Frame): Unit[] {
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
  Math.max(1, frame.width - (kinds[kind].sign === "" ? 0 : gutterWidth(frame)));

const gutterWidth = ({ digits }: Frame): number => (digits === 0 ? 1 : digits + 3);

/** As many rows as `unitRows` makes; ASCII, most of any text, need not be laid out for that. */
export function countRows(unit: Unit, frame: Frame): number {
  const { kind } = unit.entry;
  const bracketed = frame.brackets && frame.words.has(unit.entry);
  const width = bracketed ? undefined : asciiCells(unit.text);
  if (width === undefined) return contentRows(unit, frame).length;
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

/** The rows of a unit, each with its sign; those of a changed line are tinted over the whole width. */
export function unitRows(unit: Unit, frame: Frame): StyledLine[] {
  const { entry, first } = unit;
  const line = first && unit.last ? frame.syntax(entry) : undefined;
  let at = 0;
  return contentRows(unit, frame).map((row, index) => {
    const shown = line === undefined ? row : colored(row, line, at);
    at += plainText(row).length;
    return tinted([...gutter(entry, !first || index > 0, frame), ...shown], kinds[entry.kind].style, frame);
  });
}

/** Returns the text of a line as a person reads it, without the blanks at its end, for whoever colours it. */
export const drawnText = (entry: DiffEntry, frame: Omit<Frame, "syntax">): string =>
  plainText(bodySpans({ entry, text: entry.text, first: true, last: true }, frame).spans);

function contentRows(unit: Unit, frame: Frame): StyledLine[] {
  const { entry } = unit;
  const room = roomOf(frame, entry.kind);
  const rows = hardWrapSpans(contentSpans(unit, frame), room);
  if (entry.section !== undefined) return withSection(rows, entry.section, room);
  if (entry.kind !== "context" || rows.length <= contextRows) return rows;
  const last = rows[contextRows - 1] ?? [];
  return [...rows.slice(0, contextRows - 1), cutSpans([...last, { text: "……" }], room)];
}

/** Adds the section in which a hunk stands, as far as there is room behind its head. */
function withSection(rows: StyledLine[], section: string, room: number): StyledLine[] {
  const shown = sanitise(section, { showSequences: true });
  return [...rows.slice(0, -1), cutSpans([...(rows.at(-1) ?? []), { color: "faint", text: ` ${shown}` }], room)];
}

function tinted(row: StyledLine, { background }: SpanStyle, frame: Frame): StyledLine {
  if (background === undefined || frame.brackets) return mergeSpans(row);
  const free = frame.width - cells(plainText(row));
  return mergeSpans([...row, { background, text: " ".repeat(Math.max(0, free)) }]);
}

function gutter(entry: DiffEntry, continued: boolean, frame: Frame): Span[] {
  const { sign, signStyle, style } = kinds[entry.kind];
  if (sign === "") return [];
  const drawn: Span = { ...ground(style, frame), ...signStyle, text: sign };
  if (frame.digits === 0) return [drawn];
  const number = continued ? "" : String((frame.side === "old" ? entry.old : entry.new) ?? entry.old ?? "");
  // On a tinted row dim text may be too weak to be read; on a plain one the faint colour is near that of the text.
  const weak: SpanStyle = entry.kind === "context" ? { dim: true } : { color: "faint" };
  const numbered: Span = { ...ground(style, frame), ...weak, text: `${number.padStart(frame.digits)} ` };
  return [numbered, drawn, { ...ground(style, frame), text: " " }];
}

const ground = (style: SpanStyle, frame: Pick<Frame, "brackets">): SpanStyle => (frame.brackets ? {} : style);

type Drawn = Omit<Frame, "syntax">;

function contentSpans(unit: Unit, frame: Drawn): Span[] {
  const { kind } = unit.entry;
  const { spans, trailing } = bodySpans(unit, frame);
  if (trailing === "") return spans;
  const { style, word } = kinds[kind];
  if (word === undefined) return [...spans, { ...style, text: blanks(trailing, " ", " ") }];
  return [...spans, { ...wordStyle(word, frame), text: blanks(trailing, "·", "→") }];
}

/** Returns the style that marks a changed word: by its ground, or in brackets and bold. */
const wordStyle = (word: Ground, frame: Drawn): SpanStyle => (frame.brackets ? { bold: true } : { background: word });

/** A line without the blanks at its end, and those. */
function bodySpans({ entry, text, last }: Unit, frame: Drawn): { spans: Span[]; trailing: string } {
  const { sign, style, word } = kinds[entry.kind];
  const end = last && sign !== "" ? bodyEnd(text) : text.length;
  const base = sign === "" ? style : ground(style, frame);
  const parts = within(frame.words.get(entry) ?? [{ text, changed: false }], end);
  const drawn = expand(
    parts.map((part) => ({
      style: part.changed && word !== undefined ? wordStyle(word, frame) : base,
      ...part,
      text: part.text,
    })),
    word !== undefined,
  );
  const bracketed = frame.brackets && !/[⟦⟧]/.test(text);
  const spans = drawn.flatMap(({ spans: own, changed }) =>
    bracketed && changed ? [{ text: "⟦" }, ...own, { text: "⟧" }] : own,
  );
  return { spans, trailing: text.slice(end) };
}

/** Finds the index at which the blanks at the end of a line begin. */
function bodyEnd(text: string): number {
  let end = text.length;
  while (end > 0 && /[ \t]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}

/** The parts up to `length` UTF-16 units. */
function within(parts: readonly Part[], length: number): Part[] {
  let left = length;
  const kept: Part[] = [];
  for (const part of parts) {
    const text = part.text.slice(0, left);
    if (text !== "") kept.push({ ...part, text });
    left = Math.max(0, left - part.text.length);
  }
  return kept;
}

/** Sanitised parts with tabs as blanks up to the next column, the first of them an arrow on lines that change. */
function expand(
  parts: readonly (Part & { style: SpanStyle })[],
  arrows: boolean,
): { spans: Span[]; changed: boolean }[] {
  let column = 0;
  return parts.map(({ text, changed, style }) => {
    const pieces = sanitise(text, { tabWidth: 0, showSequences: true }).split(/(\t)/);
    const spans = pieces.map((piece): Span => {
      const size = piece === "\t" ? tab - (column % tab) : cells(piece);
      column += size;
      if (piece !== "\t") return { ...style, text: piece };
      return arrows ? { ...style, color: "faint", text: "→".padEnd(size) } : { ...style, text: " ".repeat(size) };
    });
    return { spans: mergeSpans(spans), changed };
  });
}

function blanks(text: string, space: string, ofTab: string): string {
  return sanitise(text.replaceAll(" ", space), { tabWidth: 0 }).replaceAll("\t", ofTab.padEnd(tab));
}
