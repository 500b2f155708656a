import { z } from "zod";
import { countText } from "../../core/count-text.ts";
import { limits } from "../../core/limits.ts";
import { shownName, shownPath } from "../../core/shown-path.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../../core/tool.ts";
import { rootOf } from "../../files/boundary.ts";
import { mayReadOf, planRead } from "../planned-read.ts";
import { type PathMatcher, pathMatcher, patternFault, splitAbsolute } from "./glob-pattern.ts";
import { createHiddenNames, type HiddenNames } from "./hidden-names.ts";
import { createIgnoreRules, type IgnoreRules, type MorePatterns, patternsFor } from "./ignore-rules.ts";
import { closedNames, comparePaths, counted, findFolder } from "./search-path.ts";
import { type Walked, walkFolders } from "./walk-folders.ts";

const maxShown = 1_000;
/** Matches beyond this are not collected. */
const maxFound = limits.globFound.most;

const args = z.strictObject({
  pattern: z.string().describe('Glob, e.g. "src/**/*.ts" or "**/*.{json,yaml}"; ** is any number of folders.'),
  path: z.string().optional().describe("Folder to search in. Default: the working folder."),
});

/** Finds files by name, newest first. */
export function createGlobTool({ ignore = [] }: { ignore?: MorePatterns } = {}): Tool {
  return defineTool({
    name: "glob",
    description:
      "Finds files by a glob pattern, the most recently changed first, 1,000 at most. What .gitignore names, .git and " +
      "node_modules are not searched; links are not followed.",
    args,
    risk: "low",
    effect: "none",
    access: "names",
    timeoutMs: 60_000,
    display: {
      en: { name: "Find files", params: { pattern: "Pattern", path: "Folder" } },
      zh: { name: "查找文件", params: { pattern: "模式", path: "目录" } },
    },
    validate: ({ pattern }) => patternFault(pattern),
    plan: async ({ pattern, path = "." }, ctx) =>
      planRead("find files in", splitAbsolute(pattern)?.folder ?? path, ctx),
    execute: async ({ pattern }, ctx) => find(pattern, await patternsFor(ctx.workspace, ignore), ctx),
  });
}

interface Match {
  path: string;
  /** Milliseconds since the epoch; 0 where it cannot be told. */
  at: number;
}

interface Found extends Walked {
  matches: Match[];
  more: boolean;
}

async function find(pattern: string, ignore: readonly string[], ctx: ToolContext): Promise<ToolResult> {
  const top = (await findFolder(ctx)).real;
  const root = await rootOf(ctx, top);
  const rules = createIgnoreRules(root, ignore);
  const hidden = createHiddenNames(mayReadOf(ctx));
  const found = await walk(splitAbsolute(pattern)?.rest ?? pattern, { root, top, rules, hidden }, ctx);
  const newest = found.matches.sort((a, b) => b.at - a.at || comparePaths(a.path, b.path));
  const shown = newest.slice(0, maxShown).map(({ path }) => shownPath(ctx.workspace, path));
  const where = shownPath(ctx.workspace, top);
  const told = [hidden.notice(ctx.workspace)].filter((text) => text !== undefined);
  const lines =
    shown.length === 0
      ? [`No file matches ${shownName(pattern)} in ${where} (ignored files are not searched).`]
      : shown;
  return {
    output: [...lines, ...notices(found), ...told].join("\n"),
    title: `${countText(found.matches.length)}${found.more ? "+" : ""} files`,
    metadata: { files: found.matches.length, shown: shown.length, path: where },
  };
}

function notices({ matches, more, unreadable, closed }: Found): string[] {
  const told: string[] = [];
  const left = matches.length - maxShown;
  if (more)
    told.push(
      `(${countText(maxShown)} of more than ${countText(maxFound)} files: newest first of those found before the search stopped; narrow the pattern)`,
    );
  else if (left > 0)
    told.push(
      `(${countText(maxShown)} of ${countText(matches.length)} files, newest first; ${countText(left)} left out: narrow the pattern to see them)`,
    );
  if (unreadable > 0) told.push(`(${counted(unreadable, "folder")} could not be read: permission denied)`);
  if (closed > 0) told.push(closedNames(closed));
  return told;
}

/** Files and links below its `top` that match, absolute, in no order. */
async function walk(
  pattern: string,
  where: { root: string; top: string; rules: IgnoreRules; hidden: HiddenNames },
  ctx: ToolContext,
): Promise<Found> {
  const matcher: PathMatcher = pathMatcher(pattern);
  const matches: Match[] = [];
  const isFull = (): boolean => matches.length > maxFound;
  const walked = await walkFolders({
    ...where,
    state: matcher.start,
    signal: ctx.signal,
    mayRead: mayReadOf(ctx),
    isFull,
    enter: (state, name) => {
      const next = matcher.step(state, name);
      return next.size === 0 ? undefined : next;
    },
    visit: (state, entry, path, look) => {
      if (!entry.isFile() && !entry.isSymbolicLink()) return;
      if (matcher.isEnd(matcher.step(state, entry.name))) matches.push({ path, at: look()?.mtimeMs ?? 0 });
    },
  });
  return { matches: matches.slice(0, maxFound), more: isFull(), ...walked };
}
