import { z } from "zod";
import { expandBraces } from "../../core/braces.ts";
import { ToolRefusal } from "../../core/codes.ts";
import { limits } from "../../core/limits.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../../core/tool.ts";
import { rootOf } from "../../files/boundary.ts";
import { mayReadOf, planRead } from "../planned-read.ts";
import { report } from "./grep-report.ts";
import { countsByHead, type SearchOutcome, type SearchRequest, scopeInclude } from "./grep-search.ts";
import { createHiddenNames } from "./hidden-names.ts";
import { type MorePatterns, patternsFor } from "./ignore-rules.ts";
import { searchWithRipgrep } from "./ripgrep.ts";
import { noRipgrep, ripgrepHint, ripgrepProgram, searchObstacle } from "./ripgrep-program.ts";
import { findPlace, maxExpanded } from "./search-path.ts";

const defaultResults = 200;
const maxResults = 1_000;
const maxContext = 10;
const maxPattern = limits.grepPattern.most;

const args = z.strictObject({
  pattern: z.string().describe("Regular expression (Rust syntax), matched line by line."),
  path: z.string().optional().describe("Folder or file to search. Default: the working folder."),
  include: z.string().optional().describe('Only files that match this glob, e.g. "*.ts" or "*.{js,jsx}".'),
  ignore_case: z.boolean().optional().describe("Match upper and lower case alike."),
  context: z.int().min(0).max(maxContext).optional().describe("Lines to show around each match."),
  max_results: z.int().min(1).max(maxResults).optional().describe(`Matching lines to show. Default ${defaultResults}.`),
});

type Args = z.infer<typeof args>;

export interface GrepOptions {
  /** The ripgrep program; default: the one that `@vscode/ripgrep` brings. */
  rgPath?: string;
  /** Left out beside what .gitignore names. */
  ignore?: MorePatterns;
  /** Milliseconds a search may take; default 20 s. */
  timeoutMs?: number;
}

/** Searches what files say. */
export function createGrepTool({ rgPath, ignore = [], timeoutMs = limits.grepTime.most }: GrepOptions = {}): Tool {
  return defineTool({
    name: "grep",
    description:
      "Searches file contents for a regular expression and prints path:line:text, by path and line. What .gitignore names, " +
      ".git, node_modules and binary files are not searched, nor what may not be read without asking (.env and the like).",
    args,
    risk: "low",
    effect: "none",
    access: "content",
    display: {
      en: { name: "Search", params: { pattern: "Pattern", path: "In", include: "Files" } },
      zh: { name: "搜索", params: { pattern: "模式", path: "位置", include: "文件" } },
    },
    validate: ({ pattern, include }) => argumentFault(pattern, include),
    plan: ({ path = "." }, ctx) => planRead("search", path, ctx),
    execute: async (given, ctx) => grep(given, await patternsFor(ctx.workspace, ignore), ctx, { rgPath, timeoutMs }),
  });
}

function argumentFault(pattern: string, include: string | undefined): string | undefined {
  if (pattern === "") return "pattern is empty, and would match every line";
  if (pattern.length > maxPattern) return `pattern is longer than ${maxPattern} characters`;
  if (pattern.includes("\0") || include?.includes("\0")) return "a NUL character cannot be searched for";
  if (include !== undefined && /^!?\s*$/.test(include))
    return 'include is empty; leave it out or give a glob such as "*.ts"';
  if (include !== undefined && include.length > 1_000) return "include is longer than 1000 characters";
  if (include !== undefined && expandBraces(include, maxExpanded) === "too many")
    return "the braces of include stand for too many patterns";
  return undefined;
}

async function grep(
  given: Args,
  ignore: readonly string[],
  ctx: ToolContext,
  { rgPath, timeoutMs }: { rgPath: string | undefined; timeoutMs: number },
): Promise<ToolResult> {
  const place = await findPlace(ctx);
  if (!place.stats.isDirectory() && !place.stats.isFile())
    throw new ToolRefusal("NOT_A_FILE", `${place.asked} is neither a folder nor a regular file`);
  const root = await rootOf(ctx, place.real);
  const limit = timeLimit(ctx.signal, timeoutMs);
  const mayRead = mayReadOf(ctx);
  const request: SearchRequest = {
    root,
    workspace: ctx.workspace,
    top: place.real,
    isFolder: place.stats.isDirectory(),
    pattern: given.pattern,
    include: given.include === undefined ? undefined : scopeInclude(given.include, root, place.real),
    ignoreCase: given.ignore_case ?? false,
    ignore,
    context: given.context ?? 0,
    limit: given.max_results ?? defaultResults,
    mayRead,
    counts: countsByHead(mayRead),
    hidden: createHiddenNames(mayRead),
    masking: ctx.masking,
    noteChild: ctx.noteChild,
    pins: ctx.pins,
    signal: limit.signal,
  };
  try {
    const found = await search(rgPath, request);
    if (found.ok) return await report(found, request);
    throw found.code === "NO_ENGINE"
      ? notInstalled(found.message)
      : new ToolRefusal(found.code, `${words(found.code)}${found.message}`);
  } finally {
    limit.release();
  }
}

/** A signal that aborts with the call's own, and with a refusal at the limit. */
function timeLimit(outer: AbortSignal, ms: number): { signal: AbortSignal; release(): void } {
  const inner = new AbortController();
  const cancel = (): void => inner.abort(outer.reason);
  const advice = "narrow path or include, or simplify the pattern";
  const late = (): void =>
    inner.abort(new ToolRefusal("TIMEOUT", `the search took longer than ${ms / 1000} s and was stopped; ${advice}`));
  if (outer.aborted) cancel();
  outer.addEventListener("abort", cancel, { once: true });
  const timer = setTimeout(late, ms);
  return {
    signal: inner.signal,
    release: () => {
      clearTimeout(timer);
      outer.removeEventListener("abort", cancel);
    },
  };
}

const words = (code: string): string =>
  code === "INVALID_REGEX" ? "the pattern is not a valid regular expression: " : "";

async function search(rgPath: string | undefined, request: SearchRequest): Promise<SearchOutcome> {
  const program = rgPath ?? (await ripgrepProgram());
  if (program === undefined)
    throw (await searchObstacle()) === undefined
      ? new ToolRefusal("FAILED", "ripgrep, by which files are searched, could not be looked up now: try again")
      : notInstalled();
  return searchWithRipgrep(program, request);
}

const notInstalled = (why = ""): ToolRefusal =>
  new ToolRefusal(
    "FAILED",
    `${noRipgrep}${why.trim() === "" ? "" : ` (${why.trim()})`}. A person has to ${ripgrepHint}`,
  );
