import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { Worker } from "node:worker_threads";
import ignore from "ignore";
import { expandBraces } from "../../core/braces.ts";
import { cutLine, type FileHits, maxCounted, type SearchOutcome, type SearchRequest } from "./grep-search.ts";
import { createIgnoreRules, type IgnoreRules } from "./ignore-rules.ts";
import { type GrepWork, grepWorkerSource, type WorkedFile, type WorkerMessage } from "./js-grep-worker.ts";
import { comparePaths, maxExpanded } from "./search-path.ts";

const maxFileBytes = 64 * 1024 * 1024;
/** MiB; room for one file of the size allowed, decoded and split. */
const workerHeap = 768;

/**
 * The search without ripgrep, for machines its program does not run on: slower, with JavaScript's regular expressions
 * instead of Rust's, otherwise the same. When the promise settles the worker is gone. Rejects with the signal's reason.
 */
export async function searchWithJs(request: SearchRequest): Promise<SearchOutcome> {
  const pattern = compile(request.pattern, request.ignoreCase);
  if (typeof pattern === "string") return { ok: false, code: "INVALID_REGEX", message: pattern };
  const chosen = includeFilter(request.include);
  const walked = request.isFolder ? await walk(request, chosen) : { files: [request.top], unreadable: 0 };
  const work: GrepWork = {
    source: pattern.source,
    flags: pattern.flags,
    files: walked.files.sort(comparePaths),
    isExplicit: !request.isFolder,
    context: request.context,
    stopAt: maxCounted,
    maxFileBytes,
  };
  return runWorker(work, walked.unreadable, request.signal);
}

/** What Rust's syntax has and JavaScript writes otherwise is rewritten; the words of the engine where it refuses. */
function compile(pattern: string, ignoreCase: boolean): RegExp | string {
  const inline = /^\(\?i\)/.test(pattern);
  const source = pattern.replace(/^\(\?i\)/, "").replaceAll("(?P<", "(?<");
  const flags = ignoreCase || inline ? "i" : "";
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // Without the flag stray escapes and braces are taken as they stand, as ripgrep takes them.
  }
  try {
    return new RegExp(source, flags);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

type Chosen = (way: string) => boolean;

function includeFilter(include: string | undefined): Chosen {
  if (include === undefined) return () => true;
  const isNegated = include.startsWith("!");
  const body = isNegated ? include.slice(1) : include;
  const expanded = expandBraces(body, maxExpanded);
  const matcher = ignore({ ignorecase: false }).add(Array.isArray(expanded) ? expanded : [body]);
  return (way) => matcher.ignores(way) !== isNegated;
}

interface Walked {
  files: string[];
  unreadable: number;
}

/** Regular files below the folder that are neither ignored nor left out by `include`; links are not followed. */
async function walk({ workspace, top, ignore: more, signal }: SearchRequest, chosen: Chosen): Promise<Walked> {
  const rules = createIgnoreRules(workspace, more);
  const walked: Walked = { files: [], unreadable: 0 };
  const folders = [top];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    for (const entry of await entriesOf(folder, rules, walked)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && chosen(relative(workspace, path))) walked.files.push(path);
    }
  }
  return walked;
}

async function entriesOf(folder: string, rules: IgnoreRules, walked: Walked): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    await rules.load(folder);
    return entries.filter((entry) => !rules.ignoresEntry(folder, entry.name, entry.isDirectory()));
  } catch {
    walked.unreadable += 1;
    return [];
  }
}

function runWorker(work: GrepWork, unreadable: number, signal: AbortSignal): Promise<SearchOutcome> {
  signal.throwIfAborted();
  const worker = new Worker(grepWorkerSource, {
    eval: true,
    workerData: work,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: workerHeap },
  });
  const files: FileHits[] = [];
  return new Promise<SearchOutcome>((resolve, reject) => {
    let outcome: SearchOutcome = { ok: false, code: "FAILED", message: "the search ended before it was done" };
    const stop = (): void => void worker.terminate();
    signal.addEventListener("abort", stop, { once: true });
    worker.on("message", (message: WorkerMessage) => {
      if (message.type === "file") files.push(hitsOf(message.file));
      else
        outcome = {
          ok: true,
          files,
          more: message.full,
          unreadable: unreadable + message.unreadable,
          tooLarge: message.tooLarge,
          engine: "js",
        };
    });
    worker.once("error", (error) => {
      outcome = { ok: false, code: "FAILED", message: `the search failed: ${String(error)}` };
    });
    worker.once("exit", () => {
      signal.removeEventListener("abort", stop);
      if (signal.aborted) reject(signal.reason);
      else resolve(outcome);
    });
  });
}

function hitsOf({ path, isBinary, lines }: WorkedFile): FileHits {
  const shown = lines.map(({ line, text, at, isMatch, head, tail }) => ({
    line,
    text: cutLine(text, at, { head, tail }),
    isMatch,
  }));
  return { path, isBinary, lines: shown, matches: lines.filter((line) => line.isMatch).length };
}
