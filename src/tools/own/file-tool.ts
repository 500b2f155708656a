import { type ErrorCode, ToolRefusal } from "../../core/codes.ts";
import { type Json, type JsonObject, type Sha, sha256 } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { observeLimit } from "../../core/observe-limit.ts";
import { unstopped } from "../../core/outcome.ts";
import type { JsonSchemaArgs, Plan, Tool, ToolContext, ToolResult } from "../../core/tool.ts";
import { resolveInside } from "../../files/boundary.ts";
import { keptResult } from "../use/kept-result.ts";
import { normalizeResult } from "../use/run-tool.ts";
import { describedSchema, parsedSchema, planSchema, type ToolPlace, type ToolShape, toldContext } from "./messages.ts";
import { type AskOptions, type ToolProcess, ToolProcessEnded } from "./tool-process.ts";

/** The file of a tool, as the session has it. */
export interface LoadedFile {
  /** Absolute. */
  path: string;
  /** Tells whether the process that runs now has loaded it. */
  isLoaded(): boolean;
  /** Makes sure that the process that runs now has loaded it. @throws ToolRefusal where it cannot be loaded again. */
  load(): Promise<void>;
  /** Paths of all that it runs. */
  files: readonly string[];
}

// Keeps tools 5.
/** A tool of a file, as the session uses it: each of its methods is asked of the process. */
export function fileTool(process: ToolProcess, file: LoadedFile, index: number, shape: ToolShape): Tool {
  const place: ToolPlace = { file: file.path, index };
  const ask = async (
    what:
      | { do: "describe" }
      | { do: "parse"; given: JsonObject }
      | { do: "part" | "plan" | "execute"; args: JsonObject },
    ctx: ToolContext,
    options: AskOptions = { deadlineMs: limits.toolLookTime.most },
  ): Promise<Json> => {
    await file.load().catch((error: unknown) => {
      unstopped(options.signal);
      throw error;
    });
    return process.ask({ ...what, tool: place, ctx: toldContext(ctx) }, options);
  };
  const parse = async (given: JsonObject, ctx: ToolContext): Promise<JsonObject> => {
    const parsed = parsedSchema.parse(await ask({ do: "parse", given }, ctx).catch(refuseThrown));
    if (parsed.ok) return parsed.canonical as JsonObject;
    throw new ToolRefusal(parsed.code as ErrorCode, parsed.message);
  };
  const made = { jsonSchema: shape.parameters as JsonObject, parse };
  const described = async (ctx: ToolContext) =>
    describedSchema.parse(await ask({ do: "describe" }, ctx).catch(refuseEnded));
  const operands = operandsOf(process, file);
  const { name, dynamic, plans, looks, description, parameters: _, endsTurn, ...declared } = shape;
  const tool: Tool<JsonObject> = {
    ...(declared as Partial<Tool<JsonObject>>),
    name,
    description: dynamic ? async (ctx) => (await described(ctx)).description : description,
    args: dynamic
      ? async (ctx): Promise<JsonSchemaArgs<JsonObject>> => ({
          ...made,
          jsonSchema: (await described(ctx)).parameters as JsonObject,
        })
      : made,
    ...(looks ? { onPartial: (args, ctx) => part({ ask }, args, ctx) } : {}),
    async plan(args, ctx) {
      const said = plans ? await ask({ do: "plan", args }, ctx).catch(refuseEnded) : null;
      return { ...(said === null ? barePlan(name, args, ctx) : await checkedPlan(said, ctx)), operands: operands() };
    },
    execute: (args, ctx) => execute({ ask, shape }, args, ctx),
    async release(callId) {
      // Where the process ended, or has not this file any more, nothing is left of the call.
      if (file.isLoaded()) await process.ask({ do: "release", tool: place, callId }).catch(() => undefined);
    },
    ...(endsTurn === true ? { endsTurn: ({ metadata }: ToolResult) => metadata?.["endsTurn"] === true } : {}),
  };
  return tool as Tool;
}

