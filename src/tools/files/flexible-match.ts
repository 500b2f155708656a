import type { Splice } from "../../files/bytes/text-form.ts";

interface Line {
  start: number;
  end: number;
  text: string;
}

/** Old indentation -> indentation of the file. */
type Indents = Map<string, string>;

/**
 * Places where the old lines stand but for white space: trailing blanks, and an indentation that is another one
 * throughout (deeper stays deeper). Nothing is accepted for being merely similar. Each replacement is the new text in
 * the file's own indentation; lines that old and new share at the top and the bottom stay as they are in the file.
 * @param text, old, fresh with \n as line ending.
 * @returns `too many` where so much stands at so many places that comparing indentations, or writing them, would take long.
 */
export function flexibleSplices(text: string, old: string, fresh: string): Splice[] | "too many" {
  const wholeLines = old.endsWith("\n");
  const oldLines = (wholeLines ? old.slice(0, -1) : old).split("\n");
  if (oldLines.every((line) => bare(line) === "")) return [];
  const lines = linesOf(text);
  const places = placesOf(
    oldLines.map(bare),
    lines.map(({ text: line }) => bare(line)),
  );
  const isLong = places.length * oldLines.length > mostLines || places.length * fresh.length > mostWritten;
  if (isLong) return "too many";
  return places.flatMap((at) => {
    const block = lines.slice(at, at + oldLines.length);
    const indents = indentsOf(oldLines, block);
    return indents === undefined ? [] : [replacement(text, block, oldLines, fresh, wholeLines, indents)];
  });
}

/** Lines that are compared and characters that are written, all places together; mostly there is one place. */
const mostLines = 2_000_000;
const mostWritten = 50_000_000;

/** Where lines stand among others, also where two places overlap, in about as many steps as there are lines (Knuth, Morris, Pratt). */
function placesOf(wanted: readonly string[], lines: readonly string[]): number[] {
  const borders = bordersOf(wanted);
  const found: number[] = [];
  let matched = 0;
  for (const [at, line] of lines.entries()) {
    while (matched > 0 && wanted[matched] !== line) matched = borders[matched - 1] ?? 0;
    if (wanted[matched] === line) matched += 1;
    if (matched < wanted.length) continue;
    found.push(at + 1 - matched);
    matched = borders[matched - 1] ?? 0;
  }
  return found;
}

/** Of each beginning of the list, how many of its first lines are its last ones too. */
function bordersOf(wanted: readonly string[]): number[] {
  const borders = [0];
  let length = 0;
  for (const line of wanted.slice(1)) {
    while (length > 0 && wanted[length] !== line) length = borders[length - 1] ?? 0;
    if (wanted[length] === line) length += 1;
    borders.push(length);
  }
  return borders;
}

const bare = (line: string): string => withoutTrail(line).slice(indentOf(line).length);
const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

/** By hand: a pattern for the end of a line takes the square of its length where blanks stand inside. */
function withoutTrail(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t")) end -= 1;
  return line.slice(0, end);
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    lines.push({ start, end: start + line.length, text: line });
    start += line.length + 1;
  }
  return lines;
}

function indentsOf(oldLines: readonly string[], block: readonly Line[]): Indents | undefined {
  const indents: Indents = new Map();
  for (const [index, line] of oldLines.entries()) {
    if (bare(line) === "") continue;
    const [asked, real] = [indentOf(line), indentOf(block[index]?.text ?? "")];
    if ((indents.get(asked) ?? real) !== real) return undefined;
    indents.set(asked, real);
  }
  const pairs = [...indents];
  const ordered = pairs.every(([a, realA]) => pairs.every(([b, realB]) => sameOrder(a, b) === sameOrder(realA, realB)));
  return ordered ? indents : undefined;
}

type Order = "same" | "deeper" | "shallower" | "none";

function sameOrder(one: string, other: string): Order {
  if (one === other) return "same";
  if (one.startsWith(other)) return "deeper";
  return other.startsWith(one) ? "shallower" : "none";
}

function replacement(
  text: string,
  block: readonly Line[],
  oldLines: readonly string[],
  fresh: string,
  wholeLines: boolean,
  indents: Indents,
): Splice {
  const start = block[0]?.start ?? 0;
  const end = block.at(-1)?.end ?? start;
  const freshEndsLine = fresh.endsWith("\n");
  const body = wholeLines && freshEndsLine ? fresh.slice(0, -1) : fresh;
  // The old text took the line's ending with it and the new one does not bring one.
  const takesEnding = wholeLines && !freshEndsLine && end < text.length;
  return { start, end: takesEnding ? end + 1 : end, text: reindented(body, oldLines, block, indents) };
}

function reindented(fresh: string, oldLines: readonly string[], block: readonly Line[], indents: Indents): string {
  if (fresh === "") return "";
  const lines = fresh.split("\n");
  const same = (line: string | undefined, old: string | undefined): boolean =>
    line !== undefined && old !== undefined && withoutTrail(line) === withoutTrail(old);
  let head = 0;
  while (same(lines[head], oldLines[head])) head += 1;
  let tail = 0;
  const most = Math.min(lines.length, oldLines.length) - head;
  while (tail < most && same(lines.at(-1 - tail), oldLines.at(-1 - tail))) tail += 1;
  const known = new Map<string, string>();
  const like = (asked: string): string => {
    const indent = known.get(asked) ?? indentLike(asked, indents);
    known.set(asked, indent);
    return indent;
  };
  const written = lines.map((line, index) => {
    if (index < head) return block[index]?.text ?? line;
    if (index >= lines.length - tail) return block[block.length - (lines.length - index)]?.text ?? line;
    return bare(line) === "" ? line : like(indentOf(line)) + line.slice(indentOf(line).length);
  });
  return written.join("\n");
}

function indentLike(asked: string, indents: Indents): string {
  const exact = indents.get(asked);
  if (exact !== undefined) return exact;
  const byLength = [...indents].sort(([a], [b]) => b.length - a.length);
  const shallower = byLength.find(([known]) => asked.startsWith(known));
  if (shallower !== undefined) return shallower[1] + inUnits(asked.slice(shallower[0].length), indents);
  const deeper = byLength.toReversed().find(([known]) => known.startsWith(asked));
  if (deeper === undefined) return inUnits(asked, indents);
  const surplus = inUnits(deeper[0].slice(asked.length), indents);
  return deeper[1].endsWith(surplus) ? deeper[1].slice(0, deeper[1].length - surplus.length) : asked;
}

/** Blanks as tabs, or tabs as blanks, where old text and file differ in that and a known pair tells the width. */
function inUnits(extra: string, indents: Indents): string {
  for (const [asked, real] of indents) {
    if (isRun(asked, " ") && isRun(real, "\t") && isRun(extra, " ")) {
      const width = asked.length / real.length;
      if (Number.isInteger(extra.length / width)) return "\t".repeat(extra.length / width);
    }
    if (isRun(asked, "\t") && isRun(real, " ") && isRun(extra, "\t")) {
      const width = real.length / asked.length;
      if (Number.isInteger(width)) return " ".repeat(extra.length * width);
    }
  }
  return extra;
}

const isRun = (text: string, of: string): boolean => text !== "" && text === of.repeat(text.length);
