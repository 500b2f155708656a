import type { Dirent } from "node:fs";
import { opendir, readlink } from "node:fs/promises";
import { join } from "node:path";
import ignore from "ignore";
import { z } from "zod";
import { shownName, shownPath } from "../../core/shown-path.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../../core/tool.ts";
import { fileRefusal } from "../../files/file-errors.ts";
import { planRead } from "../planned-read.ts";
import { createIgnoreRules, type IgnoreRules, type MorePatterns, patternsFor } from "./ignore-rules.ts";
import { findFolder, type SearchPlace, shownCount } from "./search-path.ts";

const maxShown = 1_000;
/** Of a larger folder only so many entries are read. */
const maxRead = 100_000;
const namesLeftOut = 5;

const args = z.strictObject({
  path: z
    .string()
    .optional()
    .describe("Folder to list, relative to the workspace or absolute inside it. Default: the working folder."),
  ignore: z
    .array(z.string())
    .optional()
    .describe('More entries to leave out, as .gitignore patterns, e.g. ["*.log", "dist"].'),
});

/** Lists one folder: `folder/`, `file`, `link@ -> target`, by name. */
export function createLsTool({ ignore: more = [] }: { ignore?: MorePatterns } = {}): Tool {
  return defineTool({
    name: "ls",
    description:
      "Lists one folder, sorted by name: folders end with /, links with @ and their target. Hidden files are shown; what " +
      ".gitignore names, .git and node_modules are left out and counted. Use glob to find files in the folders below.",
    args,
    risk: "low",
    effect: "none",
    timeoutMs: 60_000,
    display: { en: { name: "List", params: { path: "Folder" } }, zh: { name: "列出目录", params: { path: "目录" } } },
    plan: ({ path = "." }, ctx) => planRead("list", path, ctx),
    execute: async (given, ctx) => {
      const rules = createIgnoreRules(ctx.workspace, await patternsFor(ctx.workspace, more));
      return list(await findFolder(ctx), given.ignore ?? [], rules, ctx);
    },
  });
}

async function list(place: SearchPlace, patterns: string[], rules: IgnoreRules, ctx: ToolContext): Promise<ToolResult> {
  const { entries, more } = await readEntries(place, ctx);
  await rules.load(place.real);
  const also = ignore({ ignorecase: false }).add(patterns);
  const isLeftOut = (entry: Dirent): boolean =>
    rules.ignoresEntry(place.real, entry.name, entry.isDirectory()) ||
    also.ignores(entry.isDirectory() ? `${entry.name}/` : entry.name);
  const kept = entries.filter((entry) => !isLeftOut(entry)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const leftOut = entries.filter(isLeftOut).map((entry) => entry.name);
  const lines = await Promise.all(kept.slice(0, maxShown).map((entry) => lineOf(place.real, entry)));
  const notices = [cutNotice(kept.length, more), leftOutNotice(leftOut)].filter((text) => text !== "");
  if (lines.length === 0) lines.push(leftOut.length === 0 ? "(empty folder)" : "(nothing else in this folder)");
  const shown = shownPath(ctx.workspace, place.real);
  return {
    output: [...lines, ...notices].join("\n"),
    title: `${shown}: ${shownCount(kept.length)}${more ? "+" : ""} entries`,
    metadata: { path: shown, entries: kept.length, leftOut: leftOut.length },
  };
}

async function readEntries(place: SearchPlace, ctx: ToolContext): Promise<{ entries: Dirent[]; more: boolean }> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(place.real, { bufferSize: 256 })) {
      ctx.signal.throwIfAborted();
      if (entries.length === maxRead) return { entries, more: true };
      entries.push(entry);
    }
  } catch (error) {
    ctx.signal.throwIfAborted();
    throw fileRefusal(error, place.asked);
  }
  return { entries, more: false };
}

async function lineOf(folder: string, entry: Dirent): Promise<string> {
  const name = shownName(entry.name);
  if (entry.isDirectory()) return `${name}/`;
  if (entry.isSymbolicLink()) {
    const target = await readlink(join(folder, entry.name)).catch(() => "?");
    return `${name}@ -> ${shownName(target)}`;
  }
  return entry.isFile() ? name : `${name} (${specialKind(entry)})`;
}

const specialKind = (entry: Dirent): string => (entry.isFIFO() ? "fifo" : entry.isSocket() ? "socket" : "device");

function cutNotice(count: number, more: boolean): string {
  if (more)
    return `(the first ${shownCount(maxShown)} by name of the ${shownCount(maxRead)} entries that were read; there are more)`;
  if (count <= maxShown) return "";
  return `(the first ${shownCount(maxShown)} by name of ${shownCount(count)} entries; use glob to narrow)`;
}

function leftOutNotice(names: string[]): string {
  if (names.length === 0) return "";
  const some = names.sort().slice(0, namesLeftOut).map(shownName).join(", ");
  const rest = names.length > namesLeftOut ? `, and ${shownCount(names.length - namesLeftOut)} more` : "";
  return `(${shownCount(names.length)} ignored, left out: ${some}${rest})`;
}
