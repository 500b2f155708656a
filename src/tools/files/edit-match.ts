import { ToolRefusal } from "../../core/codes.ts";
import { limits as bounds } from "../../core/limits.ts";
import type { Splice, TextForm } from "../../files/bytes/text-form.ts";
import { flexiblePlaces } from "./flexible-match.ts";
import { regexSplices } from "./regex-match.ts";

export interface MatchLimits {
  signal: AbortSignal;
  /** For a pattern, in milliseconds. */
  regexTimeoutMs: number;
  /** The edited thing, in the words of messages, and the tool that gives it a whole new text; default a file. */
  edited?: { what: string; whole: string };
}

const listedLines = 10;
const file = { what: "file", whole: "write_file" };

/**
 * Finds what an edit replaces. Line endings of the request stand for those of the file.
 * @throws ToolRefusal EMPTY_OLD, NO_CHANGE, NOT_FOUND, NOT_UNIQUE, ENCODING (it would cut a character in two), and those
 *   of a pattern.
 */
export async function matchEdit(form: TextForm, request: EditRequest, limits: MatchLimits): Promise<EditMatch> {
  if (request.old_string === "") {
    const { what, whole } = limits.edited ?? file;
    throw new ToolRefusal(
      "EMPTY_OLD",
      `old_string is empty: give the text to replace, or use ${whole} for a whole ${what}`,
    );
  }
  if (request.mode !== "regex" && request.old_string === request.new_string) {
    throw new ToolRefusal("NO_CHANGE", "old_string and new_string are the same: there is nothing to change");
  }
  const asWritten = withReturns(form, request);
  if (asWritten !== undefined) return asWritten;
  const view = lineView(form);
  const plain = { ...request, old_string: toLf(request.old_string), new_string: toLf(request.new_string) };
  const found = await find(view, plain, limits);
  if (found.length === 0) throw notFound(view, plain, limits.edited ?? file);
  refuseTorn(view.text, found);
  if (found.length > 1 && (!request.replace_all || request.mode === "flexible"))
    throw notUnique(
      found.map(({ start }) => view.lineOf(start)),
      request.mode,
    );
  return {
    splices: found.map((splice) => toOriginal(form, view, splice)),
    lines: found.map(({ start }) => view.lineOf(start)),
  };
}

const toLf = (text: string): string => text.replaceAll("\r\n", "\n");

/** A request that names carriage returns and finds them so in the file means them: it may be about line endings. */
function withReturns(form: TextForm, request: EditRequest): EditMatch | undefined {
  const { old_string: old, new_string: fresh } = request;
  if (request.mode === "regex" || !old.includes("\r")) return undefined;
  const splices = literalSplices(form.text, old, fresh, request.replace_all);
  if (splices.length === 0) return undefined;
  refuseTorn(form.text, splices);
  const lineOf = lineNumbers(form.text);
  const lines = splices.map(({ start }) => lineOf(start));
  if (lines.length > 1 && !request.replace_all) throw notUnique(lines, request.mode);
  return { splices, lines };
}

/** Bytes of half a character are no text in any encoding, whatever found that place. */
function refuseTorn(text: string, splices: readonly Splice[]): void {
  if (splices.some(({ start, end }) => splitsPair(text, start) || splitsPair(text, end)))
    throw new ToolRefusal(
      "ENCODING",
      "old_string matches half of a character beyond U+FFFF: match the whole character",
    );
}

async function find(view: LineView, request: EditRequest, limits: MatchLimits): Promise<Splice[]> {
  const { old_string: old, new_string: fresh, mode } = request;
  if (mode === "regex") {
    const { signal, regexTimeoutMs: timeoutMs } = limits;
    return regexSplices({ text: view.text, pattern: old, replacement: fresh, timeoutMs, signal });
  }
  const literal = literalSplices(view.text, old, fresh, request.replace_all);
  // Where several places differ in white space only, the one that is exactly as asked is meant.
  if (mode === "exact" || literal.length > 1) return literal;
  const loose = flexiblePlaces(view.text, old);
  if (loose === "too many")
    throw new ToolRefusal(
      "TOO_LARGE",
      "old_string matches so many places that comparing them takes too long: give one that matches fewer",
    );
  const [place] = loose;
  const [exact] = literal;
  if (loose.length > 1)
    return exact === undefined ? loose.map(({ start, end }) => ({ start, end, text: "" })) : literal;
  if (place === undefined) return literal;
  const isThere = exact === undefined || (place.start <= exact.start && exact.end <= place.end + 1);
  return isThere ? [place.splice(fresh)] : literal;
}

/**
 * `fresh` is text and nothing else: `$&` in it means itself. Places that overlap count where one place is wanted: there
 * would be two ways to replace.
 */
function literalSplices(text: string, old: string, fresh: string, all: boolean): Splice[] {
  const found: Splice[] = [];
  for (const at of placesIn(text, old, !all)) {
    if (found.length >= bounds.editPlaces.most)
      throw new ToolRefusal("TOO_LARGE", `old_string matches more than ${bounds.editPlaces.most} places`);
    found.push({ start: at, end: at + old.length, text: fresh });
  }
  return found;
}

function notUnique(lines: readonly number[], mode: EditRequest["mode"]): ToolRefusal {
  const listed = lines.slice(0, listedLines).join(", ");
  const rest = lines.length > listedLines ? `, and ${lines.length - listedLines} more` : "";
  return new ToolRefusal(
    "NOT_UNIQUE",
    `old_string matches ${lines.length} places (lines ${listed}${rest}): add lines around it until it is unique${mode === "flexible" ? "" : ", or set replace_all"}`,
  );
}

