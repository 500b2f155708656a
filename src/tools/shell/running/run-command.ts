import { StringDecoder } from "node:string_decoder";
import { limits } from "../../../core/limits.ts";
import { EffectStopped } from "../../../core/outcome.ts";
import type { Plan, ToolContext, ToolResult } from "../../../core/tool.ts";
import { bytesOfOutput } from "../../../process/capped-output.ts";
import { type ChildEnd, type ChildSpec, type RunningChild, startChild } from "../../../process/run-child.ts";
import {
  commandLine,
  endFacts,
  endOfOutput,
  endWords,
  jobEndWords,
  notItsFolder,
  outlivedWords,
  shownOutput,
  timeWords,
  withHints,
  withLine,
} from "../command-words.ts";
import { type Args, defaultTimeoutMs } from "../shell-arguments.ts";
import type { Job, Jobs } from "./jobs.ts";
import { wasRun } from "./sandbox.ts";
import type { ReadySpec } from "./sandboxed-command.ts";

/**
 * Runs it to its end, or until the person wants it to go on in the background: then it is a job of the session, and loses the time limit
 * that nobody named.
 */
export async function inForeground(jobs: Jobs, request: Args, ready: ReadySpec, ctx: ToolContext): Promise<ToolResult> {
  const { timeout_ms: timeoutMs = defaultTimeoutMs } = request;
  const started = performance.now();
  const live = liveOutput(ctx);
  const watch = stopWith(ctx.signal);
  const { signal } = watch.stop;
  try {
    const child = await startChild({ ...ready.spec, timeoutMs, onOutput: live.take }, { ...ctx, signal });
    const went = await untilAside(child, ctx);
    if (went.aside) {
      watch.release();
      live.stop();
      return goneAside(jobs, request, { child, stop: watch.stop, words: ready.words }, ctx);
    }
    const end = await child.ended;
    const { hint, words = [] } = ready;
    const how = { timeoutMs, tookMs: performance.now() - started, hint, words, wasKept: went.wasKept };
    return settled(request, end, how, ctx);
  } finally {
    watch.release();
  }
}

/** @returns `aside`: it runs, and that it is a job from now on is kept; else it has ended. `wasKept`: that was kept, and it is none. */
async function untilAside(child: RunningChild, ctx: ToolContext): Promise<{ aside: boolean; wasKept: boolean }> {
  let hasEnded = false;
  let settle: () => void = () => undefined;
  // From then on it cannot be sent there: it has ended, or is there.
  const over = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const ended = child.ended.then(() => {
    hasEnded = true;
    settle();
  });
  while (!hasEnded) {
    const asked = ctx.mayGoAside?.(over).then(() => "aside" as const);
    const first = await Promise.race([ended, ...(asked === undefined ? [] : [asked])]);
    if (first !== "aside") break;
    const isKept = await keptAside(child, ctx);
    // What happened while it was kept is what counts.
    if (isKept) {
      settle();
      return { aside: !hasEnded && !ctx.signal.aborted, wasKept: true };
    }
    ctx.progress({ tip: "it stays in the foreground: that it runs in the background could not be kept" });
  }
  return { aside: false, wasKept: false };
}

/** A stop of its own, which follows the signal until it is released. */
function stopWith(signal: AbortSignal): { stop: AbortController; release(): void } {
  const stop = new AbortController();
  const follow = (): void => stop.abort(signal.reason);
  signal.addEventListener("abort", follow, { once: true });
  if (signal.aborted) follow();
  return { stop, release: () => signal.removeEventListener("abort", follow) };
}

// Keeps tools 6.
/**
 * Keeps that it is a job from now on, before anybody is told so: a process that dies behind this leaves the note of it.
 * @returns whether that could be kept
 */
async function keptAside({ output }: RunningChild, { outputs, callId }: ToolContext): Promise<boolean> {
  try {
    await outputs?.keep(callId, bytesOfOutput(output.take()), "running");
    return true;
  } catch {
    return false;
  }
}

/** The length of the output's end that is told while it runs, in characters. */
const liveCharacters = 2_000;

/** Takes output as it comes and tells the end of it, until it is stopped. */
function liveOutput(ctx: ToolContext): { take(chunk: Buffer): void; stop(): void } {
  const decoder = new StringDecoder("utf8");
  let last = "";
  let isTold = true;
  return {
    take(chunk) {
      if (!isTold) return;
      last = (last + decoder.write(chunk.subarray(-4 * liveCharacters))).slice(-liveCharacters);
      ctx.progress({ text: last });
    },
    stop() {
      isTold = false;
    },
  };
}

interface Ended extends Required<Pick<ReadySpec, "hint" | "words">> {
  timeoutMs: number;
  tookMs: number;
  /** It was kept as a job, and is none. */
  wasKept: boolean;
}

