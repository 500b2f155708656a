import type { ZodError, z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { nearestName } from "../../core/nearest-name.ts";
import { alternatives, fieldOf, fittingOptions, resolveRef } from "./coerce.ts";

/** Unknown names are told with at most this many known ones. */
const namesShown = 40;

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

export function unknownName(name: string, known: readonly string[], at = ""): string {
  const nearest = nearestName(name, known);
  const where = at === "" ? "" : ` in ${at}`;
  const names = known.length === 0 ? "there are no arguments" : `known: ${known.slice(0, namesShown).join(", ")}`;
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return `unknown argument ${clip(name)}${where} (${names})${hint}`;
}

type Issue = z.core.$ZodIssue;

/** One line for all that a schema refused: each field, what was given and what is wanted; three at most. */
export function explainIssues(error: ZodError, given: Json): string {
  const told = error.issues.slice(0, 3).map((issue) => explain(issue, given));
  const more = error.issues.length - told.length;
  return told.join("; ") + (more > 0 ? `; and ${more} more` : "");
}

function explain(issue: Issue, given: Json): string {
  const value = valueAt(given, issue.path);
  const name = fieldName(issue.path);
  const wanted = wantedBy(issue);
  if (issue.code === "unrecognized_keys") return `${name}: unknown keys ${issue.keys.map(clip).join(", ")}`;
  if (value === undefined && wanted.is) return `${name} is missing: ${wanted.text} is wanted`;
  if (value === undefined) return `${name} is missing: ${wanted.text}`;
  return wanted.is
    ? `${name} must be ${wanted.text}, but ${describe(value)} was given`
    : `${name}: ${wanted.text} (${describe(value)} was given)`;
}

const kinds: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
  null: "null",
};

/** What would be right: `is` where the text names a kind of value, else it is a sentence of the schema's own. */
function wantedBy(issue: Issue): { is: boolean; text: string } {
  switch (issue.code) {
    case "invalid_type":
      return { is: true, text: kinds[issue.expected] ?? issue.expected };
    case "invalid_value":
      return { is: true, text: oneOf(issue.values.map((value) => JSON.stringify(value))) };
    case "too_small":
    case "too_big":
      return boundOf(issue);
    case "invalid_union":
      return unionOf(issue);
    default:
      return { is: false, text: issue.message };
  }
}

function boundOf(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): { is: boolean; text: string } {
  const small = issue.code === "too_small";
  const limit = small ? issue.minimum : issue.maximum;
  const units: Record<string, string> = { string: " characters long", array: " items long", set: " items long" };
  const unit = units[issue.origin];
  if (unit === undefined && issue.origin !== "number" && issue.origin !== "int")
    return { is: false, text: issue.message };
  const strict = issue.inclusive === false;
  const bound = small ? (strict ? "more than" : "at least") : strict ? "less than" : "at most";
  return { is: true, text: `${bound} ${limit}${unit ?? ""}` };
}

function unionOf(issue: z.core.$ZodIssueInvalidUnion): { is: boolean; text: string } {
  const options = issue.errors.map((errors) => errors.find((error) => error.path.length === 0));
  const texts = options.map((option) => (option === undefined ? undefined : wantedBy(option)));
  if (texts.length === 0 || !texts.every((text) => text?.is)) return { is: false, text: issue.message };
  return { is: true, text: oneOf([...new Set(texts.map((text) => text?.text ?? ""))]) };
}

const oneOf = (names: string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;

function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the arguments";
  return path.map((key, i) => (typeof key === "number" ? `[${key}]` : `${i > 0 ? "." : ""}${String(key)}`)).join("");
}

function valueAt(given: Json, path: readonly PropertyKey[]): Json | undefined {
  return path.reduce<Json | undefined>((at, key) => {
    if (Array.isArray(at)) return typeof key === "number" ? at[key] : undefined;
    return isJsonObject(at) && typeof key === "string" && Object.hasOwn(at, key) ? at[key] : undefined;
  }, given);
}

/** A value in a message: its kind and its beginning. */
export function describe(value: Json): string {
  if (value === null) return "null";
  if (typeof value === "string") return value === "" ? "an empty string" : `the string ${clip(value)}`;
  if (typeof value === "object") return `${Array.isArray(value) ? "the array" : "the object"} ${clip(value)}`;
  return String(value);
}

function clip(value: Json): string {
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, 200) : value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
