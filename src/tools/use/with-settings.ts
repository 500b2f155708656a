import { canonicalJson, type Json, type JsonObject, type Sha, sha256 } from "../../core/json.ts";
import type { JsonSchemaArgs, Tool, ToolArgs, ToolContext } from "../../core/tool.ts";
import { toldOf } from "./per-call.ts";

const hashes = new WeakMap<Tool, Sha>();

// Keeps tools 9.
/** The same tool, all of whose methods find these settings in `ctx.config`, whatever the context has there: a frozen copy. */
export function withSettings(tool: Tool, settings: JsonObject): Tool {
  const config = frozen(settings) as JsonObject;
  const own = (ctx: ToolContext): ToolContext => ({ ...ctx, config });
  const { description, args, inject, validate, plan, onPartial } = tool;
  const made: Tool = {
    ...toldOf(tool),
    ...(typeof description === "function" ? { description: (ctx) => description.call(tool, own(ctx)) } : {}),
    args:
      typeof args === "function" ? async (ctx) => argsWith(await args.call(tool, own(ctx)), own) : argsWith(args, own),
    ...(inject === undefined ? {} : { inject: injectWith(inject, own) }),
    ...(validate === undefined ? {} : { validate: (given, ctx) => validate.call(tool, given, own(ctx)) }),
    ...(plan === undefined ? {} : { plan: (given, ctx) => plan.call(tool, given, own(ctx)) }),
    ...(onPartial === undefined ? {} : { onPartial: (partial, ctx) => onPartial.call(tool, partial, own(ctx)) }),
    execute: (given, ctx) => tool.execute(given, own(ctx)),
    ...(tool.release === undefined ? {} : { release: (callId) => tool.release?.(callId) }),
    ...(tool.dispose === undefined ? {} : { dispose: () => tool.dispose?.() }),
  };
  hashes.set(made, sha256(canonicalJson(config)));
  return made;
}

/** The hash of the settings that a tool is run with, which an approval of its calls is bound to; undefined where it has none. */
export const settingsHash = (tool: Tool): Sha | undefined => hashes.get(tool);

type Own = (ctx: ToolContext) => ToolContext;

function argsWith(args: ToolArgs<unknown>, own: Own): ToolArgs<unknown> {
  if (!("jsonSchema" in args) || args.parse === undefined) return args;
  const { jsonSchema, parse } = args;
  const withOwn: JsonSchemaArgs<unknown> = { jsonSchema, parse: (given, ctx) => parse.call(args, given, own(ctx)) };
  return withOwn;
}

const injectWith = (inject: NonNullable<Tool["inject"]>, own: Own): NonNullable<Tool["inject"]> =>
  Object.fromEntries(
    Object.entries(inject).map(([name, value]) => [
      name,
      typeof value === "function" ? (ctx: ToolContext, args: JsonObject) => value.call(inject, own(ctx), args) : value,
    ]),
  );

function frozen(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  const copy = Array.isArray(value)
    ? value.map(frozen)
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozen(item)]));
  Object.freeze(copy);
  return copy;
}
