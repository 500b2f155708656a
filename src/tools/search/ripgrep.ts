import { dirname, join, relative } from "node:path";
import { ToolRefusal } from "../../core/codes.ts";
import { joinSignals } from "../../core/join-signals.ts";
import { limitText } from "../../core/limit-text.ts";
import { limits } from "../../core/limits.ts";
import { textOfOutput } from "../../process/capped-output.ts";
import { type ChildEnd, runChild } from "../../process/run-child.ts";
import { type FileHits, maxCounted, type SearchOutcome, type SearchRequest } from "./grep-search.ts";
import { createIgnoreRules, leftOutNames } from "./ignore-rules.ts";
import { createRecordReader, type RgRecord } from "./rg-records.ts";
import { walkFolders } from "./walk-folders.ts";

/**
 * Searches with ripgrep as a child process, in what our own walk found there: of files that lead it, such as a .gitignore, it opens none. What is
 * ignored and what policy does not let be read are left out by name: the latter is never opened. Matches come from its parallel walk and are
 * counted to `maxCounted`; where there are more it is asked again in path order, for the first `limit` only. When the promise settles the child is gone.
 * Rejects with the signal's reason on abort.
 */
export async function searchWithRipgrep(rgPath: string, request: SearchRequest): Promise<SearchOutcome> {
  if (!request.isFolder && !request.mayRead(request.top)) return { ...nothing, closed: 1 };
  const { closed, ignored } = request.isFolder ? await lookAround(request) : { closed: [], ignored: [] };
  const without = closed.map((path) => leaving(request.root, path));
  const room = maxArguments - sizeOf(without);
  if (room < 0) return tooMany(closed.length);
  const left = leaveOut(ignored, request, room);
  const { include } = request;
  const globs = [...leftOutNames.map((name) => `--glob=!${name}`), ...left.globs, ...without];
  const search = [
    ...fixed,
    request.ignoreCase ? "--ignore-case" : "--case-sensitive",
    ...contextOf(request),
    // The last glob that matches decides.
    ...(include === undefined ? [] : [`--glob=${include}`]),
    ...globs,
    ...["-e", request.pattern, "--", `./${relative(request.root, request.top)}`],
  ];
  const counted = { ...request, counts: (path: string) => !left.holds(path) && request.counts(path) };
  const whole = await run(rgPath, search, counted, maxCounted);
  if (!whole.ok || !whole.more) return withClosed(whole, closed.length);
  const ordered = await run(rgPath, ["--sort=path", ...search], counted, request.limit);
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

const fixed = ["--json", "--no-config", "--no-ignore", "--hidden", "--crlf", "--no-mmap", "--engine=auto"];

/** Leaves out this path alone. What a list of patterns cannot hold stands as a wildcard. */
const leaving = (root: string, path: string): string =>
  `--glob=!/${relative(root, path)
    .replace(/[\\*?[\]{}!# ]/g, "\\$&")
    .replace(/\ufffd+/g, "*")
    .replace(/(?! )\s/g, "?")}`;

const sizeOf = (args: readonly string[]): number => args.reduce((size, arg) => size + Buffer.byteLength(arg) + 9, 0);

const contextOf = ({ context }: SearchRequest): string[] => (context > 0 ? ["--context", String(context)] : []);

/**
 * The files that would be searched and may not be read, and what is ignored, folders first. What the settings hide is noted. Both are found without
 * regard to `include` and pattern, so that their number says nothing about names or content.
 */
async function lookAround(request: SearchRequest): Promise<{ closed: string[]; ignored: string[] }> {
  const { root, top, hidden, signal } = request;
  const closed: string[] = [];
  const [folders, others]: [string[], string[]] = [[], []];
  await walkFolders({
    ...{ root, top, hidden, signal, state: true },
    rules: createIgnoreRules(root, request.ignore),
    mayRead: () => true,
    enter: () => true,
    visit: (_, entry, path) => {
      if (entry.isFile() && !request.mayRead(path)) closed.push(path);
    },
    pass: (path, entry) => {
      if (!leftOutNames.includes(entry.name)) (entry.isDirectory() ? folders : others).push(path);
    },
  });
  return { closed, ignored: [...folders, ...others] };
}

interface LeftOut {
  globs: string[];
  /** Tells whether a path is one of those, or lies below one, that no glob can name or that there was no room for: searched for nothing. */
  holds(path: string): boolean;
}

function leaveOut(ignored: readonly string[], { root }: SearchRequest, room: number): LeftOut {
  const globs: string[] = [];
  const rest = new Set<string>();
  let size = 0;
  for (const path of ignored) {
    const glob = leaving(root, path);
    size += sizeOf([glob]);
    if (size > room || /(?! )\s|\ufffd/.test(path)) rest.add(path);
    else globs.push(glob);
  }
  const holds = (path: string): boolean =>
    rest.has(path) || (path.length > root.length && path !== "/" && holds(dirname(path)));
  return { globs, holds: rest.size === 0 ? () => false : holds };
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

const tooMuchMemory = (): ToolRefusal =>
  new ToolRefusal(
    "FAILED",
    `the search needed more than ${limitText(limits.grepMemory)} of memory and was stopped: narrow path or include, or simplify the pattern`,
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

/**
 * It ended without searching: the pattern or the glob is wrong, in its own words. What it says of a place that it searched is not among them: while a folder
 * is exchanged for a link, that names what lies elsewhere.
 */
function refusal({ code, said }: Ended): SearchOutcome {
  // A file that is no program may be run by a shell, which says so in its own name.
  if (!said.startsWith("rg: ")) return noEngine(said.slice(0, 500));
  const words = said
    .split(/^rg: \.\//m, 1)
    .join("")
    .slice("rg: ".length)
    .trim();
  if (words === "") return { ok: false, code: "FAILED", message: changedMeanwhile };
  const [, glob] = /error parsing glob ([\s\S]*)$/.exec(words) ?? [];
  if (glob !== undefined)
    return { ok: false, code: "INVALID_ARGUMENT", message: `include: error parsing glob ${glob}` };
  if (/regex|PCRE2|literal/.test(words)) return { ok: false, code: "INVALID_REGEX", message: firstEngine(words) };
  return { ok: false, code: "FAILED", message: `the search failed (exit ${code}): ${words.slice(0, 500)}` };
}

const changedMeanwhile =
  "the search did not come to its end: what was searched changed meanwhile or could not be read: search again";

/** Returns the words of the first engine, where both of its engines refused. */
function firstEngine(words: string): string {
  const said = /default regex engine error:\s*~+\s*([\s\S]*?)\s*~{10,}/.exec(words);
  return (said?.[1] ?? words).slice(0, 1_000);
}
