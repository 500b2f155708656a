import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import type { Duplex, Readable, Writable } from "node:stream";
import type { ChildNote } from "../core/child.ts";
import { ToolRefusal } from "../core/codes.ts";
import type { Masking } from "../core/secrets/masking.ts";
import type { ToolContext } from "../core/tool.ts";
import { type CappedOutput, createCappedOutput, type OutputKeeper } from "./capped-output.ts";
import { findProgram } from "./find-program.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { endGroup, endStarted, groupRuns, markName, type Started, startedBy, termMs } from "./process-group.ts";
import { groupOf, startOf, thisMachine } from "./process-identity.ts";
import { standBy, started, type Watchdog } from "./watchdog.ts";

/** A program to run; there is no shell in between. */
export interface ChildSpec {
  /** A path, or a name that is looked for in `env.PATH`. */
  program: string;
  args: readonly string[];
  /** Absolute. */
  cwd: string;
  /** The whole environment of the child: nothing is inherited. */
  env: Readonly<Record<string, string>>;
  /** Milliseconds until it is ended; absent: none. */
  timeoutMs?: number;
  /** Bytes kept of stdout, and of stderr; default 1 MiB each. */
  maxOutputBytes?: number;
  /** Bytes of memory that the program may have, where the system can bound it (Linux); past it the program fails. */
  maxMemoryBytes?: number;
  /** Between TERM and KILL, in milliseconds. */
  graceMs?: number;
  /** Output to stderr comes as stdout, in the order in which it was written. */
  merged?: boolean;
  /** The child has a pipe at descriptor 4; what it writes there is `ChildEnd.report`. */
  reports?: boolean;
  /** The child has a socket at descriptor 4, for messages both ways: `RunningChild.channel`. In the place of `reports`. */
  talks?: boolean;
  /** The child reads at its stdin whatever is written to `RunningChild.input`; else nothing is there. */
  reads?: boolean;
  /** Descriptors that the child has from 6 on, and with them a pipe at 5: what it writes there is `ChildEnd.objection`. */
  given?: readonly number[];
  /** The bytes that the child reads at the descriptors from `feedsFrom` on, each to its end. With `reports`. */
  feeds?: readonly Uint8Array[];
  /** At its end it is looked for what left its group and session: `ChildEnd.outlived`. */
  looksForOutlived?: boolean;
  /** Takes values out of its output before anything of that is kept or told. */
  masking?: Pick<Masking, "stream"> | undefined;
  /** Output as it comes, whole, before any cap. */
  onOutput?(chunk: Buffer, from: "stdout" | "stderr"): void;
}

/** The end of a child, which is reaped; nothing of its group runs any more unless `left` says so. */
export interface ChildEnd {
  /** `exit`: by itself; else why it was ended. */
  how: "exit" | "timeout" | "aborted";
  /** Null where a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: CappedOutput;
  stderr: CappedOutput;
  /** The first 4 kB that came through descriptor 4; empty where there is no such pipe. */
  report: string;
  /** The first 4 kB that came through descriptor 5: why it did not begin; empty where there is no such pipe. */
  objection: string;
  /** The processes that it had started and left running: ended with it, or still there. */
  left: "nothing" | "ended" | "running";
  /** The processes that left its group and session and still ran when it had ended, by the child's mark; with `looksForOutlived`. */
  outlived: readonly Started[];
}

const defaultOutputBytes = 1024 * 1024;
/** Twice what is looked at: the beginning of a report is what counts. */
const reportBytes = 8_192;
/** The time to wait for output that is still in the pipes after the group has ended. */
const drainMs = 500;
/** The time to wait for the pipes before a process counts as left running: a sandbox ends a moment after its command. */
const lingerMs = 10;

/** The time for which the possible beginning of a value is kept back while nothing comes behind it. */
const quietMs = 200;

/** The descriptor where a child waits to be let go, and the one where it may report or talk. */
const goAt = 3;
const reportAt = 4;
/** The descriptor where it may object before it begins; those that it is given come behind, and behind them those that it is fed. */
const objectAt = 5;

/** The descriptor of the first of what a child is fed. @param given how many descriptors it is given */
export const feedsFrom = (given: number): number => (given === 0 ? objectAt : objectAt + 1 + given);

/**
 * Closes what is not the child's, then waits for one line before the program begins: until then its number is not kept anywhere, and
 * nobody would end it. The end of the pipe without a line means that whoever started it is gone.
 */
function gate({ merged = false, maxMemoryBytes }: ChildSpec, foreign: readonly number[]): string {
  const closing = foreign.filter((fd) => fd !== goAt).map((fd) => `exec ${fd}<&-; `);
  const bound = maxMemoryBytes === undefined ? "" : `ulimit -v ${Math.ceil(maxMemoryBytes / 1024)} 2>/dev/null; `;
  return `${closing.join("")}${bound}IFS= read -r go <&${goAt} || exit 125; exec ${goAt}<&-; exec "$@"${merged ? " 2>&1" : ""}`;
}

