import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { ToolRefusal } from "../../core/codes.ts";
import { countText } from "../../core/count-text.ts";
import { limits } from "../../core/limits.ts";
import type { ToolContext } from "../../core/tool.ts";
import { fileRefusal } from "../../files/file-errors.ts";
import { plannedRead } from "../planned-read.ts";

/** The place to list or search: real and absolute, with the stats of its entry. */
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

/** By segments, so that a folder's files stay together; names by UTF-16 code units. */
export function comparePaths(a: string, b: string): number {
  const left = a.replaceAll("/", "\u0000");
  const right = b.replaceAll("/", "\u0000");
  return left < right ? -1 : left > right ? 1 : 0;
}

/** 1 -> "1 folder", 2 -> "2 folders". */
export const counted = (count: number, one: string): string => `${countText(count)} ${one}${count === 1 ? "" : "s"}`;

/** The number of texts that the braces of one pattern may stand for. */
export const maxExpanded = limits.braces.most;

/**
 * Returns the words on names that a search for names left out. They say how many stand in the folders that were read, whatever was looked
 * for in them.
 */
export const closedNames = (count: number): string =>
  `(${counted(count, "name")} left out: telling ${count === 1 ? "it" : "them"} is not allowed unasked)`;
