import type { Io } from "../io.ts";
import { toAnsi } from "../terminal/colors.ts";
import { cleanText, sanitise } from "../terminal/sanitise.ts";
import type { Span, SpanStyle, StyledLine } from "../terminal/span.ts";
import { wrapSpans } from "../terminal/width.ts";
import { pageOf } from "./page.ts";
import { inPager, pagerOf } from "./pager.ts";

/** Text from anywhere as one span of one row. */
export const span = (text: string, style: SpanStyle = {}): Span => ({ ...style, text: sanitise(text) });

/** Text of several lines from anywhere, line by line. */
export const linesOf = (text: string): string[] => cleanText(text).split("\n");

/** A line of a listing, broken between words where the terminal is narrower; further rows begin below its `indent`th column. */
export function wrapped(line: StyledLine, width: number | undefined, indent = 0): StyledLine[] {
  if (width === undefined) return [line];
  const [first = [], second] = wrapSpans(line, width);
  if (second === undefined) return [first];
  const room = Math.max(1, width - indent);
  const blank = { text: " ".repeat(width - room) };
  return [first, ...wrapSpans(behind(line, first), room).map((row) => [blank, ...row])];
}

/** Returns the rest of a line when its first row is taken, without the blank at which it was broken. */
function behind(line: StyledLine, row: StyledLine): StyledLine {
  let taken = row.reduce((sum, { text }) => sum + text.length, 0);
  const left: Span[] = [];
  for (const one of line) {
    const cut = Math.min(taken, one.text.length);
    taken -= cut;
    if (cut < one.text.length) left.push({ ...one, text: one.text.slice(cut) });
  }
  const [first, ...more] = left;
  return first === undefined ? [] : [{ ...first, text: first.text.replace(/^ /, "") }, ...more];
}

/** Prints rows on stdout; what is longer than the terminal's screen goes through the person's pager. */
export async function printRows(
  io: Pick<Io, "stdout" | "env">,
  rows: readonly StyledLine[],
  page = pageOf(io),
): Promise<void> {
  const { width, support, theme } = page;
  const text = rows.map((row) => `${toAnsi(row, support, theme)}\n`).join("");
  const pager = width === undefined || rows.length < (io.stdout.rows || 24) ? undefined : pagerOf(io.env);
  if (pager !== undefined && (await inPager(pager, text, io.env))) return;
  io.stdout.write(text);
}
