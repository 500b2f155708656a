import type { ZodType } from "zod";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { type Read, readStrictJson, toPlainJson } from "../core/strict-json.ts";
import type { Tool, ToolContext } from "../core/tool.ts";
import { describe, explainIssues, unknownArgument, unknownName } from "./argument-errors.ts";
import { coerce } from "./coerce.ts";
import { argumentsOf, jsonSchemaOf } from "./schema.ts";

export type ParsedArguments =
  | { ok: true; args: unknown; canonical: JsonObject }
  | { ok: false; code: "INVALID_ARGUMENT"; message: string };

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
  const schema = await argumentsOf(tool, ctx);
  const shape = jsonSchemaOf(schema);
  const hidden = (tool.hidden ?? []).find((name) => Object.hasOwn(read.value, name));
  if (hidden !== undefined) return refuse(tool, unknownName(hidden, visibleNames(tool, shape)));
  const coerced = asObject(coerce(read.value, shape, shape));
  const unknown = unknownArgument(coerced, withoutHidden(tool, shape), shape);
  if (unknown !== undefined) return refuse(tool, unknown);
  const filled = fillIn(tool, coerced, ctx);
  const parsed = await schema.safeParseAsync(filled);
  if (!parsed.success) return refuse(tool, explainIssues(parsed.error, filled));
  const objection = await tool.validate?.(parsed.data, ctx);
  if (objection !== undefined) return refuse(tool, objection);
  const shown = await repeatable(schema, parsed.data, filled);
  return { ok: true, args: parsed.data, canonical: without(shown, tool.hidden ?? []) };
}

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
async function repeatable(schema: ZodType, parsed: unknown, given: JsonObject): Promise<JsonObject> {
  const plain = toPlainJson(parsed);
  if (!plain.ok || !isJsonObject(plain.value)) return given;
  const again = await schema.safeParseAsync(plain.value);
  const same = again.success ? toPlainJson(again.data) : undefined;
  return same?.ok && canonicalJson(same.value) === canonicalJson(plain.value) ? plain.value : given;
}
