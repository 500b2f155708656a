import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Word, WordPart } from "unbash";
import { expandBraces } from "../../../core/braces.ts";
import { wildMatch } from "../../../core/wild-match.ts";
import { longestPath } from "../../../files/kernel-path.ts";
import { shellDoubts } from "../../../words/contract/shell-doubts.ts";
import { shellRuns } from "../../../words/contract/shell-runs.ts";
import type { Folders } from "./folders.ts";
import { TooMuch } from "./walk-errors.ts";

/** The known facts of a line's variables where a word of it is expanded. */
export interface Known {
  folders: Folders;
  home: string | undefined;
  /** Each value that the line gives a variable anywhere; null among them for one that is not known. */
  variables: ReadonlyMap<string, readonly (Word | null)[]>;
  /** Patterns match names that begin with a dot, and case is nothing: the line may have told bash so. */
  isLoose: boolean;
  left: PatternsLeft;
}

/**
 * The number of entries that the patterns of a line may still be held against, and of files that they may name; `named`: of those that its braces and
 * variables may; `looks`: at what may be a file in all of these (`--env-file=.env`): a plan is made in a moment.
 */
export interface PatternsLeft {
  entries: number;
  files: number;
  named: number;
  looks: number;
}

export const patternsOfLine = (): PatternsLeft => ({ entries: 100_000, files: 1_000, named: 5_000, looks: 50_000 });

/** Of a line in which a pattern stands for more than is looked at, in words for the person. */
export const cutWarning = shellRuns.wide_pattern;

/** The possible values of a word that is not known before it runs. */
export interface Expansion {
  /** Files that it can name, of which some need not be there. */
  paths: string[];
  /** Those of them that no way of it names but by a pattern, with the numbers of these ways. */
  matched: ReadonlyMap<string, readonly number[]>;
  /** It can name others, too. */
  isOpen: boolean;
  /** A pattern of it stands for more than is looked at. */
  isCut: boolean;
  /** The beginning of each way that is known to begin so; of an option also the text behind its name and its `=`. */
  heads: string[];
}

/** A run of a word: text, one character of some, any number of them in a name, or what nobody knows. */
type Run = { text: string } | { one: string } | { any: "name" | "path" };

/** More ways than these are taken for anything. */
export const mostWays = 64;
/** Entries that one pattern is held against, and files that it names. */
const most = { entries: 20_000, files: 500, depth: 6 };

/**
 * Finds the values that bash can make of the word: patterns are held against the names that lie there now, variables have the values that the line
 * gives them.
 * @throws TooMuch where those of the line name more files than are looked at: one that is not may be denied
 */
export function expansionOf(word: Word, known: Known): Expansion {
  const ways = waysOf(word, known, most.depth);
  const paths = new Set<string>();
  const named = new Set<string>();
  const matched = new Map<string, number[]>();
  let [isOpen, isCut] = [false, false];
  for (const [at, way] of ways.entries()) {
    const ends = way.some(isUnknown) ? { paths: guessed(way), isOpen: true, isCut: false } : matches(way, known);
    const isPattern = !way.some(isUnknown) && way.some((run) => !("text" in run));
    for (const path of ends.paths.filter((one) => one !== "")) {
      paths.add(path);
      if (isPattern) matched.set(path, [...(matched.get(path) ?? []), at]);
      else named.add(path);
    }
    isOpen ||= ends.isOpen;
    isCut ||= ends.isCut;
  }
  for (const path of named) matched.delete(path);
  known.left.named -= named.size;
  if (known.left.named < 0) throw new TooMuch(shellDoubts.many_files);
  return {
    paths: [...paths],
    matched,
    isOpen,
    isCut,
    heads: ways.flatMap(headOf),
  };
}

/**
 * Tells whether the word can become one that begins as an option does where no text of the line says so: a name that a pattern stands for does;
 * undefined where it can become anything.
 * @param begins the signs that an option begins with.
 */
