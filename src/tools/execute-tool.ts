import { realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { type ErrorCode, ToolRefusal } from "../core/codes.ts";
import type { Tool, ToolContext, ToolResult } from "../core/tool.ts";
import { parseArguments } from "./arguments.ts";
import { errorResult, normalizeResult } from "./results.ts";

export { normalizeResult } from "./results.ts";

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
    extra: {},
    ...known,
  };
}

/** How a call outside a session is run: everything of a context but the workspace has a default. */
export type ExecuteOptions = Partial<ToolContext> & Pick<ToolContext, "workspace">;

/**
 * Validates, plans and executes one call, without graph, policy or approval: for tests and other programs.
 * What the model could mend comes back as `error` with `metadata.code`; nothing of that is thrown.
 * @throws TypeError where `workspace` is not an absolute path of a folder that exists.
 */
export async function executeTool(tool: Tool, rawArguments: unknown, options: ExecuteOptions): Promise<ToolResult> {
  if (!isAbsolute(options.workspace)) throw new TypeError(`workspace must be absolute: ${options.workspace}`);
  const workspace = await realpath(options.workspace).catch((cause: unknown) => {
    throw new TypeError(`workspace cannot be opened: ${options.workspace}`, { cause });
  });
  const ctx = createToolContext({ ...options, workspace, cwd: options.cwd ?? workspace });
  try {
    const parsed = await parseArguments(tool, rawArguments, ctx);
    if (!parsed.ok) return errorResult(parsed.code, parsed.message);
    await tool.facts?.(parsed.args, ctx);
    const plan = await tool.plan?.(parsed.args, ctx);
    return await runTool(tool, parsed.args, plan === undefined ? ctx : { ...ctx, plan });
  } catch (error) {
    return failure(error);
  }
}

/** How long an aborted tool has to end by itself before the call goes on without it. */
const graceMs = 5_000;

/**
 * Executes a call whose arguments are parsed, and gives its result whatever happens: a ToolRefusal becomes `error` with its
 * code, another throw FAILED. At `tool.timeoutMs` or when `ctx.signal` aborts, the tool's own signal is aborted and its end
 * awaited: an end that was a success stays one (it did happen), any other is TIMEOUT or CANCELLED. A tool that does not end
 * within the grace is left behind; where it may have done something (any effect but `none`) that is OUTCOME_UNKNOWN.
 */
export async function runTool(
  tool: Tool,
  args: unknown,
  ctx: ToolContext,
  limits: { graceMs: number } = { graceMs },
): Promise<ToolResult> {
  if (ctx.signal.aborted) return errorResult("CANCELLED", `${tool.name} was cancelled before it began`);
  const stop = stopper(tool, ctx.signal);
  const ended = settle(tool, args, { ...ctx, signal: stop.signal });
  try {
    return await Promise.race([ended.then((result) => atStop(tool, result, stop.why())), stop.grace(limits.graceMs)]);
  } finally {
    stop.release();
  }
}

async function settle(tool: Tool, args: unknown, ctx: ToolContext): Promise<ToolResult | Stopped> {
  try {
    return normalizeResult(await tool.execute(args, ctx));
  } catch (error) {
    if (ctx.signal.aborted && !(error instanceof ToolRefusal)) return new Stopped(error);
    return failure(error);
  }
}

/** A tool that threw after its signal was aborted; what it threw. */
class Stopped {
  readonly thrown: unknown;
  constructor(thrown: unknown) {
    this.thrown = thrown;
  }
}

type Why = { code: "TIMEOUT" | "CANCELLED"; message: string };

function atStop(tool: Tool, ended: ToolResult | Stopped, why: Why | undefined): ToolResult {
  const stopped = why ?? { code: "CANCELLED", message: `${tool.name} was cancelled` };
  if (ended instanceof Stopped) return errorResult(stopped.code, stopped.message);
  if (ended.error === undefined || why === undefined || ended.metadata?.["code"] !== "FAILED") return ended;
  return { ...ended, metadata: { ...ended.metadata, code: why.code } };
}

/** The tool's own signal, aborted by the call's or by its time limit. */
function stopper(tool: Tool, outer: AbortSignal) {
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
  const limit = tool.timeoutMs;
  const timer =
    limit === undefined
      ? undefined
      : setTimeout(() => stop("TIMEOUT", `${tool.name} did not end within ${limit} ms and was stopped`), limit);
  return {
    signal: inner.signal,
    why: () => reason,
    /** Settles only if the signal is aborted and the tool has not ended `ms` later. */
    grace: (ms: number): Promise<ToolResult> =>
      new Promise((resolve) => {
        const begin = (): void => {
          graceTimer = setTimeout(() => resolve(leftBehind(tool, reason)), ms);
        };
        inner.signal.addEventListener("abort", begin, { once: true });
      }),
    release: () => {
      outer.removeEventListener("abort", cancel);
      clearTimeout(timer);
      clearTimeout(graceTimer);
    },
  };
}

function leftBehind(tool: Tool, why: Why | undefined): ToolResult {
  const said = why?.message ?? `${tool.name} was cancelled`;
  if (tool.effect === "none") return errorResult(why?.code ?? "CANCELLED", said);
  return errorResult("OUTCOME_UNKNOWN", `${said}, but it did not end: outcome unknown`);
}

function failure(error: unknown): ToolResult {
  if (error instanceof ToolRefusal) return errorResult(error.code satisfies ErrorCode, error.message);
  const message = error instanceof Error ? error.message : String(error);
  return errorResult("FAILED", message === "" ? "the tool failed and did not say why" : message);
}
