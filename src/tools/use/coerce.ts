import { inexactWords } from "../../core/exact-number.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { readExactJson } from "../../core/strict-json.ts";

/**
 * `value` with each wrong type that has one obvious reading replaced by that reading, as the schema wants it: "true", "12",
 * an array or object written as JSON text, one value where an array is wanted, null for a field that may be absent.
 * Whatever has no such reading is left as it is, for the validation to refuse. `root` holds the definitions.
 */
export function coerce(value: Json, schema: Json | undefined, root: JsonObject): Json {
  const wanted = resolveRef(schema, root);
  if (!isJsonObject(wanted)) return value;
  const options = alternatives(wanted);
  if (options !== undefined) return coerceToOne(value, options, root);
  if (Array.isArray(wanted["allOf"])) return wanted["allOf"].reduce<Json>((v, part) => coerce(v, part, root), value);
  const types = typesOf(wanted);
  const read = types.length === 0 || types.some((type) => isOf(value, type)) ? value : reading(value, types);
  if (Array.isArray(read) && types.includes("array")) return read.map((item) => coerce(item, wanted["items"], root));
  if (isJsonObject(read) && types.includes("object")) return coerceFields(read, wanted, root);
  return read;
}

function coerceFields(value: JsonObject, schema: JsonObject, root: JsonObject): JsonObject {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const kept = Object.entries(value).filter(
    ([name, item]) => item !== null || required.includes(name) || acceptsNull(fieldOf(properties, name), root),
  );
  const other = schema["additionalProperties"];
  return Object.fromEntries(kept.map(([name, item]) => [name, coerce(item, fieldOf(properties, name) ?? other, root)]));
}

/** The schema of a named field; not what the prototype of an object happens to have under that name. */
export const fieldOf = (properties: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;

/** A field that the schema does not name, or that takes anything, takes null too. */
function acceptsNull(schema: Json | undefined, root: JsonObject): boolean {
  const wanted = resolveRef(schema, root);
  if (!isJsonObject(wanted)) return true;
  const options = alternatives(wanted);
  if (options !== undefined) return options.some((option) => acceptsNull(option, root));
  if (wanted["const"] === null || (Array.isArray(wanted["enum"]) && wanted["enum"].includes(null))) return true;
  const types = typesOf(wanted);
  return types.length === 0 || types.includes("null");
}

/** An alternative that fits as it is wins; else the one reading, if only one alternative gives one. */
function coerceToOne(value: Json, options: Json[], root: JsonObject): Json {
  const fitting = fullest(value, fittingOptions(value, options, root), root);
  if (fitting.length > 0) return fitting.length === 1 ? coerce(value, fitting[0], root) : value;
  const readings = options
    .map((option) => coerce(value, option, root))
    .filter((read) => read !== value && !isWrapped(value, read));
  return readings.length === 1 ? (readings[0] as Json) : value;
}

/** Of several object alternatives those whose required fields are all there, if any. */
function fullest(value: Json, options: Json[], root: JsonObject): Json[] {
  if (options.length < 2 || !isJsonObject(value)) return options;
  const full = options.filter((option) => {
    const wanted = resolveRef(option, root);
    const required = isJsonObject(wanted) && Array.isArray(wanted["required"]) ? wanted["required"] : [];
    return required.every((name) => typeof name === "string" && Object.hasOwn(value, name));
  });
  return full.length > 0 ? full : options;
}

/** Any value can be put into an array: among alternatives that is no obvious reading. */
function isWrapped(value: Json, read: Json): boolean {
  if (!Array.isArray(read) || Array.isArray(value)) return false;
  return typeof value !== "string" || !value.trimStart().startsWith("[") || read[0] === value;
}

/** The alternatives whose type the value has already; of objects, those whose constants it carries. */
export function fittingOptions(value: Json, options: Json[], root: JsonObject): Json[] {
  return options.filter((option) => {
    const wanted = resolveRef(option, root);
    if (!isJsonObject(wanted)) return true;
    const nested = alternatives(wanted);
    if (nested !== undefined) return fittingOptions(value, nested, root).length > 0;
    const types = typesOf(wanted);
    if (types.length > 0 && !types.some((type) => isOf(value, type))) return false;
    return !isJsonObject(value) || carriesConstants(value, wanted);
  });
}

function carriesConstants(value: JsonObject, schema: JsonObject): boolean {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  return Object.entries(properties).every(
    ([name, field]) =>
      !isJsonObject(field) || !("const" in field) || !Object.hasOwn(value, name) || field["const"] === value[name],
  );
}

export function alternatives(schema: JsonObject): Json[] | undefined {
  const options = schema["anyOf"] ?? schema["oneOf"];
  return Array.isArray(options) ? options : undefined;
}

export function resolveRef(schema: Json | undefined, root: JsonObject): Json | undefined {
  let found = schema;
  for (let hops = 0; hops < 20 && isJsonObject(found) && typeof found["$ref"] === "string"; hops++) {
    found = target(found["$ref"], root);
  }
  return found;
}

function target(ref: string, root: JsonObject): Json | undefined {
  if (!ref.startsWith("#")) return undefined;
  const steps = ref.slice(1).split("/").filter(Boolean);
  return steps.reduce<Json | undefined>((at, step) => {
    const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    return isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, root);
}

function typesOf(schema: JsonObject): string[] {
  const type = schema["type"];
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((name) => typeof name === "string");
  const constants = Array.isArray(schema["enum"]) ? schema["enum"] : "const" in schema ? [schema["const"]] : [];
  return [...new Set(constants.map((item) => (item === null ? "null" : typeof item)))];
}

function isOf(value: Json, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isJsonObject(value);
  if (type === "integer") return typeof value === "number" && Number.isInteger(value);
  return typeof value === type;
}

/** The obvious reading of a value that has none of the wanted types; the value itself where there is none. */
function reading(value: Json, types: string[]): Json {
  for (const type of types) {
    const read = readAs(value, type);
    if (read !== undefined) return read;
  }
  return value;
}

const readers: Record<string, (text: string) => Json | undefined> = {
  boolean: (text) => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined),
  number: readNumber,
  integer: (text) => {
    const read = readNumber(text);
    return Number.isInteger(read) ? read : undefined;
  },
  object: (text) => {
    const read = text.trimStart().startsWith("{") ? readExactJson(text) : undefined;
    return read?.ok && isJsonObject(read.value) ? read.value : undefined;
  },
};

function readAs(value: Json, type: string): Json | undefined {
  if (type === "array") return readArray(value);
  return typeof value === "string" ? readers[type]?.(value) : undefined;
}

function readArray(value: Json): Json | undefined {
  if (value === null) return undefined;
  const read = typeof value === "string" && value.trimStart().startsWith("[") ? readExactJson(value) : undefined;
  return read?.ok && Array.isArray(read.value) ? read.value : [value];
}

/** A number as JSON writes it; not one that would lose digits. */
function readNumber(text: string): number | undefined {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return undefined;
  const read = Number(text);
  if (inexactWords(text) !== undefined) return undefined;
  return Number.isInteger(read) && !Number.isSafeInteger(read) ? undefined : read;
}