async function settled(
  { command }: Args,
  end: ChildEnd,
  { timeoutMs, tookMs, hint, words, wasKept }: Ended,
  ctx: ToolContext,
): Promise<ToolResult> {
  const bytes = bytesOfOutput(end.stdout);
  const text = bytes.toString("utf8");
  const isCut = text.length > limits.commandShown.most;
  if (isCut && !wasKept) await ctx.outputs?.keep(ctx.callId, bytes);
  const isKept = wasKept ? await takenBack(bytes, ctx) : isCut;
  const isWhole = isCut && isKept && ctx.outputs !== undefined;
  const shown = shownOutput(text, isWhole ? `call:${ctx.callId}` : undefined);
  const left = [...leftWords(end, ctx.plan), ...outlivedWords(end)];
  if (end.objection !== "") throw new EffectStopped("drifted", notItsFolder(end.objection));
  if (!wasStarted(end, ctx.plan)) {
    const result: ToolResult = {
      output: "",
      error: `it could not be started: ${shown.trim()}`,
      metadata: { code: "FAILED" },
    };
    unstarted.add(result);
    return result;
  }
  const said = endOfOutput(text);
  const title = (how: string): string => `${commandLine(command)} (${how}, ${timeWords(tookMs)})`;
  switch (end.how) {
    case "exit": {
      const told = [...words, ...(end.code === 0 ? [] : hint(text))].map((line) => `(${line})`);
      const lines = [`(${endWords(end)})`, ...left, ...told].join("\n");
      const display = withHints(said, told);
      return {
        output: withLine(shown, lines),
        title: title(endWords(end)),
        ...display,
        metadata: endFacts(end),
      };
    }
    case "timeout": {
      const error = [`stopped after ${timeWords(timeoutMs)}`, ...left].join("; ");
      return { output: shown, error, title: title("stopped"), ...said, metadata: { code: "TIMEOUT" } };
    }
    case "aborted": {
      const error = ["stopped while it ran", ...left].join("; ");
      return { output: shown, error, title: title("stopped"), ...said, metadata: { code: "CANCELLED" } };
    }
  }
}

/**
 * Keeps its output as that of no job. How it ended is told whether or not that can be done: its end says itself that there is no job.
 * @returns whether it could be kept
 */
const takenBack = async (bytes: Uint8Array, { outputs, callId }: ToolContext): Promise<boolean> => {
  try {
    await outputs?.keep(callId, bytes);
    return true;
  } catch {
    return false;
  }
};

const unstarted = new WeakSet<ToolResult>();

/** Tells whether it is the result of a command whose sandbox could not be made: nothing was run. */
export const isUnstarted = (result: ToolResult): boolean => unstarted.has(result);

/** In the sandbox an exit code may be that of the sandbox, which could not be made: then nothing was run. */
export const wasStarted = ({ how, code, report }: ChildEnd, plan: Plan | undefined): boolean =>
  plan?.sandbox !== true || how !== "exit" || code === null || wasRun(report);

/** A command that leaves something running is told so: it does not stay. */
function leftWords({ left, how }: ChildEnd, plan: Plan | undefined): string[] {
  if (left === "running") return ["a process that it had started could not be ended and still runs"];
  // The sandbox ends a moment after its command, whether or not anything was left in it.
  return left === "ended" && how === "exit" && plan?.sandbox !== true
    ? ["(what it had left running was ended: for that there is background)"]
    : [];
}

/** The time for which a job is looked at before the call returns: most that cannot start have failed by then. */
const firstLookMs = 300;

/** Starts it as a job of the session. */
export async function inBackground(jobs: Jobs, request: Args, spec: ChildSpec, ctx: ToolContext): Promise<ToolResult> {
  const { command, timeout_ms: timeoutMs } = request;
  const stop = new AbortController();
  const { outputs, callId } = ctx;
  const child = await startChild(
    { ...spec, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
    {
      signal: stop.signal,
      noteChild: async (note) => {
        ctx.signal.throwIfAborted();
        await ctx.noteChild?.(note);
        await outputs?.keep(callId, new Uint8Array(), "running");
      },
    },
  );
  const job = jobs.add({ id: jobId(jobs, ctx), command, child, stop, outputs });
  await job.wait(firstLookMs);
  const end = job.end();
  if (end === undefined) return asJob(job, "runs in the background");
  // Its end is kept by then: what its call makes of that comes after it.
  await job.stop();
  if (end.objection !== "") throw new EffectStopped("drifted", notItsFolder(end.objection));
  const text = shownOutput(bytesOfOutput(job.since(0).output).toString("utf8"), undefined);
  return {
    output: withLine(text, `(it has ended already: ${jobEndWords(end)})`),
    title: `${commandLine(command)} (${endWords(end)})`,
    metadata: { job: job.id, ...endFacts(end) },
  };
}

const jobId = (jobs: Jobs, { callId }: ToolContext): string => (callId === "" ? `job${jobs.ids().length + 1}` : callId);

/** It runs on where it is, as a job. */
function goneAside(
  jobs: Jobs,
  request: Args,
  { child, stop, words = [] }: { child: RunningChild; stop: AbortController; words: string[] | undefined },
  ctx: ToolContext,
): ToolResult {
  if (request.timeout_ms === undefined) child.unlimited();
  const job = jobs.add({ id: jobId(jobs, ctx), command: request.command, child, stop, outputs: ctx.outputs });
  const told = asJob(job, "the person sent it to the background, where it runs on");
  return { ...told, output: [told.output, ...words.map((line) => `(${line})`)].join("\n") };
}

/** Tells its output so far, and that it runs. From here on nobody but the job tells of its end. */
function asJob(job: Job, runs: string): ToolResult {
  const { id, command } = job;
  const { output, next } = job.since(0);
  const text = shownOutput(bytesOfOutput(output).toString("utf8"), undefined);
  job.leave();
  return {
    output: withLine(text, `(${runs} as ${id}; shell_output {"id": "${id}", "since": ${next}} reads on)`),
    title: `${commandLine(command)} (background ${id})`,
    metadata: { job: id },
  };
}
