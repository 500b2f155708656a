import { type ChildProcess, spawn } from "node:child_process";
import { lstat } from "node:fs/promises";
import { join, relative } from "node:path";
import { type FileHits, maxCounted, type SearchOutcome, type SearchRequest } from "./grep-search.ts";
import { createIgnoreRules, leftOutNames } from "./ignore-rules.ts";
import { createRecordReader, type RgRecord } from "./rg-records.ts";

/**
 * Searches with ripgrep as a child process. Files come from its parallel walk and are counted to `maxCounted`; where there
 * are more it is asked again in path order, for the first `limit` only. When the promise settles the child is gone.
 * Rejects with the signal's reason on abort.
 */
export async function searchWithRipgrep(rgPath: string, request: SearchRequest): Promise<SearchOutcome> {
  const keep = await fileFilter(request);
  const common = await argumentsFor(request);
  const target = `./${relative(request.workspace, request.top)}`;
  const last = ["-e", request.pattern, "--", target];
  const whole = await run(rgPath, [...common, ...last], request, maxCounted);
  if (!whole.ok || !whole.more) return filtered(whole, keep);
  const wanted = keep === undefined ? request.limit : maxCounted;
  const ordered = await run(rgPath, [...common, "--sort", "path", ...last], request, wanted);
  const outcome = await filtered(ordered, keep);
  return outcome.ok ? { ...outcome, more: true } : outcome;
}

async function argumentsFor(request: SearchRequest): Promise<string[]> {
  const { workspace, top, include, context, ignore } = request;
  const fixed = ["--json", "--no-config", "--hidden", "--crlf", "--no-mmap", "--engine=auto"];
  const ignoring = ["--no-require-git", "--no-ignore-parent", "--no-ignore-dot", "--no-ignore-global"];
  const above = request.isFolder && top !== workspace ? await rootPatternFiles(workspace) : [];
  return [
    ...fixed,
    ...ignoring,
    "--no-ignore-messages",
    request.ignoreCase ? "--ignore-case" : "--case-sensitive",
    ...(context > 0 ? ["--context", String(context)] : []),
    ...above.flatMap((file) => ["--ignore-file", file]),
    ...(include === undefined ? [] : [`--glob=${include}`]),
    ...(top === workspace ? skipped(ignore) : []).map((pattern) => `--glob=!${pattern}`),
    // Last, since the last glob that matches decides.
    ...leftOutNames.map((name) => `--glob=!${name}`),
  ];
}

/**
 * Patterns with which a search of the whole workspace need not even enter what they name: those that mean the same as a glob. All of them are
 * applied to what it finds in any case; where one takes something back again, it may skip nothing.
 */
