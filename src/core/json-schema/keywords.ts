import { isJsonObject, type Json, type JsonObject } from "../json.ts";

/** The form that the value of a keyword must have. */
type Form =
  | "schema"
  | "schemas"
  | "named schemas"
  | "schema or schemas"
  | "number"
  | "bound"
  | "count"
  | "text"
  | "pattern"
  | "names"
  | "named names"
  | "list"
  | "yes or no"
  | "types"
  | "anything";

/** The keywords that are checked: those of draft 7 and 2020-12, without what is refused below. All others only describe. */
const forms: ReadonlyMap<string, Form> = new Map(
  (
    [
      ["text", ["$ref"]],
      ["types", ["type"]],
      ["list", ["enum"]],
      ["anything", ["const"]],
      ["schemas", ["allOf", "anyOf", "oneOf", "prefixItems"]],
      ["schema or schemas", ["items"]],
      ["schema", ["not", "if", "then", "else", "additionalProperties", "propertyNames", "additionalItems", "contains"]],
      ["schema", ["unevaluatedProperties", "unevaluatedItems"]],
      ["named schemas", ["$defs", "definitions", "properties", "patternProperties", "dependentSchemas"]],
      ["names", ["required"]],
      ["named names", ["dependentRequired"]],
      ["count", ["minProperties", "maxProperties", "minItems", "maxItems", "minContains", "maxContains"]],
      ["count", ["minLength", "maxLength"]],
      ["yes or no", ["uniqueItems"]],
      ["pattern", ["pattern"]],
      ["number", ["minimum", "maximum", "multipleOf"]],
      ["bound", ["exclusiveMinimum", "exclusiveMaximum"]],
    ] as [Form, string[]][]
  ).flatMap(([form, names]) => names.map((name) => [name, form])),
);

/** Keywords that would have to be checked and are not: to pass over them would let through values that the schema refuses. */
const refused = ["$dynamicRef", "$dynamicAnchor"];

/** By its name, which older schemas bear. */
export const isDraft4 = (schema: JsonObject): boolean =>
  typeof schema["$schema"] === "string" && schema["$schema"].includes("draft-04");

const types = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);

/**
 * Returns the problem with a JSON Schema, and its place, as a sentence for whoever wrote it; undefined for one that can be checked by. Nothing
 * outside of it is looked up: a reference leads to another place in it.
 */
export function schemaProblem(schema: Json): string | undefined {
  if (!isJsonObject(schema)) return "a schema is a JSON object";
  const names = Object.keys(schema);
  const says = names.some((name) => forms.has(name) || refused.includes(name) || name.startsWith("$"));
  if (names.length > 0 && !says) return "no keyword of JSON Schema is in it";
  return problemIn(schema, "", schema);
}

function problemIn(schema: Json, at: string, root: JsonObject): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isJsonObject(schema)) return `${at}: a schema is an object, true or false`;
  for (const [name, value] of Object.entries(schema)) {
    const place = `${at}/${name}`;
    if (refused.includes(name)) return `${place}: this keyword cannot be checked here`;
    const form = forms.get(name);
    const problem = name === "$ref" ? refProblem(value, place, root) : form && formProblem(form, value, place, root);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The forms that hold no schemas: what a value of them is, and how that is said. */
const plain: Readonly<Record<Exclude<Form, `${string}schema${string}`>, readonly [(value: Json) => boolean, string]>> =
  {
    number: [(value) => typeof value === "number", "a number"],
    bound: [(value) => typeof value === "number", "a number"],
    count: [(value) => Number.isInteger(value) && Number(value) >= 0, "a whole number of 0 or more"],
    text: [(value) => typeof value === "string", "text"],
    pattern: [(value) => typeof value === "string" && isPattern(value), "a pattern of JavaScript"],
    names: [(value) => isNames(value), "a list of names"],
    "named names": [
      (value) => isJsonObject(value) && Object.values(value).every(isNames),
      "an object of lists of names",
    ],
    list: [(value) => Array.isArray(value), "a list"],
    "yes or no": [(value) => typeof value === "boolean", "true or false"],
    types: [(value) => listed(value).every(isType), `one of ${[...types].join(", ")}, or a list of these`],
    anything: [() => true, "anything"],
  };

const listed = (value: Json): Json[] => (Array.isArray(value) ? value : [value]);
const isType = (name: Json): boolean => typeof name === "string" && types.has(name);

function formProblem(form: Form, value: Json, at: string, root: JsonObject): string | undefined {
  switch (form) {
    case "schema":
      return problemIn(value, at, root);
    case "schema or schemas":
      return Array.isArray(value) ? firstProblem(Object.entries(value), at, root) : problemIn(value, at, root);
    case "schemas":
      if (!Array.isArray(value) || value.length === 0) return `${at}: it has to be a list of schemas`;
      return firstProblem(Object.entries(value), at, root);
    case "named schemas":
      if (!isJsonObject(value)) return `${at}: it has to be an object of schemas`;
      return patternProblem(Object.keys(value), at) ?? firstProblem(Object.entries(value), at, root);
    default: {
      // Draft 4 says by true or false whether the bound itself is excluded.
      if (form === "bound" && typeof value === "boolean" && isDraft4(root)) return undefined;
      const [fits, wanted] = plain[form];
      return fits(value) ? undefined : `${at}: it has to be ${wanted}`;
    }
  }
}

function firstProblem(schemas: readonly [string, Json][], at: string, root: JsonObject): string | undefined {
  for (const [name, schema] of schemas) {
    const problem = problemIn(schema, `${at}/${name}`, root);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function patternProblem(names: readonly string[], at: string): string | undefined {
  const wrong = at.endsWith("/patternProperties") ? names.find((name) => !isPattern(name)) : undefined;
  return wrong === undefined ? undefined : `${at}: ${JSON.stringify(wrong)} is no pattern of JavaScript`;
}

const isNames = (value: Json): boolean => Array.isArray(value) && value.every((name) => typeof name === "string");

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, "u"); // as the standard asks
    return true;
  } catch {
    return false;
  }
}

function refProblem(ref: Json, at: string, root: JsonObject): string | undefined {
  if (typeof ref !== "string") return `${at}: it has to be text`;
  if (!ref.startsWith("#"))
    return `${at}: ${JSON.stringify(ref)} leads out of the schema, and nothing else is read: copy it into $defs`;
  const seen = new Set<string>();
  for (let next: Json | undefined = ref; typeof next === "string"; ) {
    if (seen.has(next)) return `${at}: the references go round in a circle`;
    seen.add(next);
    const found: Json | undefined = referred(next, root);
    if (found === undefined || (!isJsonObject(found) && typeof found !== "boolean"))
      return `${at}: there is no schema at ${JSON.stringify(next)}`;
    next = isJsonObject(found) ? found["$ref"] : undefined;
  }
  return undefined;
}

/** Returns the value at `#/a/b` of a schema; undefined where there is none. */
function referred(ref: string, root: JsonObject): Json | undefined {
  if (ref !== "#" && !ref.startsWith("#/")) return undefined;
  return ref
    .slice(1)
    .split("/")
    .slice(1)
    .reduce<Json | undefined>((at, step) => {
      const name = unescaped(step);
      if (Array.isArray(at)) return /^\d+$/.test(name) ? at[Number(name)] : undefined;
      return isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    }, root);
}

function unescaped(step: string): string {
  const text = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
