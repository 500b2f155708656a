import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { unknownName } from "./argument-errors.ts";
import { alternatives, fieldOf, fittingOptions, resolveRef } from "./coerce.ts";

/** The names of a call's arguments as their schema has them, over all of its alternatives and parts. */
export interface Fields {
  names: ReadonlySet<string>;
  /** By one of the alternatives at least. */
  required: ReadonlySet<string>;
  /** Other names are taken too. */
  isOpen: boolean;
}

const combined = ["anyOf", "oneOf", "allOf"] as const;

export function fieldsOf(shape: JsonObject): Fields {
  const known = fieldsKnown.get(shape);
  if (known !== undefined) return known;
  const made = readFields(shape);
  fieldsKnown.set(shape, made);
  return made;
}

/** A schema does not change, and each call needs it. */
const fieldsKnown = new WeakMap<JsonObject, Fields>();

function readFields(shape: JsonObject): Fields {
  const plain = plainParts(shape, shape, new Set());
  return {
    names: new Set(plain.flatMap((part) => Object.keys(propertiesOf(part)))),
    required: new Set(plain.flatMap(requiredOf)),
    isOpen: plain.some(({ additionalProperties: other, properties }) =>
      other === undefined ? properties === undefined : other !== false,
    ),
  };
}

/** The objects that a value may be or is made of: references followed, alternatives and parts laid out. */
function plainParts(part: Json | undefined, root: JsonObject, above: ReadonlySet<Json>): JsonObject[] {
  const schema = resolveRef(part, root);
  if (!isJsonObject(schema) || above.has(schema)) return [];
  const inner = combined.flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : []));
  const seen = new Set([...above, schema]);
  const own = inner.length === 0 || schema["properties"] !== undefined ? [schema] : [];
  return [...own, ...inner.flatMap((one) => plainParts(one, root, seen))];
}

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isJsonObject(properties) ? properties : {});

const requiredOf = ({ required }: JsonObject): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];

/**
 * The schema of what the model is told of: nothing in it is of a hidden field, and none is required that is filled in where it is
 * absent.
 */
export function visibleShape(tool: Pick<Tool, "hidden" | "inject">, shape: JsonObject): JsonObject {
  const last = lastSeen.get(tool);
  if (last?.shape === shape) return last.seen;
  const seen = seenOf(tool, shape);
  lastSeen.set(tool, { shape, seen });
  return seen;
}

/** Each request and each call asks for it. */
const lastSeen = new WeakMap<object, { shape: JsonObject; seen: JsonObject }>();

function seenOf({ hidden = [], inject = {} }: Pick<Tool, "hidden" | "inject">, shape: JsonObject): JsonObject {
  const telling = { hidden: new Set(hidden), filled: new Set(Object.keys(inject)), root: shape };
  const seen = told(shape, telling, new Set());
  const whole = { ...seen, type: "object", properties: propertiesOf(seen) };
  if (hidden.length === 0) return whole;
  const ofArguments = new Set<Json>(plainParts(shape, shape, new Set()));
  return withUsedDefinitions(whole, (one) =>
    isJsonObject(one) && ofArguments.has(one) ? told(one, telling, new Set()) : one,
  );
}

interface Telling {
  hidden: ReadonlySet<string>;
  filled: ReadonlySet<string>;
  root: JsonObject;
}

/** One of the objects that the arguments may be, or are made of. */
function told(part: JsonObject, telling: Telling, above: ReadonlySet<Json>): JsonObject {
  const schema = followed(part, telling.root);
  const { hidden, filled } = telling;
  const { required: _, default: preset, examples, ...rest } = schema;
  const wanted = requiredOf(schema).filter((name) => !hidden.has(name) && !filled.has(name));
  const seen = new Set([...above, schema]);
  const inner = combined.flatMap((key) => {
    const options = schema[key];
    if (!Array.isArray(options)) return [];
    const isNew = (one: Json): one is JsonObject => isJsonObject(one) && !seen.has(followed(one, telling.root));
    return [[key, options.map((one) => (isNew(one) ? told(one, telling, seen) : one))] as const];
  });
  return {
    ...(hidden.size > 0 ? toldKeys(rest) : rest),
    // Whole arguments may be given as an example, with those that are hidden.
    ...(hidden.size > 0 || preset === undefined ? {} : { default: preset }),
    ...(hidden.size > 0 || examples === undefined ? {} : { examples }),
    ...(schema["properties"] === undefined ? {} : { properties: without(propertiesOf(schema), hidden) }),
    ...(wanted.length > 0 ? { required: wanted } : {}),
    ...Object.fromEntries(inner),
  };
}

