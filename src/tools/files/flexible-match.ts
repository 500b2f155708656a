import type { Splice } from "../../files/bytes/text-form.ts";
import { bare, indentOf, isBlank, isFlat } from "./blanks.ts";
import { reindented } from "./reindent.ts";

interface Line {
  start: number;
  end: number;
  text: string;
}

/** A place where old lines stand but for white space, and what an edit makes of it. */
export interface FlexiblePlace {
  start: number;
  end: number;
  /** The new text in the place's own indentation; lines that old and new share stay as they are in the file. */
  splice(fresh: string): Splice;
}

/**
 * Places where the old lines stand but for white space; nothing is accepted for being merely similar. Those come first, and alone, that
 * have other trailing blanks, or an indentation that is another one throughout (deeper stays deeper). Where there is none: those that have
 * other blanks inside their lines too, or whose lines, or the old ones, are all flat: that says nothing of how they nest, and nothing else.
 * @param text, old with \n as line ending.
 * @returns `too many` where so much stands at so many places that comparing indentations would take long.
 */
export function flexiblePlaces(text: string, old: string): FlexiblePlace[] | "too many" {
  const wholeLines = old.endsWith("\n");
  const oldLines = (wholeLines ? old.slice(0, -1) : old).split("\n");
  if (oldLines.every(isBlank)) return [];
  const lines = linesOf(text);
  const found = (form: (line: string) => string, isSame: (block: readonly Line[]) => boolean) => {
    const places = placesOf(
      oldLines.map(form),
      lines.map(({ text: line }) => form(line)),
    );
    if (places.length * oldLines.length > mostLines) return "too many";
    const blocks = places.map((at) => lines.slice(at, at + oldLines.length)).filter(isSame);
    return blocks.map((block) => placeOf({ text, lines, oldLines, block, wholeLines }));
  };
  const shifted = found(bare, (block) => isShifted(oldLines, block));
  if (shifted.length > 0) return shifted;
  return found(spaced, (block) => isShifted(oldLines, block) || isFlat(oldLines) || isFlat(textsOf(block)));
}

/** Lines that are compared, all places together; mostly there is one place. */
const mostLines = 2_000_000;

const textsOf = (block: readonly Line[]): string[] => block.map(({ text }) => text);

/** Each run of blanks inside as one. */
const spaced = (line: string): string => bare(line).replace(/[ \t]+/gu, " ");

/**
 * Finds the places of lines among others, also where two places overlap, in about as many steps as there are lines (Knuth, Morris,
 * Pratt).
 */
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

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    lines.push({ start, end: start + line.length, text: line });
    start += line.length + 1;
  }
  return lines;
}

/** Tells whether each indentation of the old lines is one and the same of the block, and deeper stays deeper. */
function isShifted(oldLines: readonly string[], block: readonly Line[]): boolean {
  const indents = new Map<string, string>();
  for (const [index, line] of oldLines.entries()) {
    if (isBlank(line)) continue;
    const [asked, real] = [indentOf(line), indentOf(block[index]?.text ?? "")];
    if ((indents.get(asked) ?? real) !== real) return false;
    indents.set(asked, real);
  }
  const pairs = [...indents];
  return pairs.every(([a, realA]) => pairs.every(([b, realB]) => orderOf(a, b) === orderOf(realA, realB)));
}

type Order = "same" | "deeper" | "shallower" | "none";

function orderOf(one: string, other: string): Order {
  if (one === other) return "same";
  if (one.startsWith(other)) return "deeper";
  return other.startsWith(one) ? "shallower" : "none";
}

interface Found {
  text: string;
  lines: readonly Line[];
  oldLines: readonly string[];
  block: readonly Line[];
  /** The old text has the ending of its last line too. */
  wholeLines: boolean;
}

function placeOf({ text, lines, oldLines, block, wholeLines }: Found): FlexiblePlace {
  const start = block[0]?.start ?? 0;
  const end = block.at(-1)?.end ?? start;
  const splice = (fresh: string): Splice => {
    const freshEndsLine = fresh.endsWith("\n");
    const body = wholeLines && freshEndsLine ? fresh.slice(0, -1) : fresh;
    // The old text took the line's ending with it and the new one does not bring one.
    const takesEnding = wholeLines && !freshEndsLine && end < text.length;
    const around = lines.map(({ text: line }) => line);
    const written = body === "" ? "" : reindented(body.split("\n"), oldLines, textsOf(block), around).join("\n");
    return { start, end: takesEnding ? end + 1 : end, text: written };
  };
  return { start, end, splice };
}
