import { relative } from "node:path";
import { limits } from "../../core/limits.ts";
import type { ToolContext } from "../../core/tool.ts";
import { keyHeadBytes } from "../../files/bytes/file-head.ts";
import { readThere } from "../../files/bytes/read-regular.ts";
import type { HiddenNames } from "./hidden-names.ts";

/** The request for a search. */
export interface SearchRequest {
  /** The root that is searched in. Absolute, real. */
  root: string;
  /** Results are named relative to it. */
  workspace: string;
  /** The folder or file to search, absolute, real. */
  top: string;
  isFolder: boolean;
  pattern: string;
  /** A glob in the manner of .gitignore, relative to the root; with `!` first it leaves out. */
  include: string | undefined;
  ignoreCase: boolean;
  /** Patterns beside those of .gitignore files: see `createIgnoreRules`. */
  ignore: readonly string[];
  /** Lines shown before and after each match. */
  context: number;
  /** Matching lines wanted. */
  limit: number;
  /** Tells whether a file may be searched at all. */
  mayRead(real: string, head?: Uint8Array): boolean;
  /** Tells whether an engine's words on a file count: not those on a key under an honest name, which it has opened. */
  counts(path: string): boolean;
  /** Takes values of secrets out of lines before they are cut. */
  masking: ToolContext["masking"];
  /** The note of names that the settings' `ignore` left out. */
  hidden: HiddenNames;
  /** Keeps a process that is about to be started. */
  noteChild: ToolContext["noteChild"];
  /** The folder that it is started in is the session's own. */
  pins: ToolContext["pins"];
  /** Aborted at the time limit too. */
  signal: AbortSignal;
}

/** The place of a line to be shown. Its text is read there anew: an engine's own words are not shown. */
export interface HitLine {
  /** From 1. */
  line: number;
  isMatch: boolean;
  /** Bytes before the line, in UTF-8 and without a byte order mark. */
  offset: number;
  /** Bytes of the line before its first match. */
  start: number;
}

export interface FileHits {
  /** Absolute. */
  path: string;
  lines: HitLine[];
  /** Matching lines found. */
  matches: number;
  isBinary: boolean;
}

export type SearchOutcome =
  | {
      ok: true;
      files: FileHits[];
      /** There are more than `maxCounted` matching lines; `files` has the first of them by path. */
      more: boolean;
      unreadable: number;
      /** Files that were not opened because policy does not let them be read; the same whatever is searched for. */
      closed: number;
    }
  | { ok: false; code: "INVALID_REGEX" | "INVALID_ARGUMENT" | "FAILED"; message: string }
  /** Its program cannot be started here. */
  | { ok: false; code: "NO_ENGINE"; message: string };

/** Looks at the head of a file, once each. What cannot be opened is left to whoever shows its lines. */
export function countsByHead(mayRead: SearchRequest["mayRead"]): SearchRequest["counts"] {
  const known = new Map<string, boolean>();
  return (path) => {
    const counts = known.get(path) ?? readThere(path, (there) => mayRead(path, there.read(0, keyHeadBytes))) !== false;
    known.set(path, counts);
    return counts;
  };
}

/** Matching lines are counted up to here. */
export const maxCounted = limits.grepCounted.most;

export const maxLineShown = 300;
/** Of a cut line, so much stands before the match. */
const shownBefore = 100;

/** A line as it is shown: a long one is cut around the match at `at` (UTF-16 units). `head`, `tail`: text was cut off before. */
export function cutLine(text: string, at: number, more: { head?: boolean; tail?: boolean } = {}): string {
  const from = text.length <= maxLineShown ? 0 : Math.min(Math.max(0, at - shownBefore), text.length - maxLineShown);
  const shown = text
    .slice(from, from + maxLineShown)
    .replace(/^[\uDC00-\uDFFF]/, "")
    .replace(/[\uD800-\uDBFF]$/, "");
  const before = from > 0 || more.head === true ? "…" : "";
  return `${before}${shown}${from + maxLineShown < text.length || more.tail === true ? "…" : ""}`;
}

/**
 * The include glob relative to the root: without a slash it holds at any depth, with one it is relative to the
 * searched folder.
 */
export function scopeInclude(include: string, root: string, top: string): string {
  const negated = include.startsWith("!") ? "!" : "";
  const body = include
    .slice(negated.length)
    .replace(/^\.?\//, "/")
    .replace(/\/$/, "/**");
  if (!body.includes("/") || body.startsWith("**/")) return negated + body;
  const scope = relative(root, top).replace(/[\\*?[\]{}!]/g, "\\$&");
  return `${negated}${scope === "" ? "" : `/${scope}`}/${body.replace(/^\//, "")}`;
}
