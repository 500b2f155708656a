import { relative } from "node:path";
import { Worker } from "node:worker_threads";
import { expandBraces } from "../../core/braces.ts";
import { createBreath } from "./breath.ts";
import { cutLine, type FileHits, maxCounted, type SearchOutcome, type SearchRequest } from "./grep-search.ts";
import { readIgnorePatterns } from "./ignore-patterns.ts";
import { createIgnoreRules } from "./ignore-rules.ts";
import { type GrepWork, grepWorkerSource, type WorkedFile, type WorkerMessage } from "./js-grep-worker.ts";
import { nameOf } from "./name-pattern.ts";
import { comparePaths, maxExpanded } from "./search-path.ts";
import { walkFolders } from "./walk-folders.ts";

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
  const found = request.isFolder ? await walk(request, chosen) : only(request);
  const work: GrepWork = {
    source: pattern.source,
    flags: pattern.flags,
    files: (await countedFiles(found.files, request)).sort(comparePaths),
    isExplicit: !request.isFolder,
    context: request.context,
    stopAt: maxCounted,
    maxFileBytes,
  };
  return runWorker(work, found, request.signal);
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
  const patterns = readIgnorePatterns(Array.isArray(expanded) ? expanded : [body]);
  return (way) => {
    const names = way.split("/").map(nameOf);
    const isMeant = names.some((_, i) => patterns.sayOf(names.slice(0, i + 1), i < names.length - 1) === "ignored");
    return isMeant !== isNegated;
  };
}

interface Files {
  files: string[];
  unreadable: number;
  closed: number;
}

/** A pattern may take for ever on one line, and the worker would open them all: what does not count is not given to it. */
async function countedFiles(files: readonly string[], { counts, signal }: SearchRequest): Promise<string[]> {
  const counted: string[] = [];
  const breath = createBreath(signal);
  for (const file of files) {
    if (breath.isDue()) await breath.take();
    if (counts(file)) counted.push(file);
  }
  return counted;
}

const only = ({ top, mayRead }: SearchRequest): Files =>
  mayRead(top) ? { files: [top], unreadable: 0, closed: 0 } : { files: [], unreadable: 0, closed: 1 };

/** Regular files below the folder that are neither ignored nor left out by `include`; links are not followed. */
async function walk(request: SearchRequest, chosen: Chosen): Promise<Files> {
  const { root, top, ignore: more, signal, mayRead, hidden } = request;
  const files: string[] = [];
  let closed = 0;
  const rules = createIgnoreRules(root, more);
  const { unreadable } = await walkFolders({
    root,
    top,
    state: null,
    rules,
    hidden,
    signal,
    // Files are counted one by one, whatever folder they are in.
    mayRead: () => true,
    enter: () => null,
    visit: (_, entry, path) => {
      if (!entry.isFile()) return;
      if (!mayRead(path)) closed += 1;
      else if (chosen(relative(root, path))) files.push(path);
    },
  });
  return { files, unreadable, closed };
}

function runWorker(work: GrepWork, { unreadable, closed }: Files, signal: AbortSignal): Promise<SearchOutcome> {
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
          closed,
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
    isMatch,
    offset: 0,
    start: 0,
    text: cutLine(text, at, { head, tail }),
  }));
  return { path, isBinary, lines: shown, matches: lines.filter((line) => line.isMatch).length };
}
