import { ToolRefusal } from "../../../core/codes.ts";
import { countText } from "../../../core/count-text.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { limits } from "../../../core/limits.ts";
import type { Progress } from "../../../core/progress.ts";
import { type Plan, type Tool, type ToolContext, type ToolResult, withoutHidden } from "../../../core/tool.ts";
import { parseArguments } from "../../use/arguments.ts";
import { withoutSecrets } from "../../use/conceal.ts";
import { parameterProblem } from "../../use/fill-in.ts";
import { createToolContext, normalizeResult } from "../../use/run-tool.ts";
import { toolSchema } from "../../use/schema.ts";
import type { Ask, ToldContext, ToolPlace } from "../messages.ts";
import { type OwnedTool, toolsOf } from "./makers.ts";
import type { Modules } from "./modules.ts";

/** The means that one ask may use while it is answered. */
export interface Line {
  signal: AbortSignal;
  progress(progress: Progress): void;
  runChild: NonNullable<ToolContext["runChild"]>;
}

/** Answers what the session asks, with the tools of the files that it had loaded. */
export interface Served {
  answer(ask: Exclude<Ask, { do: "open" | "stop" | "child" }>, line: Line): Promise<unknown>;
}

/** @param enter goes into a folder, before a tool is run: another one may have left it. */
export function serve(modules: Modules, enter: (folder: string) => void): Served {
  const loaded = new Map<string, OwnedTool[]>();

  const toolAt = ({ file, index }: ToolPlace): Tool => {
    const owned = loaded.get(file)?.[index];
    if (owned === undefined) throw new Error(`${file} was not loaded`);
    return owned.tool;
  };
  const withTool = async <T>(place: ToolPlace, ctx: ToolContext, use: (tool: Tool) => Promise<T>): Promise<T> => {
    enter(ctx.cwd);
    return use(toolAt(place));
  };

  return {
    async answer(ask, line) {
      if (ask.do === "end") {
        await Promise.allSettled([...loaded.values()].flat().map(({ end }) => end()));
        return null;
      }
      if (ask.do === "release") {
        await toolAt(ask.tool).release?.(ask.callId);
        return null;
      }
      const ctx = contextOf(ask.ctx, line);
      switch (ask.do) {
        case "load": {
          enter(ctx.cwd);
          const { exports, files } = await modules.load(ask.file, ask.folder);
          const owned = await toolsOf(exports, ctx);
          loaded.set(ask.file, owned);
          const at = ({ name }: Tool): ToolContext => ({ ...ctx, config: { ...ask.settings[name] } });
          return { tools: await Promise.all(owned.map(({ tool }) => shapeOfTool(tool, at(tool)))), files };
        }
        case "describe":
          return withTool(ask.tool, ctx, async (tool) => {
            const { description, parameters } = await toolSchema(tool, ctx);
            return { description, parameters };
          });
        case "parse":
          return withTool(ask.tool, ctx, async (tool) => {
            const parsed = await parseArguments(tool, ask.given, ctx);
            return parsed.ok
              ? { ok: true, canonical: parsed.canonical }
              : { ok: false, message: withoutName(tool, parsed.message), code: parsed.code };
          });
        case "part":
          return withTool(ask.tool, ctx, async (tool) => {
            await tool.onPartial?.(withoutHidden(tool, ask.args), ctx);
            return null;
          });
        case "plan":
          return withTool(ask.tool, ctx, async (tool) => {
            const args = await argsOf(tool, ask.args, ctx);
            return plain(await withoutSecrets(args, async () => tool.plan?.(args, ctx)));
          });
        case "execute":
          return withTool(ask.tool, ctx, (tool) => execute(tool, ask.args, ctx));
      }
    },
  };
}

const contextOf = ({ hasChildren, ...told }: ToldContext, { signal, progress, runChild }: Line): ToolContext =>
  createToolContext({ ...told, signal, progress, ...(hasChildren === true ? { runChild } : {}) });

/** The fields by which a tool describes itself that are told as they are. */
const told = [
  ...["name", "category", "effect", "risk", "access", "outlasts", "confirm", "editable", "urlPatterns", "timeoutMs"],
  ...["maxObserve", "display"],
] as const satisfies readonly (keyof Tool)[];

async function shapeOfTool(tool: Tool, ctx: ToolContext) {
  const problem = parameterProblem(tool, ctx.uid);
  if (problem !== undefined) return { name: tool.name, problem };
  const { description, parameters } = await toolSchema(tool, ctx);
  const { endsTurn } = tool;
  return plain({
    ...Object.fromEntries(told.map((key) => [key, tool[key]])),
    description,
    parameters,
    dynamic: typeof tool.description === "function" || typeof tool.args === "function",
    plans: tool.plan !== undefined,
    looks: tool.onPartial !== undefined,
    ...(endsTurn === undefined || endsTurn === false ? {} : { endsTurn: true }),
  });
}

/** @throws ToolRefusal: what is parsed here was parsed before, so something else was given meanwhile. */
async function argsOf(tool: Tool, canonical: JsonObject, ctx: ToolContext): Promise<unknown> {
  const parsed = await parseArguments(tool, canonical, ctx);
  if (parsed.ok) return parsed.args;
  throw new ToolRefusal(parsed.code, parsed.message);
}

/** Executes a call; whether the turn ends is worked out here, by the tool's result, and told with it. */
async function execute(tool: Tool, args: JsonObject, ctx: ToolContext): Promise<ToolResult> {
  const result = cutResult(normalizeResult(await tool.execute(await argsOf(tool, args, ctx), ctx)));
  const { endsTurn } = tool;
  const ends = typeof endsTurn === "function" ? endsTurn(result) : endsTurn === true;
  return ends ? { ...result, metadata: { ...result.metadata, endsTurn: true } } : result;
}

const withoutName = ({ name }: Tool, message: string): string =>
  message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;

/** Without functions, undefined and all else that JSON has not. */
function plain(value: Plan | object | undefined): Json {
  if (value === undefined) return null;
  const copy: unknown = JSON.parse(JSON.stringify(value));
  return isJsonObject(copy) ? copy : null;
}

/** Characters of what is for the person; nobody reads more on a card. */
const mostDisplay = 64_000;
const mostTitle = 1_000;
/** Characters of a result's data, and of its images together. */
const mostData = 256_000;
const mostImages = 8_000_000;

/** A result that fits into one message: of a longer output the first and last half, and between them how much was left out. */
function cutResult(result: ToolResult): ToolResult {
  const { title, display, error, longTermMemory, metadata, attachments, images, ...rest } = result;
  const isTooMuch = images !== undefined && JSON.stringify(images).length > mostImages;
  const output = isTooMuch
    ? `${result.output}\n(its pictures are left out: together they are too large)`
    : result.output;
  const data =
    JSON.stringify(metadata ?? {}).length > mostData ? { left: "the data of the result was too large" } : metadata;
  return {
    ...rest,
    output: cut(output, limits.commandOutput.most),
    ...(title === undefined ? {} : { title: title.slice(0, mostTitle) }),
    ...(display === undefined ? {} : { display: cut(display, mostDisplay) }),
    ...(error === undefined ? {} : { error: cut(error, mostDisplay) }),
    ...(longTermMemory === undefined ? {} : { longTermMemory: cut(longTermMemory, mostDisplay) }),
    ...(data === undefined ? {} : { metadata: data }),
    ...(attachments === undefined ? {} : { attachments: attachments.slice(0, 100) }),
    ...(images === undefined || isTooMuch ? {} : { images }),
  };
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n[${countText(left)} characters left out]\n${text.slice(-half)}`;
}