/** Plain shells name no descriptor above 9. */
const shellFor = (foreign: readonly number[]): string => (foreign.some((fd) => fd > 9) ? "/bin/bash" : "/bin/sh");

/** A child that was let go. */
export interface RunningChild {
  /** Its output so far, on stdout or, where they are merged, on both. */
  output: Omit<OutputKeeper, "add">;
  /** Its messages; only with `talks`. Closed at its end. */
  channel?: Duplex;
  /** Its stdin; only with `reads`. */
  input?: Writable;
  /** Takes its time limit away. */
  unlimited(): void;
  /** Resolves when it is reaped. */
  ended: Promise<ChildEnd>;
}

/**
 * Runs a program in a session and process group of its own, without terminal and, but for `reads`, with nothing on stdin. Before it does anything
 * `ctx.noteChild` has kept who it is and a watchdog stands by, which ends the group when this process is gone, however it died.
 * On abort and at the time limit the group gets TERM and, two seconds later, KILL; so does what it leaves running, and what it had
 * started outside of the group. Resolves when the child is reaped. Where it ends by itself, a process that left both group and session
 * goes on.
 * @throws ToolRefusal NOT_FOUND where there is no such program or folder; FolderLost; the signal's reason where it was aborted before the start; what
 * `noteChild` or the system threw: then nothing was run.
 */
export async function runChild(spec: ChildSpec, ctx: ChildContext): Promise<ChildEnd> {
  return (await startChild(spec, ctx)).ended;
}

type ChildContext = Pick<ToolContext, "signal" | "noteChild" | "pins">;

// Keeps process 1.
/** The same, but resolves as soon as the program was let go. @throws as `runChild` does. */
export async function startChild(spec: ChildSpec, ctx: ChildContext): Promise<RunningChild> {
  ctx.signal.throwIfAborted();
  ctx.pins?.check();
  const isThere = await stat(spec.cwd)
    .then((found) => found.isDirectory())
    .catch(() => false);
  if (!isThere) throw new ToolRefusal("NOT_FOUND", `there is no folder ${spec.cwd} to run ${spec.program} in`);
  const program = await findProgram(spec.program, spec.cwd, spec.env["PATH"]);
  if (program === undefined) throw new ToolRefusal("NOT_FOUND", `there is no program ${spec.program}`);
  const watchdog = await standBy();
  const folder = await pinnedCwd(spec, ctx);
  try {
    return await startWatched(spec, program, ctx, { watchdog, cwd: folder?.path ?? spec.cwd });
  } finally {
    await folder?.close();
  }
}

/**
 * The folder to run in, open: by its descriptor the child comes into this one, whatever has its name by then. Undefined where it is no
 * folder of a pinned root. @throws ToolRefusal where a link is on its way by now; FolderLost.
 */
async function pinnedCwd(
  { cwd, program, given = [], feeds = [] }: ChildSpec,
  { pins }: ChildContext,
): Promise<{ path: string; close(): Promise<void> } | undefined> {
  // What the child gets is put in its places before it goes there, over whatever had these numbers.
  const folder = await pins?.open(cwd, { above: feedsFrom(given.length) + feeds.length }).catch((cause: unknown) => {
    pins.check();
    throw new ToolRefusal("NOT_FOUND", `there is no folder ${cwd} to run ${program} in`, { cause });
  });
  return folder && { path: `/proc/self/fd/${folder.fd}`, close: () => folder.close() };
}

async function startWatched(
  spec: ChildSpec,
  program: string,
  ctx: ChildContext,
  { watchdog, cwd }: { watchdog: Watchdog; cwd: string },
): Promise<RunningChild> {
  const mark = randomBytes(12).toString("hex");
  const { reports = false, talks = false, given, feeds = [] } = spec;
  const fourth = reports || talks ? (["pipe"] as const) : given === undefined ? [] : (["ignore"] as const);
  const more = [...(given === undefined ? [] : (["pipe", ...given] as const)), ...feeds.map(() => "pipe" as const)];
  const foreign = inheritedDescriptors().filter((fd) => fd < reportAt || fd >= reportAt + fourth.length + more.length);
  const child = spawn(shellFor(foreign), ["-c", gate(spec, foreign), "sh", program, ...spec.args], {
    cwd,
    env: { ...spec.env, [markName]: mark },
    detached: true,
    stdio: [spec.reads === true ? "pipe" : "ignore", "pipe", "pipe", "pipe", ...fourth, ...more],
  });
  await started(child);
  for (const [index, bytes] of feeds.entries()) {
    const pipe = child.stdio[feedsFrom(given?.length ?? 0) + index] as Writable;
    pipe.on("error", () => undefined); // it ended before it read
    pipe.end(bytes);
  }
  const output = gather(child, spec);
  const pid = child.pid ?? 0;
  const note: ChildNote = { pid, ...thisMachine(), started: startOf(pid), mark };
  const time: { limit?: NodeJS.Timeout } = {};
  const ending = follow(child, { output, note, time }, spec, ctx.signal).finally(() => watchdog.dismiss(pid));
  const go = child.stdio[goAt] as Writable;
  go.on("error", () => undefined); // it was ended before it began
  try {
    watchdog.watch(pid);
    await ctx.noteChild?.(note);
    // It stands in its folder by now, and stays there: what gets the name from here on is not where it works.
    ctx.pins?.check();
    ctx.signal.throwIfAborted();
  } catch (error) {
    go.destroy(); // the gate stays closed: nothing is run
    await ending;
    throw error;
  }
  go.end("go\n");
  child.stdin?.on("error", () => undefined); // it ended before it read
  return {
    output: output.stdout,
    ...(talks ? { channel: child.stdio[reportAt] as Duplex } : {}),
    ...(child.stdin === null ? {} : { input: child.stdin }),
    unlimited: () => clearTimeout(time.limit),
    ended: ending,
  };
}

