import type { ZodError, z } from "zod";
import { isJsonObject, type Json } from "../../core/json.ts";
import { nearestName } from "../../core/nearest-name.ts";

/** Unknown names are told with at most this many known ones. */
const namesShown = 40;

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

/** Describes a right value: `is` where the text names a kind of value, else it is a sentence of the schema's own. */
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
