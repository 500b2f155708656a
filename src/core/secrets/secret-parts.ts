import { isJsonObject } from "../json.ts";

/** A shorter part is mostly none of the secret in a value. */
const shortest = 24;

/**
 * Lists the texts of a value that are looked for: all of it, and the parts of it that are secrets by themselves, which a text may show alone: of
 * several lines those, and of JSON those texts, that nobody would write but for a key.
 */
export function partsOfSecret(value: string): string[] {
  const parts = [...textsOf(value), value].flatMap((text) => [text, ...text.split(/\r?\n/).map((line) => line.trim())]);
  return [...new Set([value, ...parts.filter(isTelling)])];
}

/** The texts in JSON. */
function textsOf(value: string): string[] {
  if (!/^\s*[{[]/.test(value)) return [];
  try {
    return textsIn(JSON.parse(value));
  } catch {
    return [];
  }
}

function textsIn(data: unknown): string[] {
  if (typeof data === "string") return [data];
  if (Array.isArray(data)) return data.flatMap(textsIn);
  return isJsonObject(data) ? Object.values(data).flatMap(textsIn) : [];
}

/** Tells whether a text is long, of the signs of base64 or hexadecimal alone, and mixes them as no word does. */
export function isTelling(text: string, least = shortest): boolean {
  if (text.length < least || !/^[A-Za-z0-9+/_=-]+$/.test(text)) return false;
  const kinds = text.replace(/[^A-Za-z0-9]/g, "").replace(/[A-Z]+|[a-z]+|\d+/g, "x");
  return kinds.length * 6 >= text.length;
}