/** The keys that say something of one field each, of others, or only of the whole: any other may tell of a hidden one. */
const harmless = new Set([
  ...["$schema", "$id", "$ref", "id", "type", "title", "description", "properties", "additionalProperties", "nullable"],
  ...["deprecated", "minProperties", "maxProperties", ...combined, "definitions", "$defs"],
]);

const toldKeys = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => harmless.has(key)));

/** The schema itself where it is only named, with what else is said beside the name. */
function followed(part: JsonObject, root: JsonObject): JsonObject {
  if (part["$ref"] === undefined) return part;
  const { $ref: _, ...beside } = part;
  const schema = resolveRef(part, root);
  return isJsonObject(schema) ? { ...beside, ...schema } : part;
}

const without = (object: JsonObject, names: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));

const definitionKeys = ["definitions", "$defs"] as const;

/** Without definitions that nothing names any more: they may be of what is hidden. */
function withUsedDefinitions(schema: JsonObject, seenFrom: (definition: Json) => Json): JsonObject {
  const kept = { ...schema };
  for (const key of definitionKeys) {
    const given = schema[key];
    if (!isJsonObject(given)) continue;
    const all: JsonObject = Object.fromEntries(Object.entries(given).map(([name, one]) => [name, seenFrom(one)]));
    const { [key]: _, ...rest } = schema;
    const used = new Set<string>();
    const look = (value: Json): void => {
      const named = [...JSON.stringify(value).matchAll(/"\$ref":"#\/(?:definitions|\$defs)\/((?:[^"\\]|\\.)*)"/g)];
      for (const [, name = ""] of named) {
        if (used.has(name)) continue;
        used.add(name);
        const next = all[name];
        if (next !== undefined) look(next);
      }
    };
    look(rest);
    kept[key] = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
    if (Object.keys(kept[key]).length === 0) delete kept[key];
  }
  return kept;
}

/**
 * The first argument that the schema does not name, at any depth, in words; undefined where there is none. zod leaves such
 * keys out of objects that are not strict, and what was written would silently not be what is done.
 */
export function unknownArgument(value: Json, schema: Json | undefined, root: JsonObject, at = ""): string | undefined {
  if (Array.isArray(value)) {
    const wanted = expand(value, schema, root).find((option) => isJsonObject(option["items"]));
    return first(value, (item, i) => unknownArgument(item, wanted?.["items"], root, `${at}[${i}]`));
  }
  if (!isJsonObject(value)) return undefined;
  const options = expand(value, schema, root);
  if (options.length === 0) return undefined;
  const fields: JsonObject = Object.assign(Object.create(null), ...options.map((option) => option["properties"] ?? {}));
  const open = options.find(isOpen);
  return first(Object.entries(value), ([name, item]) => {
    const field = fieldOf(fields, name);
    if (field === undefined && open === undefined) return unknownName(name, Object.keys(fields), at);
    return unknownArgument(item, field ?? open?.["additionalProperties"], root, at === "" ? name : `${at}.${name}`);
  });
}

/** Takes names it does not list: it says so, or lists none. */
function isOpen(schema: JsonObject): boolean {
  const other = schema["additionalProperties"];
  return other === undefined ? schema["properties"] === undefined : other !== false;
}

/** The plain object or array schemas that may stand for this value: references followed, alternatives and parts laid out. */
function expand(value: Json, schema: Json | undefined, root: JsonObject): JsonObject[] {
  const wanted = resolveRef(schema, root);
  if (!isJsonObject(wanted)) return [];
  const options = alternatives(wanted);
  if (options !== undefined) return fittingOptions(value, options, root).flatMap((o) => expand(value, o, root));
  if (Array.isArray(wanted["allOf"])) return wanted["allOf"].flatMap((part) => expand(value, part, root));
  return [wanted];
}

function first<T>(items: readonly T[], find: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