function notFound(view: LineView, request: EditRequest, edited: { what: string }): ToolRefusal {
  const what =
    request.mode === "regex" ? "the pattern does not match anywhere" : `old_string is not in the ${edited.what}`;
  return new ToolRefusal("NOT_FOUND", [what, ...(request.mode === "regex" ? [] : hints(view, request))].join(". "));
}

function hints(view: LineView, { old_string: old, mode }: EditRequest): string[] {
  const found: string[] = [];
  if (old.split("\n").every((line) => /^\s*\d+\t/.test(line))) {
    found.push("It begins with line numbers, which read_file adds: leave them out");
  }
  const places = mode === "exact" ? flexiblePlaces(view.text, old) : [];
  if (places !== "too many" && places.length > 0) {
    const lines = places.slice(0, listedLines).map(({ start }) => view.lineOf(start));
    found.push(`But for white space it is at line ${lines.join(", ")}: copy it exactly, or use mode "flexible"`);
  }
  const near = nearestLines(view.text, old);
  return near === "" ? found : [...found, near];
}

interface EditRequest {
  old_string: string;
  new_string: string;
  mode: "exact" | "flexible" | "regex";
  replace_all: boolean;
}

/** The outcome of an edit: replacements in the file's own text, and the lines (from 1) on which they begin. */
interface EditMatch {
  splices: Splice[];
  lines: number[];
}

/** Up to here the search of the language is quick whatever it is given. */
const shortText = 100;

// Keeps files 2.
/**
 * Finds the places of a text in another, in about as many steps as both have characters (Knuth, Morris, Pratt): the language's own search
 * takes the product of both where texts repeat themselves, which is hours.
 * @param overlapping places that begin within another count too.
 */
function* placesIn(text: string, wanted: string, overlapping: boolean): Generator<number> {
  if (wanted.length <= shortText) {
    const step = overlapping ? 1 : wanted.length;
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) yield at;
    return;
  }
  const borders = new Int32Array(wanted.length);
  for (let at = 1; at < wanted.length; at += 1) borders[at] = grown(wanted, borders, borders[at - 1] ?? 0, wanted, at);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    matched = grown(wanted, borders, matched, text, at);
    if (matched < wanted.length) continue;
    yield at + 1 - matched;
    matched = overlapping ? (borders[matched - 1] ?? 0) : 0;
  }
}

/**
 * Counts the first characters of the wanted text that end at this place of a text, when `matched` of them ended before it.
 * @param borders of each beginning of the wanted text, how many of its first characters are its last ones too
 */
function grown(wanted: string, borders: Int32Array, matched: number, text: string, at: number): number {
  const unit = text.charCodeAt(at);
  let length = matched;
  while (length > 0 && wanted.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
  return wanted.charCodeAt(length) === unit ? length + 1 : length;
}

const mostLines = 20_000;
const longestLine = 400;
const shown = 3;
const enough = 0.5;

/**
 * The lines of a text most like the first line of what was not found, in words, for a model that looks for its mistake;
 * empty where nothing is alike. Only a help: nothing is ever replaced for being alike.
 */
function nearestLines(text: string, wanted: string): string {
  const sought = (wanted.split("\n").find((line) => line.trim() !== "") ?? "").trim().slice(0, longestLine);
  if (sought.length < 2) return "";
  const pairs = pairsOf(sought);
  const scored: { line: number; text: string; score: number }[] = [];
  for (const [index, line] of text.split("\n", mostLines).entries()) {
    const trimmed = line.trim();
    if (trimmed.length < 2 || trimmed.length > longestLine) continue;
    const score = likeness(pairs, sought.length - 1, trimmed);
    if (score >= enough) scored.push({ line: index + 1, text: line, score });
  }
  const best = scored.sort((a, b) => b.score - a.score || a.line - b.line).slice(0, shown);
  if (best.length === 0) return "";
  const listed = best.toSorted((a, b) => a.line - b.line).map(({ line, text: near }) => `${line}: ${near}`);
  return `The nearest lines are\n${listed.join("\n")}`;
}

type Pairs = Map<string, number>;

function pairsOf(text: string): Pairs {
  const pairs: Pairs = new Map();
  for (let at = 0; at + 1 < text.length; at += 1) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Share of the neighbouring pairs of characters that two lines have in common, 0 to 1. */
function likeness(pairs: Pairs, count: number, line: string): number {
  const most = Math.min(count, line.length - 1);
  if ((2 * most) / (count + line.length - 1) < enough) return 0;
  let common = 0;
  for (const [pair, times] of pairsOf(line)) common += Math.min(times, pairs.get(pair) ?? 0);
  return (2 * common) / (count + line.length - 1);
}

/**
 * A text with every line ending written as \n, as the model writes it, and the way back to positions of the text itself.
 */
interface LineView {
  text: string;
  /** A position of the view as one of the original text. Before a CRLF stays before its CR. */
  original(position: number): number;
  /** From 1. */
  lineOf(position: number): number;
}

function lineView(form: TextForm): LineView {
  const text = form.eol === "cr" ? form.text.replaceAll("\r", "\n") : form.text.replaceAll("\r\n", "\n");
  const pairs = form.eol === "crlf" || form.eol === "mixed" ? pairPositions(form.text) : [];
  return {
    text,
    original: (position) => position + below(pairs, position),
    lineOf: lineNumbers(text),
  };
}

/** Tells the line, from 1, of a position of a text whose lines end in \n. */
function lineNumbers(text: string): (position: number) => number {
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

/** Counts the sorted numbers that are below the limit. */
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
function toOriginal(form: TextForm, view: LineView, splice: Splice): Splice {
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

/** Tells whether a cut there would tear a surrogate pair in two. */
function splitsPair(text: string, at: number): boolean {
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