export function namesOption(word: Word, known: Known, begins: string): boolean | undefined {
  const ways = waysOf(word, known, most.depth);
  // `{-..-}-x`: what such braces stand for is no name that lies there.
  if (ways.some((way) => way.some(isUnknown)) || /\{[^{}]*\.\./u.test(word.text)) return undefined;
  const open = ways.filter(
    (way) => way.some((run) => !("text" in run)) && begins.includes(headOf(way)[0]?.charAt(0) ?? ""),
  );
  // What it counts is counted where the word's files are judged.
  const apart = { ...known, left: { ...known.left } };
  const found = open.map((way) => matches(way, apart));
  const starts = (known.folders ?? []).flatMap((top) => [...begins].map((sign) => join(top, sign)));
  return found.some(({ paths, isOpen }) => isOpen || paths.some((path) => starts.some((one) => path.startsWith(one))));
}

/** Tells whether a text that the line gives the word has a dash where a word of it begins. */
export const textHoldsOption = (word: Word, known: Known): boolean =>
  waysOf(word, known, most.depth).some((way) =>
    /(?:^|\s)-/u.test(way.map((run) => ("text" in run ? run.text : "*")).join("")),
  );

function headOf(way: readonly Run[]): string[] {
  const end = way.findIndex((run) => !("text" in run));
  const head = way
    .slice(0, end < 0 ? way.length : end)
    .flatMap((run) => ("text" in run ? [run.text] : []))
    .join("");
  return [...new Set([head, head.replace(/^-[^=/]*=/u, "")])].filter((text) => text !== "");
}

const isUnknown = (run: Run): boolean => "any" in run && run.any === "path";
const anything: Run[] = [{ any: "path" }];

function waysOf(word: Word, known: Known, depth: number): Run[][] {
  if (depth === 0) return [anything];
  const parts: readonly WordPart[] = word.parts ?? [
    { type: "Literal", value: word.value, text: word.text, pos: word.pos, end: word.end },
  ];
  const ways = product(parts.map((part) => runsOf(part, known, depth, false)));
  const isHome = known.home !== undefined && /^~(?:\/|$)/u.test(word.text);
  return isHome ? ways.map((way) => inHome(way, known.home ?? "")) : ways;
}

function inHome([first, ...rest]: Run[], home: string): Run[] {
  return first !== undefined && "text" in first ? [{ text: home + first.text.slice(1) }, ...rest] : anything;
}

/** Each way through the parts, one after another. */
function product(parts: readonly Run[][][]): Run[][] {
  let ways: Run[][] = [[]];
  for (const part of parts) {
    if (ways.length * part.length > mostWays) return [anything];
    ways = ways.flatMap((way) => part.map((more) => [...way, ...more]));
  }
  return ways;
}

function runsOf(part: WordPart, known: Known, depth: number, isQuoted: boolean): Run[][] {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [[{ text: part.value }]];
    case "DoubleQuoted":
    case "LocaleString":
      return product(part.parts.map((inner) => runsOf(inner, known, depth, true)));
    case "Glob":
      return [
        [part.kind === "star" ? { any: "name" } : { one: part.kind === "question" ? "[^/]" : bracket(part.text) }],
      ];
    case "ExtendedGlob":
      return [[{ any: "name" }]];
    case "BraceExpansion":
      return braces(part.text);
    case "SimpleExpansion":
      return valuesOf(part.text.slice(1), known, depth, isQuoted);
    case "ParameterExpansion": {
      const { parameter, prefix, operation } = part;
      if (prefix !== undefined) return [anything];
      if (operation === undefined) return valuesOf(parameter, known, depth, isQuoted);
      if (operation.type !== "Default") return [anything];
      const other = waysOf(operation.operand, known, depth - 1);
      return [...valuesOf(parameter, known, depth, isQuoted), ...other, [{ text: "" }]];
    }
    default:
      return [anything];
  }
}

