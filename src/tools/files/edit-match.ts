import { ToolRefusal } from "../../core/codes.ts";
import { limits as bounds } from "../../core/limits.ts";
import type { Splice, TextForm } from "../../files/bytes/text-form.ts";
import { type LineView, lineNumbers, lineView, splitsPair, toOriginal } from "../search/line-view.ts";
import type { EditMatch, EditRequest } from "./edit-request.ts";
import { flexibleSplices } from "./flexible-match.ts";
import { nearestLines } from "./nearest-lines.ts";
import { regexSplices } from "./regex-match.ts";
import { placesIn } from "./text-places.ts";

export interface MatchLimits {
  signal: AbortSignal;
  /** For a pattern, in milliseconds. */
  regexTimeoutMs: number;
}

const listedLines = 10;

/**
 * Finds what an edit replaces. Line endings of the request stand for those of the file.
 * @throws ToolRefusal EMPTY_OLD, NO_CHANGE, NOT_FOUND, NOT_UNIQUE, ENCODING (it would cut a character in two), and those
 *   of a pattern.
 */
export async function matchEdit(form: TextForm, request: EditRequest, limits: MatchLimits): Promise<EditMatch> {
  if (request.old_string === "") {
    throw new ToolRefusal(
      "EMPTY_OLD",
      "old_string is empty: give the text to replace, or use write_file for a whole file",
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
  if (found.length === 0) throw notFound(view, plain);
  refuseTorn(view.text, found);
  if (found.length > 1 && !request.replace_all) throw notUnique(found.map(({ start }) => view.lineOf(start)));
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
  if (lines.length > 1 && !request.replace_all) throw notUnique(lines);
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
  if (mode === "exact") return literal;
  const loose = flexibleSplices(view.text, old, fresh);
  if (loose === "too many")
    throw new ToolRefusal(
      "TOO_LARGE",
      "old_string matches so many places that replacing them takes too long: give one that matches fewer",
    );
  // Where several places differ in white space only, the one that is exactly as asked is meant.
  return loose.length === 0 || (loose.length > 1 && literal.length === 1) ? literal : loose;
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

function notUnique(lines: readonly number[]): ToolRefusal {
  const listed = lines.slice(0, listedLines).join(", ");
  const rest = lines.length > listedLines ? `, and ${lines.length - listedLines} more` : "";
  return new ToolRefusal(
    "NOT_UNIQUE",
    `old_string matches ${lines.length} places (lines ${listed}${rest}): add lines around it until it is unique, or set replace_all`,
  );
}

function notFound(view: LineView, request: EditRequest): ToolRefusal {
  const what = request.mode === "regex" ? "the pattern does not match anywhere" : "old_string is not in the file";
  return new ToolRefusal("NOT_FOUND", [what, ...(request.mode === "regex" ? [] : hints(view, request))].join(". "));
}

function hints(view: LineView, { old_string: old, new_string: fresh, mode }: EditRequest): string[] {
  const found: string[] = [];
  if (old.split("\n").every((line) => /^\s*\d+\t/.test(line))) {
    found.push("It begins with line numbers, which read_file adds: leave them out");
  }
  const places = mode === "exact" ? flexibleSplices(view.text, old, fresh) : [];
  if (places !== "too many" && places.length > 0) {
    const lines = places.slice(0, listedLines).map(({ start }) => view.lineOf(start));
    found.push(`But for white space it is at line ${lines.join(", ")}: copy it exactly, or use mode "flexible"`);
  }
  const near = nearestLines(view.text, old);
  return near === "" ? found : [...found, near];
}
