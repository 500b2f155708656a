import { setMaxListeners } from "node:events";
import type { ChildEnd } from "../../core/child-session.ts";
import { ToolRefusal } from "../../core/codes.ts";
import type { AskPerson } from "../../core/forms/asked-form.ts";
import { heeded } from "../../core/heeded.ts";
import { joinSignals } from "../../core/join-signals.ts";
import { limits } from "../../core/limits.ts";
import { NotBegun, type Outcome } from "../../core/outcome.ts";
import { effectOf, type Tool, type ToolContext } from "../../core/tool.ts";
import { normalizeResult, outcomeOf, outcomeOfThrow, type ReadResult } from "./results.ts";

/** A context from what is known, the rest filled with values that do nothing. `cwd` is the workspace unless it is given. */
export function createToolContext(known: Partial<ToolContext> & Pick<ToolContext, "workspace">): ToolContext {
  return {
    cwd: known.workspace,
    sessionId: "",
    callId: "",
    stepId: "",
    signal: new AbortController().signal,
    config: {},
    services: {},
    progress: () => {},
    ...known,
  };
}

/** How long an aborted tool has to end by itself before the call goes on without it. */
const graceOf = ({ effect }: Pick<Tool, "effect">, hasChild: boolean): number =>
  // What its sessions run has its own time to end, and is to be seen to end in them.
  effect === "child" ? 2 * limits.childGrace.most : graceOfOther(effect, hasChild);

const graceOfOther = (effect: Tool["effect"], hasChild: boolean): number =>
  effect !== "none" && (hasChild || effect === "file" || effect === "store")
    ? limits.childGrace.most
    : limits.toolGrace.most;

/**
 * Executes a call whose arguments are parsed, and says how it ended, whatever happens. At its time limit (`tool.timeoutMs`, else `timeoutMs`, else ten minutes) or when `ctx.signal`
 * aborts, the tool's own signal is aborted and its end awaited: an end that was a success stays one (it did happen), any other
 * is TIMEOUT or CANCELLED. A tool that does not end within the grace is left behind; where it may have done something (any
 * effect but `none`) its outcome is unknown.
 */
export async function runTool(
  tool: Tool,
  args: unknown,
  ctx: ToolContext,
  given: { graceMs?: number | undefined; timeoutMs?: number | undefined; effect?: Tool["effect"] } = {},
): Promise<Outcome> {
  if (ctx.signal.aborted) return notBegun("CANCELLED", `${tool.name} was cancelled before it began`);
  const act = { name: tool.name, effect: given.effect ?? effectOf(tool) };
  const stop = stopper(act, ctx.signal, tool.timeoutMs ?? timeLimit(tool, given.timeoutMs));
  let hasChild = false;
  const noteChild: ToolContext["noteChild"] = async (child) => {
    hasChild = true;
    await ctx.noteChild?.(child);
  };
  const children = childrenUntil(ctx, [stop.signal, ctx.signal]);
  const asks = ctx.askPerson === undefined ? {} : { askPerson: askingOutOfTime(ctx.askPerson, stop) };
  const ended = execute(tool, args, { ...ctx, noteChild, ...children, ...asks, signal: stop.signal });
  const graceMs = (): number => given.graceMs ?? graceOf(act, hasChild);
  try {
    return await Promise.race([ended.then((end) => atStop(tool, end, stop.why())), stop.grace(graceMs)]);
  } finally {
    stop.release();
  }
}

/** While the person is asked the call's time does not run; once it is stopped nobody is asked any more. */
function askingOutOfTime(ask: AskPerson, stop: Pick<ReturnType<typeof stopper>, "signal" | "pause">): AskPerson {
  return async (form, asking) => {
    const goOn = stop.pause();
    const joined = joinSignals([asking.signal, stop.signal]);
    try {
      return await ask(form, { ...asking, signal: joined.signal });
    } finally {
      joined.release();
      goOn();
    }
  };
}

/** What the call drives is ended with it, also what works on behind its tool's end. */
function childrenUntil({ runChild }: ToolContext, ends: readonly AbortSignal[]): Pick<ToolContext, "runChild"> {
  if (runChild === undefined) return {};
  // Each child listens to them, and there may be many.
  setMaxListeners(0, ...ends);
  const begin = async (...[spec, signal]: Parameters<typeof runChild>): Promise<ChildEnd> => {
    const joined = joinSignals(signal === undefined ? ends : [signal, ...ends]);
    try {
      return await runChild(spec, joined.signal);
    } finally {
      joined.release();
    }
  };
  return { runChild: (spec, signal) => heeded(begin(spec, signal)) };
}

