import { hash } from "node:crypto";

/** Plain JSON data: what may be kept in state, in the journal or in an event. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** A sha256 in lower-case hex, 64 characters. */
export type Sha = string;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * RFC 8785 JSON: keys sorted by UTF-16 code units, no white space, numbers as ECMAScript prints them.
 * Keys whose value is `undefined` are left out, as JSON.stringify does.
 * @throws TypeError for what JSON cannot hold (a bigint, a function, NaN, a cycle).
 */
export function canonicalJson(value: unknown): string {
  return write(value, new Set());
}

function write(value: unknown, open: Set<object>): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`JSON cannot hold the number ${value}`);
    return JSON.stringify(value);
  }
  if (typeof value !== "object") throw new TypeError(`JSON cannot hold a ${typeof value}`);
  if (open.has(value)) throw new TypeError("JSON cannot hold a cycle");
  open.add(value);
  const text = Array.isArray(value)
    ? `[${value.map((item) => write(item === undefined ? null : item, open)).join(",")}]`
    : `{${Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
        .map(([key, item]) => `${JSON.stringify(key)}:${write(item, open)}`)
        .join(",")}}`;
  open.delete(value);
  return text;
}

export function sha256(data: string | Uint8Array): Sha {
  return hash("sha256", data, "hex");
}
