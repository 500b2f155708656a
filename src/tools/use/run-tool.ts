import { setMaxListeners } from "node:events";
import { inspect } from "node:util";
import type { CallResult } from "../../core/call.ts";
import type { ChildEnd } from "../../core/child-session.ts";
import { type ErrorCode, ToolRefusal } from "../../core/codes.ts";
import { FolderLost } from "../../core/folder-lost.ts";
import type { AskPerson } from "../../core/forms/asked-form.ts";
import { heeded } from "../../core/heeded.ts";
import { joinSignals } from "../../core/join-signals.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { EffectStopped, NotBegun, type Outcome, type ReadResult } from "../../core/outcome.ts";
import { toPlainJson } from "../../core/strict-json.ts";
import { effectOf, type ImageRef, type Tool, type ToolContext, type ToolResult } from "../../core/tool.ts";

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

/** Returns the time that an aborted tool has to end by itself before the call goes on without it. */
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

/** Makes a `runChild` whose sessions end with the call, also those that work on behind its tool's end. */
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

/** Returns the time limit of a call; sessions of its own work are limited by their steps. */
const timeLimit = ({ effect }: Tool, timeoutMs = limits.toolTime.most): number =>
  effect === "child" ? longestTimer : timeoutMs;

const failed = (code: "TIMEOUT" | "CANCELLED", message: string): Outcome => ({ kind: "failed", code, message });

const notBegun = (...[code, message]: Parameters<typeof failed>): Outcome => ({
  ...{ kind: "failed", code, message },
  begun: false,
});

/** The kind of a throw: one at the stop says nothing of itself. */
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

/** The text that the model reads where a tool has nothing to say: a model takes an empty message for a failure of its own. */
const noOutput = "(no output)";

const resultKeys = new Set([
  "output",
  "title",
  "display",
  "error",
  "metadata",
  "longTermMemory",
  "outputOnce",
  "attachments",
  "images",
]);

/** Returns the outcome that a throw out of a tool means: a ToolRefusal is an error with its code, any other FAILED. */
function outcomeOfThrow(error: unknown): Outcome {
  if (error instanceof FolderLost) return { kind: "drifted", message: error.message };
  if (error instanceof EffectStopped) {
    const { as, code, message, changed } = error;
    if (as === "drifted" || as === "unknown") return { kind: as, message };
    const files = changed.length === 0 ? {} : { changed };
    return as === "raced" ? { kind: "raced", message, ...files } : { kind: "failed", code, message, ...files };
  }
  if (error instanceof ToolRefusal) return { kind: "failed", code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "failed", code: "FAILED", message: message === "" ? "the tool failed and did not say why" : message };
}

/** The outcome that a returned result stands for. `OUTCOME_UNKNOWN` is the one code that is no failure. */
export function outcomeOf({ error, ...result }: ReadResult): Outcome {
  if (error === undefined) return { kind: "done", result };
  const { code: given, ...metadata } = result.metadata ?? {};
  const code = typeof given === "string" ? (given as ErrorCode) : "FAILED";
  if (code === "OUTCOME_UNKNOWN") return { kind: "unknown", message: error };
  const { metadata: _, ...rest } = result;
  const kept: CallResult = Object.keys(metadata).length === 0 ? rest : { ...rest, metadata };
  const empty = kept.output === "" && Object.keys(kept).length === 1;
  return { kind: "failed", code, message: error, ...(empty ? {} : { result: kept }) };
}

/** The same the other way, for programs that run a tool by themselves: each error has its code in the metadata. */
export function resultOf(outcome: Outcome): ToolResult {
  switch (outcome.kind) {
    case "done":
      return outcome.result;
    case "failed": {
      const { code, message: error, result = { output: "" } } = outcome;
      return { ...result, error, metadata: { ...result.metadata, code } };
    }
    case "drifted":
    case "raced":
      return { output: "", error: outcome.message, metadata: { code: "STALE" } };
    case "unknown":
      return { output: "", error: outcome.message, metadata: { code: "OUTCOME_UNKNOWN" } };
  }
}

