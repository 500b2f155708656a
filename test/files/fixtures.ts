import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ZodType } from "zod";
import { type ErrorCode, ToolRefusal } from "../../src/core/codes.ts";
import type { Overlay, Plan, SeenFiles, Tool, ToolContext, ToolResult } from "../../src/core/tool.ts";

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
    extra: {},
    ...extra,
  };
}

export function seenFiles(): SeenFiles {
  const seen = new Map<string, string>();
  return { last: (real) => seen.get(real), note: (real, sha) => void seen.set(real, sha) };
}

export function overlayOf(): Overlay {
  const files = new Map<string, Uint8Array | null>();
  return { read: (real) => files.get(real), write: (real, bytes) => void files.set(real, bytes) };
}

const parsed = (tool: Tool, args: unknown): unknown => (tool.args as ZodType).parse(args);

export async function planOf(tool: Tool, args: unknown, ctx: ToolContext): Promise<Plan> {
  if (tool.plan === undefined) throw new TypeError(`${tool.name} makes no plan`);
  return tool.plan(parsed(tool, args), ctx);
}

export async function run(tool: Tool, args: unknown, ctx: ToolContext): Promise<ToolResult> {
  return (await tool.execute(parsed(tool, args), ctx)) as ToolResult;
}

/** Plans, then applies that plan. */
export async function planAndRun(tool: Tool, args: unknown, ctx: ToolContext): Promise<ToolResult> {
  return run(tool, args, { ...ctx, plan: await planOf(tool, args, ctx) });
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
