import type { Splice, TextForm } from "../../files/bytes/text-form.ts";

/**
 * A text with every line ending written as \n, as the model writes it, and the way back to positions of the text itself.
 */
export interface LineView {
  text: string;
  /** A position of the view as one of the original text. Before a CRLF stays before its CR. */
  original(position: number): number;
  /** From 1. */
  lineOf(position: number): number;
}

export function lineView(form: TextForm): LineView {
  const text = form.eol === "cr" ? form.text.replaceAll("\r", "\n") : form.text.replaceAll("\r\n", "\n");
  const pairs = form.eol === "crlf" || form.eol === "mixed" ? pairPositions(form.text) : [];
  return {
    text,
    original: (position) => position + below(pairs, position),
    lineOf: lineNumbers(text),
  };
}

/** Tells the line, from 1, of a position of a text whose lines end in \n. */
export function lineNumbers(text: string): (position: number) => number {
  let ends: number[] | undefined;
  return (position) => {
    ends ??= newlines(text);
    return below(ends, position) + 1;
  };
}

/** Positions, in the view, of the \n of each CRLF. */
function pairPositions(text: string): number[] {
  const positions: number[] = [];
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2))
    positions.push(at - positions.length);
  return positions;
}

function newlines(text: string): number[] {
  const positions: number[] = [];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) positions.push(at);
  return positions;
}

/** How many of the sorted numbers are below the limit. */
function below(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * A replacement in the view as one of the original text: narrowed to what really differs, so that nothing else of the
 * matched text is touched, and with the line endings of the place.
 */
export function toOriginal(form: TextForm, view: LineView, splice: Splice): Splice {
  const { start, end, text } = narrowed(view.text, splice);
  const from = view.original(start);
  const to = view.original(end);
  return { start: from, end: to, text: withEndings(text, endingsAt(form, from, to)) };
}

function narrowed(old: string, splice: Splice): Splice {
  const most = Math.min(splice.end - splice.start, splice.text.length);
  let head = 0;
  while (head < most && old[splice.start + head] === splice.text[head]) head += 1;
  if (head > 0 && (splitsPair(splice.text, head) || splitsPair(old, splice.start + head))) head -= 1;
  let tail = 0;
  while (tail < most - head && old[splice.end - 1 - tail] === splice.text[splice.text.length - 1 - tail]) tail += 1;
  const torn = splitsPair(splice.text, splice.text.length - tail) || splitsPair(old, splice.end - tail);
  if (tail > 0 && torn) tail -= 1;
  return {
    start: splice.start + head,
    end: splice.end - tail,
    text: splice.text.slice(head, splice.text.length - tail),
  };
}

/** Whether a cut there would tear a surrogate pair in two. */
export function splitsPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff && at > 0 && at < text.length;
}

/** The endings inside the replaced text in their order; where it has none, that of its line, or of the line before. */
function endingsAt(form: TextForm, from: number, to: number): string[] {
  if (form.eol === "cr") return ["\r"];
  if (form.eol === "lf" || form.eol === "none") return ["\n"];
  if (form.eol === "crlf") return ["\r\n"];
  const inside = form.text.slice(from, to).match(/\r?\n/g);
  if (inside !== null) return inside;
  const next = form.text.indexOf("\n", to);
  const at = next === -1 ? form.text.lastIndexOf("\n", from - 1) : next;
  return [form.text[at - 1] === "\r" ? "\r\n" : "\n"];
}

/** Each \n as the ending of its turn; the last one serves all that follow. */
function withEndings(text: string, endings: readonly string[]): string {
  let turn = 0;
  return text.replace(/\n/g, () => {
    const ending = endings[Math.min(turn, endings.length - 1)] ?? "\n";
    turn += 1;
    return ending;
  });
}
