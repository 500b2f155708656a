import { lstat } from "node:fs/promises";
import { join, relative } from "node:path";
import { ToolRefusal } from "../../core/codes.ts";
import { joinSignals } from "../../core/join-signals.ts";
import { limitText } from "../../core/limit-text.ts";
import { limits } from "../../core/limits.ts";
import { isKernelTree } from "../../files/boundary.ts";
import { textOfOutput } from "../../process/capped-output.ts";
import { type ChildEnd, runChild } from "../../process/run-child.ts";
import { createBreath } from "./breath.ts";
import { type FileHits, maxCounted, type SearchOutcome, type SearchRequest } from "./grep-search.ts";
import { createIgnoreRules, leftOutNames } from "./ignore-rules.ts";
import { createRecordReader, type RgRecord } from "./rg-records.ts";

/**
 * Searches with ripgrep as a child process. First it lists the files that it would search, and those that policy does not let be
 * read are left out: they are never opened. Matches come from its parallel walk and are counted to `maxCounted`; where there are more
 * it is asked again in path order, for the first `limit` only. When the promise settles the child is gone.
 * Rejects with the signal's reason on abort.
 */
export async function searchWithRipgrep(rgPath: string, request: SearchRequest): Promise<SearchOutcome> {
  if (!request.isFolder && !request.mayRead(request.top)) return { ...nothing, closed: 1 };
  const keep = await fileFilter(request);
  const common = await argumentsFor(request);
  const target = `./${relative(request.root, request.top)}`;
  const listed = request.isFolder ? await closedFiles(rgPath, [...common, "--", target], request) : [];
  if (!Array.isArray(listed)) return listed;
  const closed: string[] = [];
  for (const path of listed) if (keep === undefined || (await keep(path))) closed.push(path);
  const without = listed.map((path) => `--glob=!${exactGlob(`/${relative(request.root, path)}`)}`);
  if (without.reduce((size, glob) => size + Buffer.byteLength(glob) + 9, 0) > maxArguments)
    return tooMany(closed.length);
  const { include } = request;
  const last = [...(include === undefined ? [] : [`--glob=${include}`]), ...always(request), ...without];
  const search = ["--json", ...common, ...contextOf(request), ...last, "-e", request.pattern, "--", target];
  const whole = await run(rgPath, search, request, maxCounted);
  if (!whole.ok || !whole.more) return withClosed(await filtered(whole, keep, request), closed.length);
  const wanted = keep === undefined ? request.limit : maxCounted;
  const ordered = await filtered(await run(rgPath, ["--sort=path", ...search], request, wanted), keep, request);
  return withClosed(ordered.ok ? { ...ordered, more: true } : ordered, closed.length);
}

type Found = Extract<SearchOutcome, { ok: true }>;

const nothing: Found = {
  ok: true,
  files: [],
  more: false,
  unreadable: 0,
  closed: 0,
};

const withClosed = (outcome: SearchOutcome, closed: number): SearchOutcome =>
  outcome.ok ? { ...outcome, closed } : outcome;

/** Bytes that the system lets a program be started with, and some to spare. */
const maxArguments = 1_200_000;

const tooMany = (closed: number): SearchOutcome => ({
  ok: false,
  code: "FAILED",
  message: `${closed} files may not be read unasked, too many to search the rest around them: narrow path`,
});

