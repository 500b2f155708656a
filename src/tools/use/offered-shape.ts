import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { resolveRef } from "./coerce.ts";
import type { ToolSchema } from "./schema.ts";

/*
 * What servers of models refuse, and with it the whole request: OpenAI's a schema with `oneOf`, `anyOf`, `allOf`, `enum`, `const` or `not` at its top, and lists
 * that do not say of what; Anthropic's `oneOf`, `anyOf` or `allOf` there, and names of arguments with other signs than letters, digits, `_`, `.` and `-`, or more
 * than 64 of them. Calls are checked by the schema that the tool has.
 */

const alternative = ["anyOf", "oneOf"] as const;
const folded = [...alternative, "allOf"] as const;
const refused = new Set<string>([...folded, "enum", "const", "not", "$ref"]);
const takenName = /^[\w.-]{1,64}$/;

/** So much of what the form cannot say is told in words, in characters. */
const mostWords = 4_000;

// Keeps tools 19.
/** The same as all servers of models take it. */
export function offeredSchema(schema: ToolSchema): ToolSchema {
  const known = offeredBefore.get(schema);
  if (known !== undefined) return known;
  const parameters = offeredShape(schema.parameters);
  const made = canonicalJson(parameters) === canonicalJson(schema.parameters) ? schema : { ...schema, parameters };
  offeredBefore.set(schema, made);
  return made;
}

/** Each request asks for it, and what is worked out of it is kept by the object. */
const offeredBefore = new WeakMap<ToolSchema, ToolSchema>();

/** Returns the form of a schema that is offered; rules that the form cannot say are told in words. @param schema of an object */
export function offeredShape(schema: JsonObject): JsonObject {
  const whole = Object.keys(schema).some((key) => refused.has(key)) ? foldedShape(schema) : schema;
  return withItems(withTakenNames(whole)) as JsonObject;
}

/** One object in the place of alternatives and parts: all that they name, and required what each way of reading them requires. */
function foldedShape(schema: JsonObject): JsonObject {
  const { properties, required, isClosed } = partOf(schema, schema, new Set());
  const kept = Object.entries(schema).filter(([key]) => !refused.has(key));
  const left = Object.entries(schema).filter(([key]) => refused.has(key));
  const { additionalProperties: _, required: __, ...rest } = Object.fromEntries(kept);
  return withWords(
    {
      ...rest,
      type: "object",
      properties: Object.fromEntries(Object.entries(properties).map(([name, all]) => [name, oneOf(all)])),
      ...(required.length === 0 ? {} : { required }),
      ...(isClosed ? { additionalProperties: false } : {}),
    },
    "The arguments have to fit this too",
    Object.fromEntries(left),
  );
}

interface Part {
  /** By name, each schema that one of the parts has for it. */
  properties: Record<string, Json[]>;
  required: string[];
  /** No other names are taken, whichever part is meant. */
  isClosed: boolean;
}

function partOf(given: Json | undefined, root: JsonObject, above: ReadonlySet<Json>): Part {
  const schema = resolveRef(given, root);
  if (!isJsonObject(schema) || above.has(schema)) return { properties: {}, required: [], isClosed: schema === false };
  const seen = new Set([...above, schema]);
  const partsOf = (key: string): Part[] => listed(schema[key]).map((one) => partOf(one, root, seen));
  const [any, one, all] = folded.map(partsOf) as [Part[], Part[], Part[]];
  const own: Record<string, Json> = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const properties: Part["properties"] = Object.create(null);
  const add = (name: string, all: readonly Json[]): void => {
    properties[name] = [...(properties[name] ?? []), ...all];
  };
  for (const [name, field] of Object.entries(own)) add(name, [field]);
  for (const part of [...any, ...one, ...all])
    for (const [name, fields] of Object.entries(part.properties)) add(name, fields);
  const required = new Set<string>([
    ...listed(schema["required"]).filter((name) => typeof name === "string"),
    ...all.flatMap((part) => part.required),
    ...inEach(any),
    ...inEach(one),
  ]);
  const others = [any, one].filter(({ length }) => length > 0);
  const isClosed =
    schema["additionalProperties"] === false ||
    all.some((part) => part.isClosed) ||
    others.some((parts) => parts.every((part) => part.isClosed));
  return { properties, required: [...required], isClosed };
}

const inEach = ([first, ...others]: readonly Part[]): string[] =>
  first?.required.filter((name) => others.every(({ required }) => required.includes(name))) ?? [];

const listed = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** Makes the schema of a value that may be any of these. */
function oneOf(all: readonly Json[]): Json {
  const apart = [...new Map(all.map((one) => [canonicalJson(one), one])).values()];
  return apart.length === 1 ? (apart[0] ?? {}) : { anyOf: apart };
}

function withTakenNames(schema: JsonObject): JsonObject {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return schema;
  const left = Object.entries(properties).filter(([name]) => !takenName.test(name));
  if (left.length === 0) return schema;
  const taken = Object.entries(properties).filter(([name]) => takenName.test(name));
  const wanted = listed(required).filter(
    (name) => Object.hasOwn(properties, String(name)) && takenName.test(String(name)),
  );
  const { additionalProperties: _, required: __, ...rest } = schema;
  const open = {
    ...rest,
    properties: Object.fromEntries(taken),
    ...(wanted.length === 0 ? {} : { required: wanted }),
    additionalProperties: true,
  };
  const among = listed(required).filter((name) => left.some(([one]) => one === name));
  return withWords(open, "Further arguments are", {
    properties: Object.fromEntries(left),
    ...(among.length === 0 ? {} : { required: among }),
  });
}

/** In its description, where it is not far too long. */
function withWords(schema: JsonObject, words: string, what: JsonObject): JsonObject {
  const text = `${words}: ${JSON.stringify(what)}`;
  if (Object.keys(what).length === 0 || text.length > mostWords) return schema;
  const { description } = schema;
  return { ...schema, description: typeof description === "string" ? `${description}\n${text}` : text };
}

/** The keys under which a schema keeps values, not schemas. */
const literal = new Set(["enum", "const", "default", "examples", "required"]);
/** The keys under which it keeps schemas by names. */
const maps = new Set(["properties", "definitions", "$defs", "patternProperties", "dependentSchemas"]);

/** The same where each list says of what it is one. */
function withItems(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withItems);
  if (!isJsonObject(schema)) return schema;
  const made: JsonObject = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, literal.has(key) ? value : within(key, value)]),
  );
  const { items } = made;
  if (Array.isArray(items)) return { ...made, items: oneOf(items) };
  const isList = made["type"] === "array" || listed(made["type"]).includes("array");
  return isList && items === undefined ? { ...made, items: {} } : made;
}

const within = (key: string, value: Json): Json =>
  maps.has(key) && isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withItems(one)]))
    : withItems(value);
