import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { ToolRefusal } from "../../core/codes.ts";
import type { ToolContext } from "../../core/tool.ts";
import { fileRefusal } from "../../files/file-errors.ts";
import { plannedRead } from "../planned-read.ts";

/** Where to list or search: real and absolute, with what is there. */
export interface SearchPlace {
  asked: string;
  real: string;
  stats: Stats;
}

/**
 * Looks at the planned place.
 * @throws ToolRefusal where it does not exist.
 */
export async function findPlace(ctx: ToolContext): Promise<SearchPlace> {
  const { asked, real } = plannedRead(ctx);
  try {
    return { asked, real, stats: await stat(real) };
  } catch (error) {
    throw fileRefusal(error, asked);
  }
}

/** The same for a tool that needs a folder. */
export async function findFolder(ctx: ToolContext): Promise<SearchPlace> {
  const place = await findPlace(ctx);
  if (place.stats.isDirectory()) return place;
  const hint = place.stats.isFile() ? "is a file, not a folder; read_file reads it" : "is not a folder";
  throw new ToolRefusal("NOT_FOUND", `there is no folder ${place.asked}: it ${hint}`);
}

/** Relative to the workspace, `.` for itself. A name that would break the line it stands on is written as a JSON string. */
export function shownPath(workspace: string, real: string): string {
  return shownName(relative(workspace, real) || ".");
}

export const shownName = (name: string): string =>
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name) ? JSON.stringify(name) : name;

/** By segments, so that a folder's files stay together; names by UTF-16 code units. */
export function comparePaths(a: string, b: string): number {
  const left = a.replaceAll("/", "\u0000");
  const right = b.replaceAll("/", "\u0000");
  return left < right ? -1 : left > right ? 1 : 0;
}

/** 1234567 -> "1,234,567". */
export const shownCount = (count: number): string => count.toLocaleString("en-US");

/** 1 -> "1 folder", 2 -> "2 folders". */
export const counted = (count: number, one: string): string => `${shownCount(count)} ${one}${count === 1 ? "" : "s"}`;

const publicSamples = new Set([".env.example", ".env.sample", ".env.template"]);

/** Files that hold secrets by custom: they may be named, but nothing in them is printed. */
export const isSecretFile = (name: string): boolean => /^\.env/i.test(name) && !publicSamples.has(name.toLowerCase());

/** What the braces of one pattern may stand for. */
export const maxExpanded = 500;

/**
 * The patterns that braces stand for: `*.{ts,tsx}` -> `*.ts`, `*.tsx`. Undefined where there would be more than `limit`:
 * braces multiply, and a short pattern can stand for millions.
 */
export function expandBraces(pattern: string, limit: number): string[] | undefined {
  const done: string[] = [];
  const queue = [pattern];
  while (queue.length > 0) {
    const next = queue.pop() ?? "";
    const group = /(?<!\\)\{([^{}]*,[^{}]*)\}/.exec(next);
    if (group === null) done.push(next);
    else
      for (const part of (group[1] ?? "").split(","))
        queue.push(next.slice(0, group.index) + part + next.slice(group.index + group[0].length));
    if (done.length + queue.length > limit) return undefined;
  }
  return done.reverse();
}
