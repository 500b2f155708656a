import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ZodType } from "zod";
import { type ErrorCode, ToolRefusal } from "../../src/core/codes.ts";
import type { Json, JsonObject } from "../../src/core/json.ts";
import { EffectStopped } from "../../src/core/outcome.ts";
import type { FileBytes, Overlay, Plan, SeenFiles, Tool, ToolContext, ToolResult } from "../../src/core/tool.ts";

/** A folder of the test's own, gone after it. Symlinks in its path are resolved. */
export async function tempFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "holdfast-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function contextOf(workspace: string, extra: Partial<ToolContext> = {}): ToolContext {
  return {
    workspace,
    cwd: workspace,
    sessionId: "s",
    callId: "c1",
    stepId: "t1",
    signal: new AbortController().signal,
    config: {},
    services: {},
    progress: () => undefined,
    ...extra,
  };
}

export function seenFiles(): SeenFiles {
  const seen = new Map<string, string>();
  return { last: (real) => seen.get(real), note: (real, sha) => void seen.set(real, sha) };
}

export function overlayOf(): Overlay {
  const files = new Map<string, FileBytes>();
  return { read: (real) => files.get(real)?.after, write: (real, bytes) => void files.set(real, bytes) };
}

const parsed = (tool: Tool, args: unknown): unknown => (tool.args as ZodType).parse(args);

/** What each plan was made of, as a prepared call keeps it. */
const contents = new WeakMap<Plan, Map<string, FileBytes>>();

export async function planOf(tool: Tool, args: unknown, ctx: ToolContext): Promise<Plan> {
  if (tool.plan === undefined) throw new TypeError(`${tool.name} makes no plan`);
  const own = new Map<string, FileBytes>();
  const overlay: Overlay = {
    read: (real) => own.get(real)?.after ?? ctx.overlay?.read(real),
    write: (real, bytes) => {
      own.set(real, bytes);
      ctx.overlay?.write(real, bytes);
    },
  };
  const plan = await tool.plan(parsed(tool, args), { ...ctx, overlay });
  contents.set(plan, own);
  return plan;
}

/** Executes the plan of `ctx`, or one that is made first. How it was stopped stands in the metadata. */
export async function run(tool: Tool, args: unknown, ctx: ToolContext): Promise<ToolResult> {
  const plan = ctx.plan ?? (tool.plan && (await planOf(tool, args, ctx)));
  const own = plan && contents.get(plan);
  const planned = plan === undefined ? {} : { plan, planned: ctx.planned ?? ((real: string) => own?.get(real)) };
  try {
    return (await tool.execute(parsed(tool, args), { ...ctx, ...planned })) as ToolResult;
  } catch (error) {
    if (!(error instanceof EffectStopped)) throw error;
    const filesDone = error.changed.length === 0 ? {} : { filesDone: error.changed as unknown as Json };
    const how: JsonObject = { code: error.code, ...(error.as === "failed" ? {} : { [error.as]: true }), ...filesDone };
    return { output: "", error: error.message, metadata: how };
  }
}

/** The code and message with which something is refused. */
export async function refusalOf(work: Promise<unknown>): Promise<{ code: ErrorCode; message: string }> {
  const error = await work.then(
    (value) => new Error(`not refused: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof ToolRefusal) return { code: error.code, message: error.message };
  throw error;
}

/** What writing has left behind in a folder. */
export async function leftovers(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => name.includes(".holdfast-"));
}