/** Before it runs a tool only looks: nothing was done. */
function refuseEnded(error: unknown): never {
  if (error instanceof ToolProcessEnded)
    throw new ToolRefusal("FAILED", `the process of the tool ended: ${error.message}`);
  throw error;
}

/** Refuses for an error that the tool threw, which is no fault of the arguments. */
function refuseThrown(error: unknown): never {
  if (error instanceof ToolRefusal || error instanceof ToolProcessEnded) return refuseEnded(error);
  throw new ToolRefusal("FAILED", `the tool failed: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });
}

/** The bytes that an approval is bound to: those of the file and of all that it imports. */
function operandsOf(process: ToolProcess, { files }: LoadedFile): () => { path: string; sha: Sha }[] {
  let known: { path: string; sha: Sha }[] | undefined;
  return () => {
    known ??= files.flatMap((path) => {
      const text = process.textOf(path);
      return text === undefined ? [] : [{ path, sha: sha256(text) }];
    });
    return known;
  };
}

/** Short enough for one line of a dialog. */
function barePlan(name: string, args: JsonObject, { cwd }: ToolContext): Plan {
  const text = JSON.stringify(args);
  return { summary: `${name} ${text.length > 160 ? `${text.slice(0, 159)}…` : text}`, cwd };
}

/** Checks a tool's plan and finds the real places that it reads here, so that policy judges the place and not the tool's word. */
async function checkedPlan(said: Json, ctx: ToolContext): Promise<Plan> {
  const parsed = planSchema.safeParse(said);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ToolRefusal(
      "FAILED",
      `the tool's plan is wrong: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`,
    );
  }
  const { reads, hosts, summary, cwd: _, ...rest } = parsed.data;
  const places = await Promise.all(
    (reads ?? []).map(async ({ asked }) => ({ asked, real: await resolveInside(ctx, ctx.cwd, asked) })),
  );
  return {
    ...(JSON.parse(JSON.stringify(rest)) as Partial<Plan>),
    summary,
    cwd: ctx.cwd,
    ...(hosts === undefined
      ? {}
      : { hosts: hosts.map(({ host, port }) => ({ host, ...(port === undefined ? {} : { port }) })) }),
    ...(reads === undefined ? {} : { reads: places }),
  };
}

/** A process that does not come back from it is ended, so that the call has another one. */
async function part({ ask }: Pick<Executed, "ask">, args: JsonObject, ctx: ToolContext): Promise<void> {
  const { signal, progress } = ctx;
  await ask({ do: "part", args }, ctx, { deadlineMs: limits.toolPartTime.most, signal, progress }).catch(refuseEnded);
}

interface Executed {
  ask(what: { do: "part" | "execute"; args: JsonObject }, ctx: ToolContext, options: AskOptions): Promise<Json>;
  shape: Pick<ToolShape, "name" | "effect" | "maxObserve">;
}

async function execute({ ask, shape }: Executed, args: JsonObject, ctx: ToolContext): Promise<ToolResult> {
  const { signal, progress, runChild } = ctx;
  const { name, effect, maxObserve } = shape;
  const children = runChild === undefined ? {} : { runChild };
  const starting = async (note: Parameters<NonNullable<AskOptions["starting"]>>[0]): Promise<void> => {
    await ctx.noteChild?.(note);
    ctx.pins?.check();
  };
  try {
    const result = normalizeResult(
      await ask({ do: "execute", args }, ctx, { signal, progress, starting, ...children }),
    );
    return await keptResult(result, observeLimit(maxObserve, ctx.outputs?.maxObserve), ctx);
  } catch (error) {
    if (!(error instanceof ToolProcessEnded)) throw error;
    const words = `the process of your own tools ended while ${name} ran: ${error.message}`;
    return { output: "", error: words, metadata: { code: effect === "none" ? "FAILED" : "OUTCOME_UNKNOWN" } };
  }
}