/** Ends the child when it is time, and gathers what it says. */
async function follow(
  child: ChildProcess,
  { output, note, time }: { output: ReturnType<typeof gather>; note: ChildNote; time: { limit?: NodeJS.Timeout } },
  { timeoutMs, graceMs = termMs, looksForOutlived = false }: ChildSpec,
  signal: AbortSignal,
): Promise<ChildEnd> {
  const group = note.pid;
  let how: ChildEnd["how"] = "exit";
  // As it was when the child was told to end: later nothing says any more who started it.
  let started: Started[] = [];
  const end = (why: "timeout" | "aborted"): void => {
    if (how !== "exit") return;
    how = why;
    started = startedBy(note);
    void endGroup(group, graceMs);
  };
  const abort = (): void => end("aborted");
  if (timeoutMs !== undefined) time.limit = setTimeout(() => end("timeout"), timeoutMs);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  const { code, signal: by } = await exitOf(child);
  clearTimeout(time.limit);
  signal.removeEventListener("abort", abort);
  await output.drained(lingerMs);
  const [rest, areEnded] = await Promise.all([endRest(group, graceMs), endStarted(started, graceMs)]);
  const left = areEnded ? rest : "running";
  await output.drained(drainMs);
  output.close();
  // What a timeout or a stop has found was ended; what began only then is found now.
  const outlived = looksForOutlived ? startedBy(note).filter(({ pid }) => groupOf(pid) !== group) : [];
  return { how, code, signal: by, left, outlived, ...output.take() };
}

const exitOf = (child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> =>
  new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));

async function endRest(group: number, graceMs: number): Promise<ChildEnd["left"]> {
  if (!groupRuns(group)) return "nothing";
  return (await endGroup(group, graceMs)) ? "ended" : "running";
}

function gather(child: ChildProcess, spec: ChildSpec) {
  const { maxOutputBytes = defaultOutputBytes, reports, given, masking, onOutput } = spec;
  const kept = { stdout: createCappedOutput(maxOutputBytes), stderr: createCappedOutput(maxOutputBytes) };
  const masked: (() => void)[] = [];
  for (const from of ["stdout", "stderr"] as const) {
    const take = (chunk: Buffer): void => {
      if (chunk.length === 0) return;
      kept[from].add(chunk);
      onOutput?.(chunk, from);
    };
    const mask = masking?.stream();
    if (mask === undefined) {
      child[from]?.on("data", take);
      continue;
    }
    let quiet: NodeJS.Timeout | undefined;
    child[from]?.on("data", (chunk: Buffer) => {
      clearTimeout(quiet);
      take(mask.push(chunk));
      quiet = setTimeout(() => take(mask.quiet()), quietMs);
    });
    masked.push(() => {
      clearTimeout(quiet);
      take(mask.end());
    });
  }
  const pipe = child.stdio[reportAt] as Readable | null | undefined;
  const objecting =
    given === undefined ? undefined : ((child.stdio as readonly unknown[])[objectAt] as Readable | null | undefined);
  const [report, objection] = [createCappedOutput(reportBytes), createCappedOutput(reportBytes)];
  if (reports) pipe?.on("data", (chunk: Buffer) => report.add(chunk));
  objecting?.on("data", (chunk: Buffer) => objection.add(chunk));
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    stdout: kept.stdout,
    /** Resolves when the pipes are closed, or after so many milliseconds. */
    drained: async (ms: number) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      await Promise.race([closed, late]);
      clearTimeout(timer);
    },
    close: () => {
      for (const end of masked) end();
      child.stdout?.destroy();
      child.stderr?.destroy();
      pipe?.destroy();
      objecting?.destroy();
    },
    take: () => ({
      stdout: kept.stdout.take(),
      stderr: kept.stderr.take(),
      report: report.take().head.toString("utf8"),
      objection: objection.take().head.toString("utf8"),
    }),
  };
}
