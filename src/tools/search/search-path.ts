import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { ToolRefusal } from "../../core/codes.ts";
import type { ToolContext, ToolFacts } from "../../core/tool.ts";
import { resolveInside } from "../../files/boundary.ts";
import { fileRefusal } from "../../files/file-errors.ts";

/** Where to list or search: real and absolute, with what is there. */
export interface SearchPlace {
  asked: string;
  real: string;
  stats: Stats;
}

/**
 * Resolves an optional path argument (absent: the working folder).
 * @throws ToolRefusal where it leads outside, does not exist, or into a repository's own data.
 */
export async function findPlace(ctx: ToolContext, path: string | undefined): Promise<SearchPlace> {
  const asked = path ?? ".";
  const real = await resolveInside(ctx.workspace, ctx.cwd, asked);
  if (segments(relative(ctx.workspace, real)).some((name) => name.toLowerCase() === ".git"))
    throw new ToolRefusal("PROTECTED", `${asked} is the repository's own data, which is not listed or searched`);
  try {
    return { asked, real, stats: await stat(real) };
  } catch (error) {
    throw fileRefusal(error, asked);
  }
}

/** The same for a tool that needs a folder. */
export async function findFolder(ctx: ToolContext, path: string | undefined): Promise<SearchPlace> {
  const place = await findPlace(ctx, path);
  if (place.stats.isDirectory()) return place;
  const hint = place.stats.isFile() ? "is a file, not a folder; read_file reads it" : "is not a folder";
  throw new ToolRefusal("NOT_FOUND", `there is no folder ${place.asked}: it ${hint}`);
}

/** What policy judges: the one place that is read. */
export async function readFacts(ctx: ToolContext, path: string | undefined): Promise<ToolFacts> {
  const asked = path ?? ".";
  return { paths: [{ asked, real: await resolveInside(ctx.workspace, ctx.cwd, asked), access: "read" }] };
}

const segments = (path: string): string[] => path.split("/");

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

/** What the braces of one pattern may stand for. */
export const maxExpanded = 500;
