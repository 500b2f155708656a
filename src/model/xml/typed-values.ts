import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { type Read, readExactJson } from "../../core/strict-json.ts";
import { resolveRef } from "../../tools/use/coerce.ts";
import type { ToolSchema } from "../../tools/use/schema.ts";

const typeNames = ["string", "integer", "number", "boolean", "null", "array", "object"] as const;
type TypeName = (typeof typeNames)[number];

/** The parameters of a tool by name, those of its alternatives too. */
export function parametersOf({ parameters }: ToolSchema): Map<string, Json> {
  const found = new Map<string, Json>();
  for (const [name, field] of fieldsIn(parameters, parameters, 0)) {
    const known = found.get(name);
    found.set(name, known === undefined ? field : { anyOf: [known, field] });
  }
  return found;
}

function fieldsIn(schema: Json | undefined, root: JsonObject, depth: number): [string, Json][] {
  const wanted = resolveRef(schema, root);
  if (!isJsonObject(wanted) || depth > 20) return [];
  const own = isJsonObject(wanted["properties"]) ? Object.entries(wanted["properties"]) : [];
  const parts = [wanted["anyOf"], wanted["oneOf"], wanted["allOf"]].flatMap((part) =>
    Array.isArray(part) ? part : [],
  );
  return [...own, ...parts.flatMap((part) => fieldsIn(part, root, depth + 1))];
}

/** The schema of one parameter; undefined where the tool has none of this name. */
export function parameterOf(tool: ToolSchema, name: string): Json | undefined {
  const known = fields.get(tool) ?? parametersOf(tool);
  fields.set(tool, known);
  return known.get(name);
}

const fields = new WeakMap<ToolSchema, Map<string, Json>>();

/** The types that a schema accepts, as far as it says so; all of them where it does not. */
export function typesOf(schema: Json | undefined, root: JsonObject, depth = 0): ReadonlySet<TypeName> {
  const wanted = resolveRef(schema, root);
  if (!isJsonObject(wanted) || depth > 20) return new Set(typeNames);
  const options = wanted["anyOf"] ?? wanted["oneOf"];
  if (Array.isArray(options)) return new Set(options.flatMap((one) => [...typesOf(one, root, depth + 1)]));
  const parts = wanted["allOf"];
  if (Array.isArray(parts)) {
    const each = parts.map((part) => typesOf(part, root, depth + 1));
    return new Set(typeNames.filter((name) => each.every((types) => types.has(name))));
  }
  const { type } = wanted;
  const named = typeNames.filter((name) => type === name || (Array.isArray(type) && type.includes(name)));
  if (named.length > 0) return new Set(named);
  const constants = Array.isArray(wanted["enum"]) ? wanted["enum"] : "const" in wanted ? [wanted["const"]] : undefined;
  return new Set(constants === undefined ? typeNames : constants.map(typeOf));
}

const typeOf = (value: Json): TypeName => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as "string" | "number" | "boolean" | "object";
};

/** Tells whether text is taken as it stands: no other type is possible. */
export const isTextOnly = (types: ReadonlySet<TypeName>): boolean => types.size === 1 && types.has("string");

/**
 * The value that a text has by its schema. Where text is one of several types, text that is JSON of another type is that, and
 * JSON of a string is that string.
 */
export function readTyped(text: string, types: ReadonlySet<TypeName>): Read<Json> {
  if (isTextOnly(types)) return { ok: true, value: text };
  const read = readJson(text.trim(), types);
  if (read.ok && isOneOf(read.value, types)) return read;
  if (types.has("string")) return { ok: true, value: text };
  return {
    ok: false,
    message: `${wantedText(types)} is wanted, ${read.ok ? "but this is another type" : `and this is ${read.message}`}`,
  };
}

function readJson(text: string, types: ReadonlySet<TypeName>): Read<Json> {
  if (types.has("boolean") && /^(true|false)$/i.test(text)) return { ok: true, value: text.toLowerCase() === "true" };
  return readExactJson(text);
}

function isOneOf(value: Json, types: ReadonlySet<TypeName>): boolean {
  if (typeof value !== "number") return types.has(typeOf(value));
  return types.has("number") || (types.has("integer") && Number.isInteger(value));
}

/** The text that `readTyped` reads back as this value. */
export function writeTyped(value: Json, types: ReadonlySet<TypeName>): string {
  if (typeof value !== "string") return JSON.stringify(value);
  if (!types.has("string")) return value;
  const read = readTyped(value, types);
  return read.ok && read.value === value ? value : JSON.stringify(value);
}

const wantedWords: Record<TypeName, string> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  null: "null",
  array: "a JSON array",
  object: "a JSON object",
};

const wantedText = (types: ReadonlySet<TypeName>): string =>
  typeNames
    .filter((name) => types.has(name))
    .map((name) => wantedWords[name])
    .join(" or ");
