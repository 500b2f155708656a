import { dirname, isAbsolute, join } from "node:path";
import { expandBraces } from "../../core/braces.ts";
import { ToolRefusal } from "../../core/codes.ts";
import { maxExpanded } from "./search-path.ts";

const maxLength = 1_000;
/** Each wildcard multiplies the ways to match one name. */
const maxStars = 24;

/**
 * What is wrong with a glob pattern, or undefined. Refused are patterns that mean nothing, that could leave the folder, and
 * those whose matching takes time without bound.
 */
export function patternFault(pattern: string): string | undefined {
  if (pattern.trim() === "") return "pattern is empty; **/* matches every file";
  if (pattern.includes("\0")) return "pattern holds a NUL character";
  if (pattern.length > maxLength) return `pattern is longer than ${maxLength} characters`;
  if (pattern.startsWith("!")) return "pattern begins with !, which would match nothing; say what to find instead";
  if (/[*+]\(/.test(pattern)) return "repeated groups such as +(a|b) are not supported; use {a,b} or *";
  if ((pattern.match(/\*+/g) ?? []).length > maxStars) return `pattern has more than ${maxStars} wildcards`;
  const expanded = expandBraces(pattern, maxExpanded);
  const ranges = [...pattern.matchAll(/\{[^{},]*\.\.[^{},]*\}/g)].length;
  if (expanded === "too many" || ranges > 1) return "the braces of pattern stand for too many patterns";
  // A brace without a partner is a plain character to the engine.
  if ((expanded === "unbalanced" ? [pattern] : expanded).some((one) => /(^|[/(|])\.\.([/)|]|$)/.test(one)))
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
