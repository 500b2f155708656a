import { inexactWords } from "./exact-number.ts";
import { isJsonObject, type Json } from "./json.ts";
import { readJsonText } from "./json-text.ts";
import { limits } from "./limits.ts";

/** Deeper data is refused: every walk over arguments is recursive, and no honest call comes near. */
const maxDepth = limits.argumentDepth.most;

export type Read<T> = { ok: true; value: T } | { ok: false; message: string };

const refuse = (message: string): { ok: false; message: string } => ({ ok: false, message });

/**
 * JSON text as RFC 8259 has it, and nothing else: one value, no key twice in one object (what is shown and what is run
 * could otherwise differ between two parsers), at most 200 levels.
 */
export function readStrictJson(text: string): Read<Json> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(`not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  // The runtime's parser is the strict one, but it takes the last of two equal keys without a word.
  const read = readJsonText(text, { byHand: false, maxDepth });
  return "wrong" in read ? refuse(read.wrong) : toPlainJson(value);
}

/** The same for arguments of a call: two numbers that are one when they are read would be one approval, so such a number is refused. */
export function readExactJson(text: string): Read<Json> {
  const read = readStrictJson(text);
  const inexact = read.ok ? inexactWords(text) : undefined;
  return inexact === undefined ? read : refuse(inexact);
}

/** A copy of `value` as plain JSON data. Undefined members of objects are left out, as JSON.stringify does. */
export function toPlainJson(value: unknown): Read<Json> {
  try {
    return { ok: true, value: copy(value, 0) };
  } catch (error) {
    if (error instanceof NotJson) return refuse(error.message);
    throw error;
  }
}

class NotJson extends Error {}

function copy(value: unknown, depth: number): Json {
  if (depth > maxDepth) throw new NotJson(`nested deeper than ${maxDepth} levels (or in a cycle)`);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new NotJson(`JSON cannot hold the number ${value}`);
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => copy(item === undefined ? null : item, depth + 1));
  if (!isPlain(value)) throw new NotJson(`JSON cannot hold ${kindOf(value)}`);
  const kept = Object.entries(value).filter(([, item]) => item !== undefined);
  for (const [key] of kept) if (key === "__proto__") throw new NotJson('the key "__proto__" is not accepted');
  return Object.fromEntries(kept.map(([key, item]) => [key, copy(item, depth + 1)]));
}

function isPlain(value: unknown): value is object {
  if (!isJsonObject(value)) return false;
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === null || proto === Object.prototype || Object.getPrototypeOf(proto) === null;
}

const kindOf = (value: unknown): string =>
  typeof value === "object" ? `a ${value?.constructor?.name ?? "object"}` : `a ${typeof value}`;