/**
 * Returns a tool's own return value as a result: a string or other JSON becomes the output, an empty output `(no output)`, an error
 * without a code FAILED. Never throws: the effect may have happened, and a result that cannot be written must not hide that.
 */
export function normalizeResult(value: ToolResult | string | Json | undefined): ReadResult {
  if (typeof value === "string") return { output: orNoOutput(value) };
  if (value === undefined || value === null) return { output: noOutput };
  if (!isToolResult(value)) return { output: orNoOutput(asText(value)) };
  const { images, left } = imagesOf(value.images);
  const output = [typeof value.output === "string" ? value.output : "", ...left]
    .filter((text) => text !== "")
    .join("\n");
  const failed = typeof value.error === "string" && value.error !== "";
  const { metadata: given } = value;
  const rest = { ...asDeclared(value), ...(images.length === 0 ? {} : { images }) };
  const metadata = given === undefined ? undefined : plainMetadata(given);
  if (!failed) return { ...rest, output: orNoOutput(output), ...(metadata === undefined ? {} : { metadata }) };
  return { ...rest, output, error: value.error ?? "", metadata: { code: "FAILED", ...metadata } };
}

/** The fields that have the form they should; junk in one of them does not undo what was done. */
function asDeclared({ title, display, longTermMemory, outputOnce, attachments }: ToolResult) {
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof display === "string" ? { display } : {}),
    ...(typeof longTermMemory === "string" && longTermMemory.trim() !== "" ? { longTermMemory } : {}),
    ...(typeof outputOnce === "boolean" ? { outputOnce } : {}),
    ...(Array.isArray(attachments) ? { attachments: attachments.filter((one) => typeof one === "string") } : {}),
  };
}

/** Those that may be pictures, which their bytes will tell, and in words how many cannot be. */
function imagesOf(given: unknown): { images: ImageRef[]; left: string[] } {
  if (given === undefined || given === null) return { images: [], left: [] };
  const all: unknown[] = Array.isArray(given) ? given : [given];
  const images = all.flatMap((one) => imageOf(one) ?? []);
  const none = all.length - images.length;
  if (none === 0) return { images, left: [] };
  const what = none === 1 ? "one picture of the result is" : `${none} pictures of the result are`;
  return {
    images,
    left: [`(${what} left out: a picture is { name, data } with its bytes in base64, or { name, path })`],
  };
}

function imageOf(image: unknown): ImageRef | undefined {
  if (!isJsonObject(image)) return undefined;
  const { name, mediaType, path, data } = image;
  if (![path, data].every((one) => one === undefined || isText(one))) return undefined;
  // One that the agent made itself is known by being the same object.
  if (isText(name) && isText(mediaType)) return image as unknown as ImageRef;
  const file = isText(path) ? path : "unnamed";
  return { ...image, name: isText(name) ? name : file, mediaType: isText(mediaType) ? mediaType : "" } as ImageRef;
}

const isText = (value: unknown): value is string => typeof value === "string";

/** An object with `output` (or `error`) in text and no key that a result does not have: other objects are a tool's data. */
function isToolResult(value: unknown): value is ToolResult {
  if (!isJsonObject(value)) return false;
  const told = typeof value["output"] === "string" || typeof value["error"] === "string";
  return told && Object.keys(value).every((key) => resultKeys.has(key));
}

const orNoOutput = (text: string): string => (text.trim() === "" ? noOutput : text);

function asText(value: unknown): string {
  const plain = toPlainJson(value);
  return plain.ok ? JSON.stringify(plain.value) : inspect(value, { depth: 4, maxArrayLength: 100 });
}

function plainMetadata(metadata: unknown): JsonObject {
  const plain = toPlainJson(metadata);
  if (plain.ok && isJsonObject(plain.value)) return plain.value;
  return { unreadable: plain.ok ? "metadata was not an object" : plain.message };
}
