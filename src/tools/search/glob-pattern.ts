import { dirname, isAbsolute, join } from "node:path";
import { expandBraces } from "../../core/braces.ts";
import { ToolRefusal } from "../../core/codes.ts";
import { limits } from "../../core/limits.ts";
import { matchesName, nameOf, type PathPattern, readPath } from "./name-pattern.ts";
import { maxExpanded } from "./search-path.ts";

const maxLength = limits.globPattern.most;
/** More is a mistake. */
const maxStars = 24;

/** Returns the fault of a glob pattern, or undefined. Refused are patterns that mean nothing and those that could leave the folder. */
export function patternFault(pattern: string): string | undefined {
  if (pattern.trim() === "") return "pattern is empty; **/* matches every file";
  if (pattern.includes("\0")) return "pattern holds a NUL character";
  if (pattern.length > maxLength) return `pattern is longer than ${maxLength} characters`;
  if (pattern.startsWith("!")) return "pattern begins with !, which would match nothing; say what to find instead";
  if (/[*+]\(/.test(pattern)) return "repeated groups such as +(a|b) are not supported; use {a,b} or *";
  if (/(?<!\\)!\(/.test(pattern))
    return "groups that leave out, such as !(a|b), are not supported; say what to find instead";
  if ((pattern.match(/\*+/g) ?? []).length > maxStars) return `pattern has more than ${maxStars} wildcards`;
  const texts = textsOf(pattern);
  if (texts === "too many") return "the braces of pattern stand for too many patterns";
  if (texts.some((one) => /(^|\/)\.\.(\/|$)/.test(one)))
    return "pattern may not hold .. ; give path the folder to search in";
  return undefined;
}

/**
 * An absolute pattern, split into the folder before its first wildcard and the rest, relative to that folder. Pure; undefined for a
 * relative one.
 * @throws ToolRefusal where the pattern has no rest.
 */
export function splitAbsolute(pattern: string): { folder: string; rest: string } | undefined {
  if (!isAbsolute(pattern)) return undefined;
  const fixed = /^[^*?[\]{}()!\\]*/.exec(pattern)?.[0] ?? "/";
  const folder = fixed.endsWith("/") ? fixed : `${dirname(fixed)}/`;
  const rest = pattern.slice(folder === "//" ? 1 : folder.length);
  if (rest === "")
    throw new ToolRefusal("INVALID_ARGUMENT", `${pattern} is a folder; add **/* to find the files in it`);
  return { folder, rest: join(rest) };
}

/** The patterns without braces and groups that a pattern stands for. A brace without a partner is a plain character. */
function textsOf(pattern: string): string[] | "too many" {
  const plain = rangesAsBraces(groupsAsBraces(pattern));
  const texts = expandBraces(plain, maxExpanded);
  return texts === "unbalanced"
    ? [plain.replaceAll(/\\.|[{}]/gsu, (mark) => (mark.length === 1 ? `\\${mark}` : mark))]
    : texts;
}

/** `@(a|b)` as `{a,b}`, `?(a|b)` as `{,a,b}`; other round brackets are plain characters. */
function groupsAsBraces(pattern: string): string {
  /** For each bracket that is open, whether it is that of a group. */
  const open: boolean[] = [];
  return pattern.replaceAll(/\\.|[@?]?\(|[|),]/gsu, (mark) => {
    const begin = groupBegins[mark];
    if (mark === "(" || begin !== undefined) open.push(begin !== undefined);
    if (begin !== undefined) return begin;
    const isInGroup = open.at(-1) === true;
    if (mark === ")") open.pop();
    return isInGroup ? (groupMarks[mark] ?? mark) : mark;
  });
}

const groupBegins: Record<string, string> = { "@(": "{", "?(": "{," };
const groupMarks: Record<string, string> = { "|": ",", ")": "}", ",": "\\," };

/** `{1..3}` as `{1,2,3}`, `{a..c}` as `{a,b,c}`. */
function rangesAsBraces(pattern: string): string {
  return pattern.replaceAll(
    /\\.|\{(?:(-?\d{1,6})\.\.(-?\d{1,6})|([a-zA-Z])\.\.([a-zA-Z]))\}/gsu,
    (range, from, to, first, last) => {
      if (range.startsWith("\\")) return range;
      const [start, end] =
        from === undefined
          ? [String(first).codePointAt(0) ?? 0, String(last).codePointAt(0) ?? 0]
          : [Number(from), Number(to)];
      const step = start <= end ? 1 : -1;
      const length = Math.abs(end - start) + 1;
      if (length > maxExpanded) return range.replace("..", ",".repeat(maxExpanded + 1));
      const all = Array.from({ length }, (_, i) => start + i * step);
      return `{${all.map((one) => (from === undefined ? String.fromCodePoint(one) : String(one))).join(",")}}`;
    },
  );
}

/** The progress of a path in a pattern: for each way through its braces the segments that may come next. */
export type Progress = ReadonlySet<number>;

/** A pattern of paths, matched name by name on the way down; each name is compared once with what may come next. */
export interface PathMatcher {
  readonly start: Progress;
  /** @returns where a path is with one name more; empty where it cannot match any more. */
  step(at: Progress, name: string): Progress;
  /** Tells whether the path that came so far matches. */
  isEnd(at: Progress): boolean;
}

/** @param pattern one in which `patternFault` sees nothing wrong. */
export function pathMatcher(pattern: string): PathMatcher {
  const texts = textsOf(pattern);
  // One that ends with a slash means folders, of which none is listed.
  const ofFiles = texts === "too many" ? [] : texts.filter((text) => !text.endsWith("/"));
  const ways = ofFiles.map((text) => readPath(text.replaceAll(/(?<=^|\/)\.\//g, "")));
  /** All segments of all ways, each way ended by a mark. */
  const segments: (PathPattern[number] | "end")[] = [];
  const begins = ways.map((way) => segments.push(...way, "end") - way.length - 1);
  const withEmpty = (from: Iterable<number>): Progress => {
    const all = new Set<number>();
    for (let one of from) {
      for (; segments[one] === "**"; one += 1) all.add(one);
      all.add(one);
    }
    return all;
  };
  return {
    start: withEmpty(begins),
    step: (at, text) => {
      const name = nameOf(text);
      const next: number[] = [];
      for (const one of at) {
        const segment = segments[one];
        if (segment === "**") next.push(one);
        else if (segment !== undefined && segment !== "end" && matchesName(segment, name)) next.push(one + 1);
      }
      return withEmpty(next);
    },
    isEnd: (at) => [...at].some((one) => segments[one] === "end"),
  };
}
