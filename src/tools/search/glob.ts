import { lstatSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import fastGlob from "fast-glob";
import { z } from "zod";
import { shownName, shownPath } from "../../core/shown-path.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../../core/tool.ts";
import { planRead } from "../planned-read.ts";
import { createFencedFs } from "./fenced-fs.ts";
import { patternFault, splitAbsolute } from "./glob-pattern.ts";
import { createIgnoreRules, type IgnoreRules, type MorePatterns, patternsFor } from "./ignore-rules.ts";
import { comparePaths, counted, findFolder, shownCount } from "./search-path.ts";

const maxShown = 1_000;
/** Matches beyond this are not collected. */
const maxFound = 200_000;
/** So many files are looked at before other work gets its turn. */
const batch = 500;

const args = z.strictObject({
  pattern: z
    .string()
    .describe('Glob, e.g. "src/**/*.ts" or "**/*.{json,yaml}"; ** is any number of folders. Relative to path.'),
  path: z
    .string()
    .optional()
    .describe("Folder to search in, relative to the workspace or absolute inside it. Default: the working folder."),
});

/** Finds files by name, newest first. */
export function createGlobTool({ ignore = [] }: { ignore?: MorePatterns } = {}): Tool {
  return defineTool({
    name: "glob",
    description:
      "Finds files by a glob pattern, the most recently changed first, 1,000 at most. What .gitignore names, .git and " +
      "node_modules are not searched; links are not followed. Use grep to search in what files say.",
    args,
    risk: "low",
    effect: "none",
    timeoutMs: 60_000,
    display: {
      en: { name: "Find files", params: { pattern: "Pattern", path: "Folder" } },
      zh: { name: "查找文件", params: { pattern: "模式", path: "目录" } },
    },
    validate: ({ pattern }) => patternFault(pattern),
    plan: async ({ pattern, path = "." }, ctx) =>
      planRead("find files in", splitAbsolute(pattern)?.folder ?? path, ctx),
    execute: async ({ pattern }, ctx) =>
      find(pattern, createIgnoreRules(ctx.workspace, await patternsFor(ctx.workspace, ignore)), ctx),
  });
}

interface Found {
  paths: string[];
  more: boolean;
  unreadable: number;
}

async function find(pattern: string, rules: IgnoreRules, ctx: ToolContext): Promise<ToolResult> {
  const top = (await findFolder(ctx)).real;
  const found = await walk(splitAbsolute(pattern)?.rest ?? pattern, top, rules, ctx);
  const newest = await newestFirst(found.paths, ctx.signal);
  const shown = newest.slice(0, maxShown).map((file) => shownPath(ctx.workspace, file));
  const where = shownPath(ctx.workspace, top);
  const lines =
    shown.length === 0
      ? [`No file matches ${shownName(pattern)} in ${where} (ignored files are not searched).`]
      : shown;
  return {
    output: [...lines, ...notices(found)].join("\n"),
    title: `${shownCount(found.paths.length)}${found.more ? "+" : ""} files`,
    metadata: { files: found.paths.length, shown: shown.length, path: where },
  };
}

function notices({ paths, more, unreadable }: Found): string[] {
  const told: string[] = [];
  const left = paths.length - maxShown;
  if (more)
    told.push(
      `(${shownCount(maxShown)} of more than ${shownCount(maxFound)} files: newest first of those found before the search stopped; narrow the pattern)`,
    );
  else if (left > 0)
    told.push(
      `(${shownCount(maxShown)} of ${shownCount(paths.length)} files, newest first; ${shownCount(left)} left out: narrow the pattern to see them)`,
    );
  if (unreadable > 0) told.push(`(${counted(unreadable, "folder")} could not be read: permission denied)`);
  return told;
}

/** Files and links below `top` that match, absolute, in no order. */
async function walk(pattern: string, top: string, rules: IgnoreRules, ctx: ToolContext): Promise<Found> {
  await rules.load(top);
  const fs = createFencedFs(ctx.workspace, top, rules, ctx.signal);
  const stream = fastGlob.stream(pattern, {
    cwd: top,
    dot: true,
    followSymbolicLinks: false,
    onlyFiles: false,
    objectMode: true,
    suppressErrors: true,
    concurrency: 8,
    fs: fs as unknown as NonNullable<fastGlob.Options["fs"]>,
  });
  const paths: string[] = [];
  let more = false;
  for await (const entry of stream as AsyncIterable<unknown> as AsyncIterable<fastGlob.Entry>) {
    ctx.signal.throwIfAborted();
    if (!entry.dirent.isFile() && !entry.dirent.isSymbolicLink()) continue;
    if (paths.length === maxFound) {
      more = true;
      break;
    }
    paths.push(join(top, entry.path));
  }
  ctx.signal.throwIfAborted();
  return { paths, more, unreadable: fs.unreadable() };
}

async function newestFirst(paths: readonly string[], signal: AbortSignal): Promise<string[]> {
  const aged: { path: string; at: number }[] = [];
  for (const [i, path] of paths.entries()) {
    if (i % batch === batch - 1) await setImmediate();
    signal.throwIfAborted();
    aged.push({ path, at: changedAt(path) });
  }
  return aged.sort((a, b) => b.at - a.at || comparePaths(a.path, b.path)).map(({ path }) => path);
}

/** Milliseconds since the epoch; 0 where it cannot be told (the file is gone, its folder closed). */
function changedAt(path: string): number {
  try {
    return lstatSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
