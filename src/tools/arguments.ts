import { type ZodType, z } from "zod";
import { type ErrorCode, ToolRefusal } from "../core/codes.ts";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { type Read, readStrictJson, toPlainJson } from "../core/strict-json.ts";
import type { JsonSchemaArgs, Tool, ToolArgs, ToolContext } from "../core/tool.ts";
import { describe, explainIssues, unknownArgument, unknownName } from "./argument-errors.ts";
import { coerce } from "./coerce.ts";
import { argumentsOf, shapeOf } from "./schema.ts";

export type ParsedArguments =
  | { ok: true; args: unknown; canonical: JsonObject }
  | { ok: false; code: ErrorCode; message: string };

const refuse = (tool: Tool, message: string): ParsedArguments => ({
  ok: false,
  code: "INVALID_ARGUMENT",
  message: `${tool.name}: ${message}`,
});

/**
 * Parses a call's arguments, once: an object, or its JSON text read strictly. A wrong type with one obvious reading is read
 * so; everything else that does not fit, an unknown argument above all, is refused in one sentence that the model can act on.
 *
 * `args` is what the tool's methods take. `canonical` is the same as plain JSON, for the journal and the digest: parsing it
 * again gives the same call. Fields hidden from the model are refused from it, filled in from `tool.inject`, and are not in
 * `canonical`, so that they are filled in anew for each process.
 * Throws what the tool's own functions throw: a defect of the tool.
 */
export async function parseArguments(tool: Tool, raw: unknown, ctx: ToolContext): Promise<ParsedArguments> {
  const read = readArguments(raw);
  if (!read.ok) return refuse(tool, read.message);
  const taken = await argumentsOf(tool, ctx);
  const shape = shapeOf(taken);
  const hidden = (tool.hidden ?? []).find((name) => Object.hasOwn(read.value, name));
  if (hidden !== undefined) return refuse(tool, unknownName(hidden, visibleNames(tool, shape)));
  const coerced = asObject(coerce(read.value, shape, shape));
  const unknown = unknownArgument(coerced, withoutHidden(tool, shape), shape);
  if (unknown !== undefined) return refuse(tool, unknown);
  const filled = fillIn(tool, coerced, ctx);
  const parse = parserOf(taken, ctx);
  const parsed = await parse(filled);
  if (!parsed.ok) return parsed.code === undefined ? refuse(tool, parsed.message) : { ...parsed, code: parsed.code };
  const objection = await tool.validate?.(parsed.value, ctx);
  if (objection !== undefined) return refuse(tool, objection);
  const shown = await repeatable(parse, parsed.value, filled);
  return { ok: true, args: parsed.value, canonical: without(shown, tool.hidden ?? []) };
}

type Parsed = { ok: true; value: unknown } | { ok: false; message: string; code?: ErrorCode };
type Parse = (given: JsonObject) => Promise<Parsed>;

function parserOf(taken: ToolArgs<unknown>, ctx: ToolContext): Parse {
  if (!("jsonSchema" in taken)) return (given) => parseBySchema(taken, given);
  const { parse } = taken;
  if (parse === undefined) return (given) => parseBySchema(checkOf(taken), given);
  return async (given) => {
    try {
      return { ok: true, value: await parse.call(taken, given, ctx) };
    } catch (error) {
      if (error instanceof ToolRefusal && error.code !== "INVALID_ARGUMENT")
        return { ok: false, code: error.code, message: error.message };
      return { ok: false, message: error instanceof Error ? error.message : String(error) };
    }
  };
}

async function parseBySchema(schema: ZodType, given: JsonObject): Promise<Parsed> {
  const parsed = await schema.safeParseAsync(given);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, message: explainIssues(parsed.error, given) };
}

/** What checks by a JSON Schema; made once. @throws where it is none, or says what cannot be checked. */
function checkOf(taken: JsonSchemaArgs<unknown>): ZodType {
  const known = checks.get(taken);
  if (known !== undefined) return known;
  const made = z.fromJSONSchema(taken.jsonSchema as Parameters<typeof z.fromJSONSchema>[0]);
  checks.set(taken, made);
  return made;
}

const checks = new WeakMap<JsonSchemaArgs<unknown>, ZodType>();

function readArguments(raw: unknown): Read<JsonObject> {
  // A model that calls without arguments sends no text at all.
  if (typeof raw === "string" && raw.trim() === "") return { ok: true, value: {} };
  const outer = typeof raw === "string" ? readStrictJson(raw) : toPlainJson(raw ?? {});
  const read = outer.ok && isObjectText(outer.value) ? readStrictJson(outer.value) : outer;
  if (!read.ok) return { ok: false, message: `the arguments are ${read.message}` };
  if (isJsonObject(read.value)) return { ok: true, value: read.value };
  return { ok: false, message: `the arguments must be one JSON object, but ${describe(read.value)} was given` };
}

/** Some servers write the object as JSON within a JSON string. */
const isObjectText = (value: Json): value is string => typeof value === "string" && value.trimStart().startsWith("{");

const asObject = (value: Json): JsonObject => (isJsonObject(value) ? value : {});

const without = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

function withoutHidden(tool: Tool, shape: JsonObject): JsonObject {
  return { ...shape, properties: without(asObject(shape["properties"] ?? {}), tool.hidden ?? []) };
}

const visibleNames = (tool: Tool, shape: JsonObject): string[] =>
  Object.keys(asObject(withoutHidden(tool, shape)["properties"] ?? {}));

function fillIn(tool: Tool, given: JsonObject, ctx: ToolContext): JsonObject {
  const absent = Object.entries(tool.inject ?? {}).filter(([name]) => !Object.hasOwn(given, name));
  const filled = absent.map(([name, source]) => [name, typeof source === "function" ? source(ctx, given) : source]);
  return { ...given, ...Object.fromEntries(filled) };
}

/**
 * The parsed value with its defaults, if it is plain JSON that parses to itself; else (a schema that transforms) what was
 * given to the schema, which gives the same value when it is parsed again.
 */
async function repeatable(parse: Parse, parsed: unknown, given: JsonObject): Promise<JsonObject> {
  const plain = toPlainJson(parsed);
  if (!plain.ok || !isJsonObject(plain.value)) return given;
  const again = await parse(plain.value);
  const same = again.ok ? toPlainJson(again.value) : undefined;
  return same?.ok && canonicalJson(same.value) === canonicalJson(plain.value) ? plain.value : given;
}