function skipped(patterns: readonly string[]): readonly string[] {
  if (patterns.some((pattern) => pattern.startsWith("!"))) return [];
  return patterns.filter((pattern) => /^[\w./*@+-]+$/.test(pattern));
}

/** ripgrep takes patterns of folders above the searched one from here only: above the workspace they are not ours. */
async function rootPatternFiles(workspace: string): Promise<string[]> {
  const files = [join(workspace, ".git", "info", "exclude"), join(workspace, ".gitignore")];
  const found = await Promise.all(files.map((file) => lstat(file).catch(() => undefined)));
  return files.filter((_, i) => found[i]?.isFile());
}

type Keep = (path: string) => Promise<boolean>;

/** A glob makes ripgrep search ignored files, and it does not know the pattern files between workspace and folder. */
async function fileFilter({ workspace, top, isFolder, include, ignore }: SearchRequest): Promise<Keep | undefined> {
  if (!isFolder) return undefined;
  const rules = createIgnoreRules(workspace, ignore);
  await rules.load(top);
  const isNeeded =
    ignore.length > 0 || (include !== undefined && !include.startsWith("!")) || rules.hasPatternsBetween(top);
  return isNeeded ? async (path) => !(await rules.ignoresBelow(top, path, false)) : undefined;
}

async function filtered(outcome: SearchOutcome, keep: Keep | undefined): Promise<SearchOutcome> {
  if (!outcome.ok || keep === undefined) return outcome;
  const files: FileHits[] = [];
  for (const file of outcome.files) if (await keep(file.path)) files.push(file);
  return { ...outcome, files };
}

/** One run of ripgrep, ended after `stopAt` matching lines. */
async function run(rgPath: string, args: string[], request: SearchRequest, stopAt: number): Promise<SearchOutcome> {
  request.signal.throwIfAborted();
  const collected = createCollector(request.workspace, stopAt);
  let child: ChildProcess;
  try {
    child = spawn(rgPath, args, { cwd: request.workspace, env: {}, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    return noEngine(error);
  }
  const ended = await watch(child, collected, request.signal);
  request.signal.throwIfAborted();
  if (ended.failure !== undefined) return noEngine(ended.failure);
  if (!collected.full() && !collected.finished()) return refusal(ended);
  const unreadable = ended.said.split("\n").filter((line) => line !== "").length;
  return {
    ok: true,
    files: collected.files(),
    more: collected.full(),
    unreadable: collected.full() ? 0 : unreadable,
    tooLarge: 0,
    engine: "ripgrep",
  };
}

const noEngine = (error: unknown): SearchOutcome => ({ ok: false, code: "NO_ENGINE", message: String(error) });

interface Ended {
  code: number | null;
  /** Why it did not start. */
  failure?: unknown;
  /** Its messages, cut at 64 KiB. */
  said: string;
}

const maxSaid = 1 << 16;

/** Settles when the child is reaped and its output read; kills it on abort and when enough was collected. */
function watch(child: ChildProcess, collected: Collector, signal: AbortSignal): Promise<Ended> {
  return new Promise((resolve) => {
    let said = "";
    let failure: unknown;
    const kill = (): void => void child.kill("SIGKILL");
    signal.addEventListener("abort", kill, { once: true });
    if (signal.aborted) kill();
    const reader = createRecordReader((record) => collected.take(record));
    child.stdout?.on("data", (chunk: Buffer) => {
      if (collected.full()) return;
      reader.feed(chunk);
      if (collected.full()) kill();
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (said.length < maxSaid) said += text;
    });
    child.once("error", (error) => {
      failure = error;
    });
    child.once("close", (code, killedBy) => {
      signal.removeEventListener("abort", kill);
      // A program that dies of a signal we did not send (SIGILL, SIGSEGV) does not run on this machine.
      if (killedBy !== null && !collected.full() && !signal.aborted) failure ??= new Error(`killed by ${killedBy}`);
      resolve({ code, said, ...(failure === undefined ? {} : { failure }) });
    });
  });
}

interface Collector {
  take(record: RgRecord): void;
  files(): FileHits[];
  /** As many matching lines as wanted were seen, and one more. */
  full(): boolean;
  /** ripgrep came to the end of its search. */
  finished(): boolean;
}

function createCollector(workspace: string, stopAt: number): Collector {
  const files = new Map<string, FileHits>();
  let matches = 0;
  let isFinished = false;
  const fileOf = (name: string): FileHits => {
    const path = join(workspace, name);
    const known = files.get(path) ?? { path, lines: [], matches: 0, isBinary: false };
    files.set(path, known);
    return known;
  };
  return {
    take: (record) => {
      if (record.type === "summary") isFinished = true;
      else if (record.type === "end") {
        if (record.isBinary && files.has(join(workspace, record.path))) fileOf(record.path).isBinary = true;
      } else if (matches <= stopAt) {
        const file = fileOf(record.path);
        file.lines.push(record.hit);
        if (record.hit.isMatch) {
          file.matches += 1;
          matches += 1;
        }
      }
    },
    files: () => [...files.values()],
    full: () => matches > stopAt,
    finished: () => isFinished,
  };
}

/** It ended without searching: the pattern or the glob is wrong, in its own words. */
function refusal({ code, said }: Ended): SearchOutcome {
  // A file that is no program may be run by a shell, which says so in its own name.
  if (!said.startsWith("rg: ")) return noEngine(said.slice(0, 500));
  const words = said.slice("rg: ".length).trim();
  if (/error parsing glob/.test(words)) return { ok: false, code: "INVALID_ARGUMENT", message: `include: ${words}` };
  if (/regex|PCRE2|literal/.test(words)) return { ok: false, code: "INVALID_REGEX", message: firstEngine(words) };
  return { ok: false, code: "FAILED", message: `the search failed (exit ${code}): ${words.slice(0, 500)}` };
}

/** Where both of its engines refused, the words of the first. */
function firstEngine(words: string): string {
  const said = /default regex engine error:\s*~+\s*([\s\S]*?)\s*~{10,}/.exec(words);
  return (said?.[1] ?? words).slice(0, 1_000);
}
