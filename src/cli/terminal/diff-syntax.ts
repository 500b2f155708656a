import type { DiffEntry, HunkEntries } from "./diff-entries.ts";
import { graphemes } from "./graphemes.ts";
import { languageOf } from "./language.ts";
import { defaultTheme, type Highlight } from "./markdown-theme.ts";
import { type Color, mergeSpans, plainText, type Span, type StyledLine } from "./span.ts";

/** Of a side of a hunk no more is coloured: the rest is plain, which is still all of it. */
const mostLines = 500;
/** UTF-16 units. */
const mostText = 60_000;
const longestLine = 2_048;

/** The text of a line as it is drawn with the colours of its language; undefined where it has none. */
export type SyntaxOf = (entry: DiffEntry) => StyledLine | undefined;

/**
 * Colours for the lines of hunks. A hunk is looked at with the first of its lines, each side as a whole, so that what begins on one
 * line goes on in the next.
 * @param drawn the text of a line as it stands on the screen: colours are found for that, and never change it.
 */
export function syntaxOf(highlight: Highlight | undefined, drawn: (entry: DiffEntry) => string): SyntaxOf {
  const known = new Map<HunkEntries, Map<DiffEntry, StyledLine>>();
  return (entry) => {
    const { hunk } = entry;
    if (highlight === undefined || hunk === undefined) return undefined;
    const found = known.get(hunk) ?? colorHunk(hunk, highlight, drawn);
    known.set(hunk, found);
    return found.get(entry);
  };
}

function colorHunk(hunk: HunkEntries, highlight: Highlight, drawn: (entry: DiffEntry) => string) {
  const found = new Map<DiffEntry, StyledLine>();
  const language = languageOf(hunk.name);
  if (language === undefined) return found;
  for (const other of ["added", "removed"] as const) {
    const side = beginning(hunk.lines, other, drawn);
    const colored = highlight(side.map(({ code }) => code).join("\n"), language, defaultTheme) ?? [];
    for (const [at, { entry, code }] of side.entries()) {
      const line = colored[at];
      if (line !== undefined && plainText(line) === code) found.set(entry, line);
    }
  }
  return found;
}

/** The lines of one side as code, as far as they are coloured. A very long line stands there empty. */
function beginning(
  lines: readonly DiffEntry[],
  without: "added" | "removed",
  drawn: (entry: DiffEntry) => string,
): { entry: DiffEntry; code: string }[] {
  const side: { entry: DiffEntry; code: string }[] = [];
  let size = 0;
  for (const entry of lines) {
    if (entry.kind === without) continue;
    // An arrow stands for a tab.
    const code = entry.text.length > longestLine ? "" : drawn(entry).replaceAll("→", " ");
    size += code.length;
    if (side.length === mostLines || size > mostText) break;
    side.push({ entry, code });
  }
  return side;
}

/**
 * A row of a line in the line's colours, its text untouched. What has a colour already keeps it.
 * @param from where the row begins in the text of the line, in UTF-16 units.
 */
export function colored(row: StyledLine, line: StyledLine, from: number): StyledLine {
  const colors = colorsBy(line);
  let at = from;
  const spans = row.flatMap((span): Span[] => {
    const start = at;
    at += span.text.length;
    return span.color === undefined ? inColors(span, start, colors) : [span];
  });
  return mergeSpans(spans);
}

interface Run {
  end: number;
  color: Color | undefined;
}

function colorsBy(line: StyledLine): Run[] {
  let end = 0;
  return line.map(({ text, color }) => {
    end += text.length;
    return { end, color };
  });
}

/** No character is parted: it has the colour of its first unit. */
function inColors(span: Span, start: number, runs: readonly Run[]): Span[] {
  const parts: Span[] = [];
  const units = /^[ -~]*$/.test(span.text) ? undefined : boundaries(span.text);
  let at = 0;
  for (const { end, color } of runs) {
    let to = Math.min(end - start, span.text.length);
    while (units !== undefined && to > at && to < span.text.length && !units.has(to)) to += 1;
    if (to <= at) continue;
    const text = span.text.slice(at, to);
    parts.push(color === undefined ? { ...span, text } : { ...span, color, text });
    at = to;
  }
  return at < span.text.length ? [...parts, { ...span, text: span.text.slice(at) }] : parts;
}

/** Finds the indices at which the characters of a text end. */
function boundaries(text: string): Set<number> {
  let at = 0;
  return new Set(
    graphemes(text).map((one) => {
      at += one.length;
      return at;
    }),
  );
}
