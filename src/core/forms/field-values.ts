import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "../json.ts";
import type { FormChoice, FormField, TextFormat } from "./asked-form.ts";

type Read = { ok: true; value: Json | undefined } | { ok: false; message: string };

const bad = (message: string): Read => ({ ok: false, message });

/** Reads a typed text as the value of a field; undefined where an optional one is left empty. Messages are for whoever typed it. */
export function readField(field: FormField, typed: string): Read {
  const text = field.kind === "text" && field.format === undefined ? typed : typed.trim();
  if (text === "") return field.required ? bad("an answer is needed here") : { ok: true, value: undefined };
  const whole = field.kind === "choice" ? field.choices.find(({ value }) => value === typed)?.value : undefined;
  const value = whole ?? valueIn(field, text);
  if (value === undefined) return bad(wantedOf(field));
  const problem = fieldProblem(field, value);
  return problem === undefined ? { ok: true, value } : bad(problem);
}

/** Returns the text in an unanswered field: its default as it would be typed; empty where the typed text would not be read as just that. */
export function typedDefault(field: FormField): string {
  const text = typed(field);
  const read = readField(field, text);
  return read.ok && isDeepStrictEqual(read.value, field.default) ? text : "";
}

function typed(field: FormField): string {
  switch (field.kind) {
    case "text":
    case "choice":
      return field.default ?? "";
    case "number":
      return field.default === undefined ? "" : String(field.default);
    case "yes_no":
      return field.default === undefined ? "" : field.default ? "yes" : "no";
    case "choices":
      return (field.default ?? []).map((one) => wordOf(field.choices, one)).join(", ");
  }
}

const wordOf = (choices: readonly FormChoice[], value: string): string =>
  areNumbered(choices) ? String(choices.findIndex((choice) => choice.value === value) + 1) : value;

const place = /^\d{1,4}$/u;

/**
 * Tells whether choices can be known by their numbers in the list: not where one number is the words of another, for then nobody knows which of them
 * is meant.
 */
export const areNumbered = (choices: readonly FormChoice[]): boolean =>
  choices.every(({ value, title = value }, at) =>
    [value.trim(), title.trim()].every((word) => {
      const number = place.test(word) ? Number(word) : 0;
      return number === 0 || number > choices.length || number === at + 1;
    }),
  );

/** An amount as people and JSON write it. */
const amount = /^[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:e[+-]?\d{1,3})?$/iu;

function valueIn(field: FormField, text: string): Json | undefined {
  switch (field.kind) {
    case "text":
      return text;
    case "number":
      return amount.test(text) ? Number(text) : undefined;
    case "yes_no":
      return /^(?:y|yes|true)$/iu.test(text) ? true : /^(?:n|no|false)$/iu.test(text) ? false : undefined;
    case "choice":
      return chosen(field.choices, text);
    case "choices": {
      const all = text.split(",").flatMap((one) => (one.trim() === "" ? [] : [chosen(field.choices, one.trim())]));
      const known = all.filter((one) => one !== undefined);
      return known.length === all.length ? [...new Set(known)] : undefined;
    }
  }
}

/** By its value, by what is read in its place, else by its number in the list. */
function chosen(choices: readonly FormChoice[], text: string): string | undefined {
  const same = (one: string | undefined): boolean => one?.toLowerCase() === text.toLowerCase();
  const exact = choices.find(({ value }) => value === text) ?? choices.find(({ title }) => title === text);
  const named = exact ?? choices.find(({ value, title }) => same(title) || same(value));
  return (named ?? (place.test(text) && areNumbered(choices) ? choices[Number(text) - 1] : undefined))?.value;
}

const boundsOf = (field: FormField): { least?: number; most?: number } =>
  field.kind === "yes_no" || field.kind === "choice" ? {} : field;

/** Describes the value that is wanted in a field, in a few words; safe to draw. */
export function wantedOf(field: FormField): string {
  const { least, most } = boundsOf(field);
  const between = (unit: string): string =>
    least !== undefined && most !== undefined
      ? `, ${least} to ${most}${unit}`
      : least !== undefined
        ? `, at least ${least}${unit}`
        : most !== undefined
          ? `, at most ${most}${unit}`
          : "";
  switch (field.kind) {
    case "text":
      return `${field.format === undefined ? "text" : formats[field.format].words}${between(" characters")}`;
    case "number":
      return `${field.isWhole ? "a whole number" : "a number"}${between("")}`;
    case "yes_no":
      return "yes or no";
    case "choice":
      return `one of the list, by its ${areNumbered(field.choices) ? "number or its " : ""}words`;
    case "choices":
      return `some of the list, ${areNumbered(field.choices) ? "as 1, 3" : "by their words, with commas"}${between("")}`;
  }
}

/** Returns the problem with a value in a field, in words. */
function fieldProblem(field: FormField, value: Json): string | undefined {
  return fits(field, value) ? undefined : `wanted: ${wantedOf(field)}`;
}

function fits(field: FormField, value: Json): boolean {
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } = boundsOf(field);
  const within = (size: number): boolean => size >= least && size <= most;
  switch (field.kind) {
    case "text":
      return typeof value === "string" && within([...value].length) && isOf(field.format, value);
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) return false;
      return within(value) && (!field.isWhole || Number.isSafeInteger(value));
    case "yes_no":
      return typeof value === "boolean";
    case "choice":
      return field.choices.some((choice) => choice.value === value);
    case "choices":
      return (
        Array.isArray(value) &&
        within(value.length) &&
        new Set(value).size === value.length &&
        value.every((one) => field.choices.some((choice) => choice.value === one))
      );
  }
}

const day = /^(\d{4})-(\d\d)-(\d\d)$/u;

function isDay(text: string): boolean {
  const [, year, month, date] = day.exec(text) ?? [];
  if (year === undefined) return false;
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)));
  return at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(date);
}

/** RFC 3339. */
const time = /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/iu;

const formats: Record<TextFormat, { words: string; is(text: string): boolean }> = {
  email: {
    words: "an email address",
    is: (text) => text.length <= 254 && /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)*$/u.test(text),
  },
  uri: { words: "a web address or another URI", is: (text) => !/\s/u.test(text) && URL.canParse(text) },
  date: { words: "a date such as 2026-11-27", is: isDay },
  "date-time": {
    words: "a time such as 2026-11-27T10:30:00Z",
    is: (text) => /^.{10}[tT ]/u.test(text) && isDay(text.slice(0, 10)) && time.test(text.slice(11)),
  },
};

const isOf = (format: TextFormat | undefined, text: string): boolean =>
  format === undefined || formats[format].is(text);

/** Returns the problem with these as the answers to all fields, in words; undefined where there is none. */
export function contentProblem(fields: readonly FormField[], content: JsonObject): string | undefined {
  for (const name of Object.keys(content))
    if (!fields.some((field) => field.name === name)) return `${JSON.stringify(name)} was not asked for`;
  for (const field of fields) {
    const value = Object.hasOwn(content, field.name) ? content[field.name] : undefined;
    if (value === undefined && field.required) return `${JSON.stringify(field.name)}: an answer is needed`;
    const problem = value === undefined ? undefined : fieldProblem(field, value);
    if (problem !== undefined) return `${JSON.stringify(field.name)}: ${problem}`;
  }
  return undefined;
}
