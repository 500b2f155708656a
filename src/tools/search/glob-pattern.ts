import { dirname, isAbsolute, join, relative } from "node:path";
import { expandBraces } from "../../core/braces.ts";
import { ToolRefusal } from "../../core/codes.ts";
import type { ToolContext } from "../../core/tool.ts";
import { resolveInside } from "../../files/boundary.ts";
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
 * An absolute pattern, split into the folder before its first wildcard and the rest, relative to that folder.
 * Undefined for a relative one.
 * @throws ToolRefusal where the folder is outside the workspace.
 */
export async function splitAbsolute(
  ctx: ToolContext,
  pattern: string,
): Promise<{ folder: string; rest: string } | undefined> {
  if (!isAbsolute(pattern)) return undefined;
  const fixed = /^[^*?[\]{}()!\\]*/.exec(pattern)?.[0] ?? "/";
  const base = fixed.endsWith("/") ? fixed : `${dirname(fixed)}/`;
  const real = await resolveInside(ctx.workspace, ctx.cwd, base);
  const rest = pattern.slice(base === "//" ? 1 : base.length);
  if (rest === "")
    throw new ToolRefusal("INVALID_ARGUMENT", `${pattern} is a folder; add **/* to find the files in it`);
  return { folder: relative(ctx.workspace, real) || ".", rest: join(rest) };
}