/** A glob for this path alone. What a list of patterns would trim or cannot hold stands in brackets, or as a wildcard. */
const exactGlob = (path: string): string =>
  path
    .replace(/[\\*?[\]{}!#]/g, "\\$&")
    .replace(/\ufffd+/g, "*")
    .replace(/\s/g, (blank) => (blank === " " ? "[ ]" : "?"));

/** What holds for the list of files and for the search alike. */
async function argumentsFor(request: SearchRequest): Promise<string[]> {
  const { root, top } = request;
  const above = request.isFolder && top !== root ? await rootPatternFiles(root) : [];
  return [
    "--no-config",
    "--hidden",
    "--crlf",
    "--no-mmap",
    "--engine=auto",
    ...["--no-require-git", "--no-ignore-parent", "--no-ignore-dot", "--no-ignore-global", "--no-ignore-messages"],
    request.ignoreCase ? "--ignore-case" : "--case-sensitive",
    ...above.flatMap((file) => ["--ignore-file", file]),
  ];
}

const contextOf = ({ context }: SearchRequest): string[] => (context > 0 ? ["--context", String(context)] : []);

/** What is left out of every list and search. It comes behind `include`, since the last glob that matches decides. */
function always({ root, top, ignore }: SearchRequest): string[] {
  const trees = ["proc", "sys", "dev"].filter((name) => isKernelTree(root, `/${name}`) && root === "/");
  return [...(top === root ? skipped(ignore) : []), ...leftOutNames, ...trees.map((name) => `/${name}`)].map(
    (pattern) => `--glob=!${pattern}`,
  );
}

/**
 * The files that would be searched and may not be read, and beside them what the settings hide: listed without regard to `include` and pattern, so that their number says
 * nothing about names or content.
 */
async function closedFiles(
  rgPath: string,
  args: readonly string[],
  request: SearchRequest,
): Promise<string[] | SearchOutcome> {
  const closed: string[] = [];
  const root = request.root === "/" ? "" : request.root;
  const rules = createIgnoreRules(request.root, request.ignore);
  const isSkipped = request.top === request.root && skipped(request.ignore).length === request.ignore.length;
  const judge = (name: string): void => {
    if (name === "") return;
    // ripgrep writes them as they were asked for: behind `./`.
    const path = `${root}/${name.slice(2)}`;
    const hidden = request.ignore.length === 0 ? undefined : rules.hiddenOnWay(request.top, path);
    if (hidden !== undefined) request.hidden.note(hidden);
    if ((hidden === undefined || !isSkipped) && !request.mayRead(path)) closed.push(path);
  };
  /** Names that there was no time for as they came: where judging takes long a stop is heard between them. */
  const later: string[] = [];
  let rest: Buffer = Buffer.alloc(0);
  const ended = await runRipgrep(
    rgPath,
    ["--files", "--null", ...always({ ...request, ignore: [] }), ...args],
    request,
    (chunk) => {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const end = bytes.lastIndexOf(0);
      rest = bytes.subarray(end + 1);
      if (end === -1) return true;
      const breath = createBreath(request.signal);
      for (const name of bytes.toString("utf8", 0, end).split("\0"))
        if (breath.isDue()) later.push(name);
        else judge(name);
      return true;
    },
  );
  if ("failure" in ended) return noEngine(ended.failure);
  const breath = createBreath(request.signal);
  for (const name of later) {
    if (breath.isDue()) await breath.take();
    judge(name);
  }
  // What kept it from listing all keeps the search from it too, and is told there.
  return rest.length === 0 ? closed : refusal(ended);
}

/**
 * Patterns with which a search of a whole root need not even enter what they name: those that mean the same as a glob. All of them are
 * applied to what it finds in any case; where one takes something back again, it may skip nothing.
 */
function skipped(patterns: readonly string[]): readonly string[] {
  if (patterns.some((pattern) => pattern.startsWith("!"))) return [];
  return patterns.filter((pattern) => /^[\w./*@+-]+$/.test(pattern));
}

/** ripgrep takes patterns of folders above the searched one from here only: above a root they are not ours. */
async function rootPatternFiles(root: string): Promise<string[]> {
  const files = [join(root, ".git", "info", "exclude"), join(root, ".gitignore")];
  const found = await Promise.all(files.map((file) => lstat(file).catch(() => undefined)));
  return files.filter((_, i) => found[i]?.isFile());
}

type Keep = (path: string) => Promise<boolean>;

/** A glob makes ripgrep search ignored files, and it does not know the pattern files between root and folder. */
async function fileFilter({ root, top, isFolder, include, ignore }: SearchRequest): Promise<Keep | undefined> {
  if (!isFolder) return undefined;
  const rules = createIgnoreRules(root, ignore);
  await rules.load(top);
  const isNeeded =
    ignore.length > 0 || (include !== undefined && !include.startsWith("!")) || rules.hasPatternsBetween(top);
  return isNeeded ? async (path) => !(await rules.ignoresBelow(top, path, false)) : undefined;
}

async function filtered(
  outcome: SearchOutcome,
  keep: Keep | undefined,
  { signal }: SearchRequest,
): Promise<SearchOutcome> {
  if (!outcome.ok || keep === undefined) return outcome;
  const files: FileHits[] = [];
  const breath = createBreath(signal);
  for (const file of outcome.files) {
    if (breath.isDue()) await breath.take();
    if (await keep(file.path)) files.push(file);
  }
  return { ...outcome, files };
}

/** One search with ripgrep, ended after `stopAt` matching lines. */
async function run(
  rgPath: string,
  args: readonly string[],
  request: SearchRequest,
  stopAt: number,
): Promise<SearchOutcome> {
  const collected = createCollector(request, stopAt);
  const reader = createRecordReader((record) => collected.take(record));
  const ended = await runRipgrep(rgPath, args, request, (chunk) => {
    reader.feed(chunk);
    return !collected.full();
  });
  if ("failure" in ended) return noEngine(ended.failure);
  if (!collected.full() && !collected.finished()) return refusal(ended);
  const unreadable = ended.said.split("\n").filter((line) => line !== "" && isToldOf(line, request)).length;
  const more = collected.full();
  return { ...nothing, files: collected.files(), more, unreadable: more ? 0 : unreadable };
}

/** A pattern may fail on the lines of one file: what does not count fails in silence. */
function isToldOf(said: string, { root, counts }: SearchRequest): boolean {
  const path = /^rg: (\.\/.*?): PCRE2/u.exec(said)?.[1];
  return path === undefined || counts(join(root, path));
}

const noEngine = (error: unknown): SearchOutcome => ({ ok: false, code: "NO_ENGINE", message: String(error) });

interface Ended {
  code: number | null;
  /** Its messages, cut at 64 KiB. */
  said: string;
}

const maxSaid = 1 << 16;
/** Milliseconds between TERM and KILL: it has nothing to put in order. */
const graceMs = 300;

/**
 * Runs it to its end, or until `take` has enough; whatever becomes of this process, it does not run on.
 * @returns why it did not run, where it did not.
 */
async function runRipgrep(
  rgPath: string,
  args: readonly string[],
  { root, signal, noteChild, pins }: SearchRequest,
  take: (chunk: Buffer) => boolean,
): Promise<Ended | { failure: unknown }> {
  const enough = new AbortController();
  const onOutput = (chunk: Buffer, from: "stdout" | "stderr"): void => {
    if (from === "stdout" && !enough.signal.aborted && !take(chunk)) enough.abort();
  };
  const bounds = { maxOutputBytes: maxSaid, maxMemoryBytes: limits.grepMemory.most, graceMs };
  const spec = { program: rgPath, args, cwd: root, env: {}, ...bounds, onOutput };
  const joined = joinSignals([signal, enough.signal]);
  const ctx = {
    signal: joined.signal,
    ...(noteChild && { noteChild }),
    ...(pins && { pins }),
  };
  const ended = await runChild(spec, ctx)
    .catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof ToolRefusal || isStartFailure(error)) return { failure: error };
      throw error;
    })
    .finally(joined.release);
  signal.throwIfAborted();
  return "failure" in ended ? ended : endOf(ended);
}

/** A pattern file that does not end (a link to a device, say) is read by ripgrep as long as there is room. */
const tooMuchMemory = (): ToolRefusal =>
  new ToolRefusal(
    "FAILED",
    `the search needed more than ${limitText(limits.grepMemory)} of memory and was stopped: narrow path, or look whether a .gitignore is no ordinary file`,
  );

const isStartFailure = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && String(error.syscall).startsWith("spawn");

function endOf({ how, code, signal, stderr }: ChildEnd): Ended | { failure: unknown } {
  // It gives up where it gets no more memory.
  if (how === "exit" && signal === "SIGABRT") throw tooMuchMemory();
  // A program that dies of a signal we did not send (SIGILL, SIGSEGV) does not run on this machine.
  if (how === "exit" && signal !== null) return { failure: new Error(`killed by ${signal}`) };
  return { code, said: textOfOutput(stderr) };
}

interface Collector {
  take(record: RgRecord): void;
  files(): FileHits[];
  /** As many matching lines as wanted were seen, and one more. */
  full(): boolean;
  /** ripgrep came to the end of its search. */
  finished(): boolean;
}

function createCollector({ root, counts }: SearchRequest, stopAt: number): Collector {
  const files = new Map<string, FileHits>();
  let matches = 0;
  let isFinished = false;
  const fileOf = (name: string): FileHits => {
    const path = join(root, name);
    const known = files.get(path) ?? { path, lines: [], matches: 0, isBinary: false };
    files.set(path, known);
    return known;
  };
  return {
    take: (record) => {
      if (record.type === "summary") isFinished = true;
      else if (record.type === "end") {
        if (record.isBinary && files.has(join(root, record.path))) fileOf(record.path).isBinary = true;
      } else if (matches <= stopAt && counts(join(root, record.path))) {
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