/** How long sessions of its own work is limited by their steps. */
const timeLimit = ({ effect }: Tool, timeoutMs = limits.toolTime.most): number =>
  effect === "child" ? longestTimer : timeoutMs;

const failed = (code: "TIMEOUT" | "CANCELLED", message: string): Outcome => ({ kind: "failed", code, message });

const notBegun = (...[code, message]: Parameters<typeof failed>): Outcome => ({
  ...{ kind: "failed", code, message },
  begun: false,
});

/** What it threw at the stop says nothing of itself. */
type Thrown = "threw at the stop" | "not begun";

async function execute(tool: Tool, args: unknown, ctx: ToolContext): Promise<Outcome | Thrown> {
  try {
    const result = normalizeResult(await tool.execute(args, ctx));
    return outcomeOf(result.images === undefined ? result : await checked(result, ctx));
  } catch (error) {
    if (ctx.signal.aborted && error instanceof NotBegun) return "not begun";
    return ctx.signal.aborted && !(error instanceof ToolRefusal) ? "threw at the stop" : outcomeOfThrow(error);
  }
}

/** Few results have pictures: what looks at them is loaded with the first. */
const checked = async (result: ReadResult, ctx: ToolContext): Promise<ReadResult> =>
  (await import("../media/result-images.ts")).withCheckedImages(result, ctx);

type Why = { code: "TIMEOUT" | "CANCELLED"; message: string };

function atStop(tool: Tool, end: Outcome | Thrown, why: Why | undefined): Outcome {
  const { code, message } = why ?? { code: "CANCELLED", message: `${tool.name} was cancelled` };
  if (end === "not begun") return notBegun(code, message);
  if (end === "threw at the stop") return failed(code, message);
  if (why === undefined || end.kind !== "failed") return end;
  // It may say itself that it was stopped, and does not know why.
  return end.code === "FAILED" || end.code === "CANCELLED" ? { ...end, code } : end;
}

/** A timer of more milliseconds than that ends at once. */
const longestTimer = 2 ** 31 - 1;

/** The tool's own signal, aborted by the call's or by its time limit. */
function stopper(tool: Pick<Tool, "name" | "effect">, outer: AbortSignal, limitMs: number) {
  const inner = new AbortController();
  let reason: Why | undefined;
  let graceTimer: NodeJS.Timeout | undefined;
  const stop = (code: Why["code"], message: string): void => {
    if (reason !== undefined) return;
    reason = { code, message };
    inner.abort(code === "CANCELLED" ? outer.reason : new DOMException(message, "TimeoutError"));
  };
  const cancel = (): void => stop("CANCELLED", `${tool.name} was cancelled`);
  outer.addEventListener("abort", cancel, { once: true });
  const late = (): void => stop("TIMEOUT", `${tool.name} did not end within ${limitMs} ms and was stopped`);
  const time = pausable(late, Math.min(limitMs, longestTimer));
  return {
    signal: inner.signal,
    why: () => reason,
    pause: time.pause,
    /** Settles only if the signal is aborted and the tool has not ended so many milliseconds later. */
    grace: (ms: () => number): Promise<Outcome> =>
      new Promise((resolve) => {
        const begin = (): void => {
          graceTimer = setTimeout(() => resolve(leftBehind(tool, reason)), ms());
        };
        inner.signal.addEventListener("abort", begin, { once: true });
      }),
    release: () => {
      outer.removeEventListener("abort", cancel);
      time.end();
      clearTimeout(graceTimer);
    },
  };
}

/** A timer that stands still as long as anybody holds it. */
function pausable(late: () => void, ms: number) {
  let [left, since, holds, isOver] = [ms, performance.now(), 0, false];
  let timer: NodeJS.Timeout | undefined = setTimeout(late, left);
  return {
    /** @returns lets it run again, called once */
    pause: (): (() => void) => {
      holds += 1;
      if (holds === 1) {
        clearTimeout(timer);
        left -= performance.now() - since;
      }
      return () => {
        holds -= 1;
        if (holds > 0 || isOver) return;
        since = performance.now();
        timer = setTimeout(late, Math.max(0, left));
      };
    },
    end: (): void => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

function leftBehind(tool: Pick<Tool, "name" | "effect">, why: Why | undefined): Outcome {
  const { code, message } = why ?? { code: "CANCELLED", message: `${tool.name} was cancelled` };
  if (tool.effect === "none") return failed(code, message);
  return { kind: "unknown", message: `${message}, but did not stop` };
}
