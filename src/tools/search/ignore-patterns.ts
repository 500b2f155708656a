import { limits } from "../../core/limits.ts";
import {
  matchesName,
  matchesPath,
  type Name,
  type NamePattern,
  type PathPattern,
  readName,
  readPath,
} from "./name-pattern.ts";

/** Patterns of a .gitignore, read. */
export interface IgnorePatterns {
  /**
   * Returns the word of the last pattern that means this very path; undefined where none does. A pattern that means a folder above it
   * does not count.
   * @param names of the folders below the patterns' own folder, and the last of the file or folder itself.
   */
  sayOf(names: readonly Name[], isFolder: boolean): "ignored" | "kept" | undefined;
}

/** Characters of patterns that are heeded: each of them may be compared with each character of a path. */
export const maxPatternText = limits.ignorePatterns.most;

interface Rule {
  says: "ignored" | "kept";
  foldersOnly: boolean;
  /** A pattern without a slash means the last name at any depth. */
  pattern: { name: NamePattern } | { path: PathPattern };
}

/** Reads them as git does, one a line. What is beyond `maxPatternText` is left out. */
export function readIgnorePatterns(lines: readonly string[]): IgnorePatterns {
  const rules: Rule[] = [];
  let size = 0;
  for (const line of lines) {
    size += line.length + 1;
    if (size > maxPatternText) break;
    const rule = readRule(line);
    if (rule !== undefined) rules.unshift(rule);
  }
  return {
    sayOf: (names, isFolder) =>
      rules.find(({ foldersOnly, pattern }) => (isFolder || !foldersOnly) && means(pattern, names))?.says,
  };
}

function readRule(line: string): Rule | undefined {
  if (line.startsWith("#")) return undefined;
  const isKept = line.startsWith("!");
  const text = withoutBlanks(isKept ? line.slice(1) : line);
  const foldersOnly = text.endsWith("/");
  const body = foldersOnly ? text.slice(0, -1) : text;
  if (body === "") return undefined;
  const pattern = body.includes("/") ? { path: readPath(body) } : { name: readName(body) };
  return { says: isKept ? "kept" : "ignored", foldersOnly, pattern };
}

/** Blanks at the end count only behind a backslash. */
function withoutBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && /[ \t\r]/.test(line[end - 1] ?? "") && !isEscaped(line, end - 1)) end -= 1;
  return line.slice(0, end);
}

function isEscaped(line: string, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

function means(pattern: Rule["pattern"], names: readonly Name[]): boolean {
  if ("path" in pattern) return matchesPath(pattern.path, names);
  const last = names.at(-1);
  return last !== undefined && matchesName(pattern.name, last);
}
