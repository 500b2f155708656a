import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { schemaProblem } from "../../core/json-schema/keywords.ts";
import type { Misfit } from "../../core/json-schema/misfits.ts";
import { limits } from "../../core/limits.ts";
import type { Filled } from "./fill-in.ts";
import { misfitsBeside } from "./misfits-beside.ts";

/** `at`: the argument that does not fit, where it is one. */
export type JsonSchemaParsed = { ok: true; value: JsonObject } | { ok: false; at: string | undefined; message: string };

/**
 * Checks arguments by a tool's JSON Schema; what is not given has its default. What is filled in and is no JSON, such as a function, no
 * schema speaks of: it is not checked.
 * @throws Error for a schema that cannot be checked by: a defect of the tool
 */
export async function parseByJsonSchema(schema: JsonObject, given: Filled): Promise<JsonSchemaParsed> {
  checkSchema(schema);
  const value = withDefaults(schema, given as JsonObject) as JsonObject;
  const beside = Object.keys(value).filter((name) => !isOfJson(value[name]));
  const [all, json] = [without(schema, beside), withoutNames(value, beside)];
  const [misfit] = await misfitsBeside(all, json, limits.outputCheckTime.most);
  return misfit === undefined ? { ok: true, value } : refused(misfit);
}

const checked = new WeakSet<JsonObject>();

function checkSchema(schema: JsonObject): void {
  if (checked.has(schema)) return;
  const problem = schemaProblem(schema);
  if (problem !== undefined) throw new Error(`the JSON Schema of its arguments cannot be used: ${problem}`);
  checked.add(schema);
}

function refused({ at, what }: Misfit): JsonSchemaParsed {
  const names = at.split("/").slice(1).map(unescaped);
  const place = names.length === 0 ? "" : `${names.join(".")}: `;
  return { ok: false, at: names[0], message: `${place}${what}` };
}

const unescaped = (name: string): string => name.replaceAll("~1", "/").replaceAll("~0", "~");

const isOfJson = (value: unknown): boolean => !["function", "bigint", "symbol", "undefined"].includes(typeof value);

const withoutNames = (value: JsonObject, names: readonly string[]): JsonObject =>
  names.length === 0 ? value : Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** The same schema where nothing is left out, so that what is worked out of it is kept. */
function without(schema: JsonObject, names: readonly string[]): JsonObject {
  const { required } = schema;
  if (names.length === 0 || !Array.isArray(required)) return schema;
  return { ...schema, required: required.filter((name) => !names.includes(String(name))) };
}

/** A default stands where nothing was given, in objects and lists of any depth whose schema names their parts. */
function withDefaults(schema: Json | undefined, value: Json): Json {
  if (!isJsonObject(schema)) return value;
  const { properties, items } = schema;
  if (Array.isArray(value)) return isJsonObject(items) ? value.map((item) => withDefaults(items, item)) : value;
  if (!isJsonObject(value) || !isJsonObject(properties)) return value;
  const added = Object.entries(properties).flatMap(([name, field]): [string, Json][] => {
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    if (own !== undefined) return [[name, withDefaults(field, own)]];
    const preset = isJsonObject(field) ? field["default"] : undefined;
    return preset === undefined ? [] : [[name, structuredClone(preset)]];
  });
  return { ...value, ...Object.fromEntries(added) };
}
