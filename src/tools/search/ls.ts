import type { Dirent } from "node:fs";
import { opendir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { countText } from "../../core/count-text.ts";
import { limits } from "../../core/limits.ts";
import { shownName, shownPath } from "../../core/shown-path.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../../core/tool.ts";
import { rootOf } from "../../files/boundary.ts";
import { fileRefusal } from "../../files/file-errors.ts";
import { type PinnedFolder, pinFolder } from "../../files/pinned-folder.ts";
import { mayReadOf, planRead } from "../planned-read.ts";
import { maxPatternText, readIgnorePatterns } from "./ignore-patterns.ts";
import { createIgnoreRules, type IgnoreRules, leftOutNames, type MorePatterns, patternsFor } from "./ignore-rules.ts";
import { createBreath } from "./let-others-work.ts";
import { nameOf } from "./name-pattern.ts";
import { closedNames, findFolder, type SearchPlace } from "./search-path.ts";

const maxShown = 1_000;
/** Of a larger folder only so many entries are read. */
const maxRead = limits.folderEntries.most;
const namesLeftOut = 5;

const args = z.strictObject({
  path: z.string().optional().describe("Folder to list. Default: the working folder."),
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
      ".gitignore names, .git and node_modules are left out and counted.",
    args,
    risk: "low",
    effect: "none",
    access: "names",
    timeoutMs: 60_000,
    display: { en: { name: "List", params: { path: "Folder" } }, zh: { name: "列出目录", params: { path: "目录" } } },
    validate: ({ ignore = [] }) =>
      ignore.join("\n").length > maxPatternText ? `ignore holds more than ${maxPatternText} characters` : undefined,
    plan: ({ path = "." }, ctx) => planRead("list", path, ctx),
    execute: async (given, ctx) => {
      const place = await findFolder(ctx);
      const root = await rootOf(ctx, place.real);
      const rules = createIgnoreRules(root, await patternsFor(ctx.workspace, more));
      return list({ ...place, root }, given.ignore ?? [], rules, ctx);
    },
  });
}

async function list(
  place: SearchPlace & { root: string },
  patterns: string[],
  rules: IgnoreRules,
  ctx: ToolContext,
): Promise<ToolResult> {
  const folder = await pinFolder(place.real, place.root, ctx.pins).catch((error: unknown) => {
    throw fileRefusal(error, place.asked);
  });
  try {
    const { entries, more } = await readEntries(folder, place.asked, ctx);
    await rules.load(place.real);
    return await listed(await sorted(entries, patterns, rules, folder, ctx), more, folder, ctx);
  } finally {
    await folder.close();
  }
}

async function readEntries(
  folder: PinnedFolder,
  asked: string,
  ctx: ToolContext,
): Promise<{ entries: Dirent[]; more: boolean }> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(folder.at("."), { bufferSize: 256 })) {
      ctx.signal.throwIfAborted();
      if (entries.length === maxRead) return { entries, more: true };
      entries.push(entry);
    }
  } catch (error) {
    ctx.signal.throwIfAborted();
    throw fileRefusal(error, asked);
  }
  return { entries, more: false };
}

interface Sorted {
  kept: Dirent[];
  ignored: string[];
  /** Entries that policy does not let be named. */
  closed: number;
}

async function sorted(
  entries: readonly Dirent[],
  patterns: readonly string[],
  rules: IgnoreRules,
  { path: at }: PinnedFolder,
  ctx: ToolContext,
): Promise<Sorted> {
  const found: Sorted = { kept: [], ignored: [], closed: 0 };
  const also = readIgnorePatterns(patterns);
  const mayRead = mayReadOf(ctx);
  const breath = createBreath(ctx.signal);
  for (const entry of entries) {
    if (breath.isDue()) await breath.take();
    const isFolder = entry.isDirectory();
    const isIgnored =
      rules.ignoresEntry(at, entry.name, isFolder) || also.sayOf([nameOf(entry.name)], isFolder) === "ignored";
    // A repository's own data is left out by name, and everybody knows that it is there.
    if (leftOutNames.includes(entry.name)) found.ignored.push(entry.name);
    else if (!mayRead(join(at, entry.name))) found.closed += 1;
    else if (isIgnored) found.ignored.push(entry.name);
    else found.kept.push(entry);
  }
  return found;
}

async function listed(
  { kept, ignored, closed }: Sorted,
  more: boolean,
  folder: PinnedFolder,
  ctx: ToolContext,
): Promise<ToolResult> {
  kept.sort((a, b) => (a.name < b.name ? -1 : 1));
  const lines = await Promise.all(kept.slice(0, maxShown).map((entry) => lineOf(folder, entry)));
  const notices = [cutNotice(kept.length, more), leftOutNotice(ignored), closed === 0 ? "" : closedNames(closed)];
  if (lines.length === 0)
    lines.push(ignored.length + closed === 0 ? "(empty folder)" : "(nothing else in this folder)");
  const shown = shownPath(ctx.workspace, folder.path);
  return {
    output: [...lines, ...notices.filter((text) => text !== "")].join("\n"),
    title: `${shown}: ${countText(kept.length)}${more ? "+" : ""} entries`,
    metadata: { path: shown, entries: kept.length, leftOut: ignored.length },
  };
}

async function lineOf(folder: PinnedFolder, entry: Dirent): Promise<string> {
  const name = shownName(entry.name);
  if (entry.isDirectory()) return `${name}/`;
  if (entry.isSymbolicLink()) {
    const target = await readlink(folder.at(entry.name)).catch(() => "?");
    return `${name}@ -> ${shownName(target)}`;
  }
  return entry.isFile() ? name : `${name} (${specialKind(entry)})`;
}

const specialKind = (entry: Dirent): string => (entry.isFIFO() ? "fifo" : entry.isSocket() ? "socket" : "device");

function cutNotice(count: number, more: boolean): string {
  if (more)
    return `(the first ${countText(maxShown)} by name of the ${countText(maxRead)} entries that were read; there are more)`;
  if (count <= maxShown) return "";
  return `(the first ${countText(maxShown)} by name of ${countText(count)} entries; use glob to narrow)`;
}

function leftOutNotice(names: string[]): string {
  if (names.length === 0) return "";
  const some = names.sort().slice(0, namesLeftOut).map(shownName).join(", ");
  const rest = names.length > namesLeftOut ? `, and ${countText(names.length - namesLeftOut)} more` : "";
  return `(${countText(names.length)} ignored, left out: ${some}${rest})`;
}