/** `[n]`, `[!a-c]`: as a pattern for one character. What cannot be read stands for any. */
function bracket(text: string): string {
  const inner = text.slice(1, -1);
  if (/[[\\$`'"]/u.test(inner) || inner === "") return "[^/]";
  const source = /^[!^]/u.test(inner) ? `[^/${inner.slice(1)}]` : `[${inner}]`;
  try {
    new RegExp(source, "u");
    return source;
  } catch {
    return "[^/]";
  }
}

/** A brace of one word, which stands for itself, is not told from others here; nor does it become known what quotes and variables keep. */
const holdsOddities = /['"$`\\]|\{[^{},]*\}/u;

/** `{env,x}` and `{a..f}`. Where quotes, variables or a brace of one word are in it, it can be anything, and what its text names. */
function braces(text: string): Run[][] {
  const listed = text.replace(/\{[^{},]*\.\.[^{},]*\}/gu, sequence);
  const isOpen = holdsOddities.test(listed);
  const ways = expandBraces(listed.replace(/\\\n|['"\\]/gu, ""), mostWays);
  if (typeof ways === "string") return [anything];
  const named = [...new Set(ways)].map(wayOf);
  return isOpen ? [anything, ...named] : named;
}

/** `{1..3}` as `{1,2,3}`, whatever its step is; any name for what is not written so plainly, or stands for too many. */
function sequence(text: string): string {
  const [, from = "", to = ""] = /^\{(-?[1-9]\d{0,5}|\w)\.\.(-?[1-9]\d{0,5}|\w)(?:\.\.-?\d+)?\}$/u.exec(text) ?? [];
  const isLetters = /^(?:[a-z]{2}|[A-Z]{2})$/u.test(from + to);
  if (!isLetters && !/^[\d-]+$/u.test(from + to)) return "*";
  const [one, other] = [from, to].map((end) => (isLetters ? end.charCodeAt(0) : Number(end))) as [number, number];
  if (Math.abs(one - other) >= mostWays) return "*";
  const words = Array.from({ length: Math.abs(one - other) + 1 }, (_, at) => Math.min(one, other) + at).map((word) =>
    isLetters ? String.fromCharCode(word) : String(word),
  );
  return words.length === 1 ? words.join("") : `{${words.join(",")}}`;
}

/** Of a way through braces: a variable or a program in it may become anything. */
const wayOf = (text: string): Run[] =>
  text.split(/([$`][^/]*)/u).flatMap((piece, at) => (at % 2 === 1 ? anything : patternOf(piece)));

/** Text that bash matches with names once it is there, as that of a variable without quotes. */
const patternOf = (text: string): Run[] =>
  [...text.matchAll(/\*|\?|\[[^\]]*\]|\{[^{}]*\.\.[^{}]*\}|[^*?[{]+|[[{]/gu)].map(([piece]): Run => {
    if (piece === "*" || /^\{.*\.\./u.test(piece)) return { any: "name" };
    if (piece === "?") return { one: "[^/]" };
    return piece.length > 1 && piece.startsWith("[") ? { one: bracket(piece) } : { text: piece };
  });

/** The values of a variable: of the line's own, and of the few that bash sets. Without quotes blanks part them into words. */
function valuesOf(name: string, known: Known, depth: number, isQuoted: boolean): Run[][] {
  const given = known.variables.get(name);
  if (given === undefined) {
    if (name === "PWD" && known.folders !== undefined) return known.folders.map((text) => [{ text }]);
    return name === "HOME" && known.home !== undefined ? [[{ text: known.home }]] : [anything];
  }
  const values = given.flatMap((word) => (word === null ? [anything] : waysOf(word, known, depth - 1)));
  if (values.length > mostWays) return [anything];
  const split = isQuoted ? values : values.flatMap(asWords);
  return [...split, ...(name === "PWD" || name === "HOME" ? [anything] : [])];
}

function asWords(way: Run[]): Run[][] {
  const [only, ...more] = way;
  if (only === undefined || !("text" in only) || more.length > 0) return [way];
  const words = only.text.split(/\s+/u).filter((word) => word !== "");
  return [...new Set([only.text, ...words])].map(patternOf);
}

/** Makes a path of a way of which only the end is known, as if it lay here: its name may be one that is guarded. */
function guessed(way: readonly Run[]): string[] {
  const rest = way.slice(way.findLastIndex(isUnknown) + 1);
  if (rest.length === 0 || !rest.every((run) => "text" in run)) return [];
  const text = rest.map((run) => ("text" in run ? run.text : "")).join("");
  return [text.startsWith("/") ? text.replace(/^\/+/u, "") : `x${text}`];
}

/** Lists the paths that lie there under such a name. Without a pattern it is the name itself, whether or not it is there. */
function matches(
  way: readonly Run[],
  { folders, isLoose, left }: Known,
): Pick<Expansion, "paths" | "isOpen" | "isCut"> {
  const segments = segmentsOf(way);
  const isWhole = segments[0]?.length === 0;
  if (segments.every((segment) => segment.every((run) => "text" in run)))
    return { paths: [segments.map(textOf).join("/")], isOpen: false, isCut: false };
  if (!isWhole && folders === undefined) return { paths: [], isOpen: true, isCut: false };
  const given = Math.min(most.entries, left.entries);
  const budget = { entries: given, isSpent: false };
  let at: string[] = isWhole ? ["/"] : [...(folders ?? [])];
  for (const segment of isWhole ? segments.slice(1) : segments)
    at = at.flatMap((folder) => named(folder, segment, isLoose, budget));
  const paths = at.slice(0, Math.min(most.files, left.files));
  const isCut = budget.isSpent || paths.length < at.length;
  left.entries -= given - budget.entries;
  left.files -= paths.length;
  return { paths, isOpen: isCut || at.some((path) => path.length > longestPath), isCut };
}

interface Budget {
  /** It may go below nothing: what a folder holds is known only once it is read. */
  entries: number;
  /** Something was not looked at. */
  isSpent: boolean;
}

function named(folder: string, segment: readonly Run[], isLoose: boolean, budget: Budget): string[] {
  if (segment.length === 0) return [folder];
  if (segment.every((run) => "text" in run)) return [join(folder, textOf(segment))];
  budget.isSpent ||= budget.entries <= 0;
  if (budget.isSpent) return [];
  const [first] = segment;
  const meansDot = isLoose || (first !== undefined && "text" in first && first.text.startsWith("."));
  const fold = (text: string): string => (isLoose ? text.toLowerCase() : text);
  const tokens = segment.flatMap((run): Token[] => tokensOf(run, fold));
  const names = namesIn(folder);
  budget.entries -= names.length;
  return names
    .filter((name) => (meansDot || !name.startsWith(".")) && fits(tokens, fold(name)))
    .map((name) => join(folder, name));
}

const textOf = (segment: readonly Run[]): string => segment.map((run) => ("text" in run ? run.text : "")).join("");

/** The test of one character; a star is any number of them. */
type Token = "*" | ((character: string) => boolean);

function tokensOf(run: Run, fold: (text: string) => string): Token[] {
  if ("any" in run) return ["*"];
  if ("text" in run) return [...fold(run.text)].map((wanted) => (character: string) => character === wanted);
  const pattern = new RegExp(`^${run.one}$`, "su");
  return [(character) => pattern.test(character) || pattern.test(character.toUpperCase())];
}

const fits = (tokens: readonly Token[], name: string): boolean =>
  wildMatch(
    tokens,
    [...name],
    (token) => token === "*",
    (token, character) => token !== "*" && token(character),
  );

function segmentsOf(way: readonly Run[]): Run[][] {
  const segments: Run[][] = [[]];
  for (const run of way) {
    if (!("text" in run)) {
      segments.at(-1)?.push(run);
      continue;
    }
    for (const [index, text] of run.text.split("/").entries()) {
      if (index > 0) segments.push([]);
      if (text !== "") segments.at(-1)?.push({ text });
    }
  }
  return segments;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not there, or not to be looked at
  }
}
