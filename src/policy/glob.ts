import { expandBraces } from "../core/braces.ts";
import { foldCase } from "../core/fold-case.ts";
import { wildMatch } from "../core/wild-match.ts";
import { patterns } from "../words/en/patterns.ts";
import { segmentsBelow, segmentsOf } from "./names.ts";
import type { Glob, Segment, Token } from "./types.ts";

/** More ways through the braces than this is a mistake, or an attempt to stall. */
export const maxWays = 64;
export const maxPatternLength = 4_096;

/**
 * Reads a path pattern: `*` (any characters but `/`), `?` (one), `**` as a whole segment (any folders, none too), `{a,b}`,
 * and `\` before a character that shall mean itself. Brackets are plain characters. Names with a leading dot match
 * like others. Relative to the workspace, or absolute; a trailing `/` or `/**` means the folder and all below it.
 * @returns what is wrong with it, in words, when it cannot be read.
 */
export function parseGlob(pattern: string): Glob | { wrong: string } {
  if (pattern.trim() === "") return { wrong: patterns().empty };
  if (pattern.length > maxPatternLength) return { wrong: patterns().tooLong({ most: maxPatternLength }) };
  if (pattern.includes("\0")) return { wrong: patterns().nul };
  if (pattern.startsWith("!")) return { wrong: patterns().negated };
  if (pattern.startsWith("~")) return { wrong: patterns().tilde };
  const texts = expandBraces(pattern.normalize("NFC"), maxWays);
  if (texts === "unbalanced") return { wrong: patterns().unbalanced };
  if (texts === "too many") return { wrong: patterns().tooManyWays({ most: maxWays }) };
  const absolute = pattern.startsWith("/");
  if (texts.some((text) => text.startsWith("/") !== absolute)) return { wrong: patterns().halfAbsolute };
  const ways = texts.map(readSegments);
  if (ways.some((way) => way.some(isParent))) return { wrong: patterns().parent };
  return { absolute, ways };
}

const isParent = (segment: Segment): boolean => segment !== "**" && segment.join("") === "..";

/** Tells whether the pattern has no wildcard: it names one path, or as many as its braces list. */
export const isLiteral = ({ ways }: Glob): boolean =>
  ways.flat().every((segment) => segment !== "**" && segment.every((token) => typeof token === "string"));

/** Tells whether the absolute `path` is meant by the pattern. `fold`: as a file system that ignores case would see it. */
export function matchesGlob(glob: Glob, path: string, workspace: string, fold: boolean): boolean {
  const segments = glob.absolute ? segmentsOf(path) : segmentsBelow(workspace, path);
  if (segments === undefined) return false;
  const normal = fold ? foldCase : (text: string) => text.normalize("NFC");
  const names = segments.map((segment) => [...normal(segment)]);
  return glob.ways.some((way) =>
    wildMatch(
      way,
      names,
      (segment) => segment === "**",
      (segment, name) => segment !== "**" && matchesName(segment, name, normal),
    ),
  );
}

/**
 * Makes the test whether one of the patterns means an absolute path, as a file system that ignores case would see it: the result is
 * that of `matchesGlob` for each of them below each root, made ready once for many paths.
 */
export function anyOf(globs: readonly Glob[], roots: readonly string[]): (path: string) => boolean {
  const waysOf = (absolute: boolean): Folded[][] =>
    globs.filter((glob) => glob.absolute === absolute).flatMap(({ ways }) => ways.map((way) => way.map(folded)));
  const [absolute, relative] = [waysOf(true), waysOf(false)];
  const meant = (ways: readonly Folded[][], segmentsIn: () => readonly string[] | undefined): boolean => {
    const names = ways.length === 0 ? undefined : segmentsIn()?.map(foldCase);
    if (names === undefined) return false;
    return ways.some((way) => wildMatch(way, names, (segment) => segment === anyFolders, fitsName));
  };
  return (path) =>
    meant(absolute, () => segmentsOf(path)) || roots.some((root) => meant(relative, () => segmentsBelow(root, path)));
}

const anyFolders = Symbol("**");

/** A segment as it is compared: a text where it has no wildcard. */
type Folded = typeof anyFolders | string | Token[];

function folded(segment: Segment): Folded {
  if (segment === "**") return anyFolders;
  const tokens = segment.flatMap((token): Token[] => (typeof token === "string" ? [...foldCase(token)] : [token]));
  return tokens.every((token) => typeof token === "string") ? tokens.join("") : tokens;
}

function fitsName(wanted: Folded, name: string): boolean {
  if (typeof wanted === "symbol") return false;
  return typeof wanted === "string" ? wanted === name : matchesTokens(wanted, [...name]);
}

function matchesName(tokens: Token[], name: string[], normal: (text: string) => string): boolean {
  const wanted = tokens.flatMap((token): Token[] => (typeof token === "string" ? [...normal(token)] : [token]));
  return matchesTokens(wanted, name);
}

const matchesTokens = (wanted: readonly Token[], name: readonly string[]): boolean =>
  wildMatch(
    wanted,
    name,
    (token) => typeof token !== "string" && token.wild === "any",
    (token, character) => typeof token !== "string" || token === character,
  );

function readSegments(text: string): Segment[] {
  const whole = text.endsWith("/") ? `${text}**` : text;
  return whole
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .map((segment) => (segment === "**" ? segment : readTokens(segment)));
}

function readTokens(segment: string): Token[] {
  const tokens: Token[] = [];
  let escaped = false;
  for (const character of segment) {
    if (!escaped && character === "\\") {
      escaped = true;
      continue;
    }
    if (!escaped && character === "*") tokens.push({ wild: "any" });
    else if (!escaped && character === "?") tokens.push({ wild: "one" });
    else tokens.push(character);
    escaped = false;
  }
  if (escaped) tokens.push("\\");
  return tokens;
}

/** A pattern that means exactly this path. */
export const escapeGlob = (path: string): string => path.replace(/[\\*?{}]/gu, "\\$&").replace(/^[!~]/u, "\\$&");
