import { isJsonObject, type Json } from "../core/json.ts";
import { StoreFailure } from "./types.ts";

/**
 * JSON that gives back exactly what it was given, or refuses. What JSON cannot say (undefined, NaN, -0, a class) is
 * boxed as `{"$hf": kind, "v": data}`, and so is plain data that has an own key of that name: no data can be taken for a box.
 */
export const TAG = "$hf";

/** Boxes an instance of a class, or answers undefined where it knows nothing better. */
export type BoxClass = (value: object, encode: (inner: unknown) => Json) => Json | undefined;
/** Opens a box of a kind that plain data does not have. @throws StoreFailure corrupt for an unknown kind. */
export type OpenBox = (kind: string, data: Json, decode: (inner: Json) => unknown) => unknown;

export const box = (kind: string, data: Json = null): Json => ({ [TAG]: kind, v: data });

/** @throws StoreFailure unserialisable, naming the place, for a bigint, a function, a symbol or a cycle. */
export function encodePlain(value: unknown, boxClass?: BoxClass): Json {
  try {
    return encodeAt(value, "", new Set(), boxClass);
  } catch (error) {
    if (error instanceof RangeError) throw refuse("data nested too deeply", "", error);
    throw error;
  }
}

function encodeAt(value: unknown, at: string, open: Set<object>, boxClass: BoxClass | undefined): Json {
  if (typeof value !== "object" || value === null) return encodeScalar(value, at);
  if (open.has(value)) throw refuse("a cycle", at);
  open.add(value);
  const json = encodeObject(value, at, open, boxClass);
  open.delete(value);
  return json;
}

function encodeScalar(value: unknown, at: string): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (value === undefined) return box("undefined");
  if (typeof value !== "number") throw refuse(`a ${typeof value}`, at);
  return Number.isFinite(value) && !Object.is(value, -0)
    ? value
    : box("number", Object.is(value, -0) ? "-0" : `${value}`);
}

function encodeObject(value: object, at: string, open: Set<object>, boxClass: BoxClass | undefined): Json {
  const inner = (item: unknown, key: string | number): Json => encodeAt(item, `${at}.${key}`, open, boxClass);
  // Array.from reads holes as undefined, which map would skip.
  if (Array.isArray(value)) return Array.from(value, inner);
  if (!isPlain(value)) {
    const boxed = boxClass?.(value, (item) => inner(item, value.constructor.name));
    if (boxed !== undefined) return boxed;
    if ("toJSON" in value && typeof value.toJSON === "function") return inner(value.toJSON(), "toJSON()");
  }
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [key, inner(item, key)]);
  if (Object.hasOwn(value, TAG)) return box("object", entries);
  return Object.fromEntries(entries);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const refuse = (what: string, at: string, cause?: unknown): StoreFailure =>
  new StoreFailure("unserialisable", `${what} cannot be stored${at === "" ? "" : ` (at ${at.slice(1)})`}`, { cause });

/** Decodes a value that `encodePlain` was given. */
export function decodePlain(json: Json, openBox: OpenBox = unknownBox): unknown {
  const decode = (inner: Json): unknown => decodePlain(inner, openBox);
  if (Array.isArray(json)) return json.map(decode);
  if (!isJsonObject(json)) return json;
  if (Object.hasOwn(json, TAG)) return open(json, decode, openBox);
  // fromEntries makes own properties, also of "__proto__".
  return Object.fromEntries(Object.entries(json).map(([key, item]) => [key, decode(item)]));
}

function open(json: { [key: string]: Json }, decode: (inner: Json) => unknown, openBox: OpenBox): unknown {
  const kind = String(json[TAG]);
  const data = json["v"] ?? null;
  if (kind === "undefined") return undefined;
  if (kind === "number") return Number(data);
  if (kind === "object")
    return Object.fromEntries((data as [string, Json][]).map(([key, item]) => [key, decode(item)]));
  return openBox(kind, data, decode);
}

function unknownBox(kind: string): never {
  throw new StoreFailure("corrupt", `stored data has a box of the unknown kind ${JSON.stringify(kind)}`);
}

export const toText = (value: unknown): string => JSON.stringify(encodePlain(value));
/** @throws StoreFailure corrupt where the text is no longer what `toText` made. */
export function fromText(text: string): unknown {
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch (cause) {
    throw new StoreFailure("corrupt", `stored data cannot be read (${(cause as Error).message})`, { cause });
  }
  return decodePlain(json);
}

/** Text as the database will give it back: a lone surrogate becomes U+FFFD, since UTF-8 has no bytes for it. */
export const wellFormed = (text: string): string => Buffer.from(text, "utf8").toString("utf8");
