import { isJsonObject, type Json } from "../json.ts";

/** Writes the tag of a secret, which stands where its value may not. */
export const secretTag = (name: string): string => `<secret>${name}</secret>`;

const tag = /<secret>\s*([A-Za-z_][A-Za-z0-9_]*)\s*<\/secret>/g;

/** Names in `<secret>NAME</secret>` tags, wherever they stand in the texts of data; each once. */
export function taggedNames(data: unknown): string[] {
  const found = new Set<string>();
  mapTexts(data, (text) => {
    for (const [, name = ""] of text.matchAll(tag)) found.add(name);
    return text;
  });
  return [...found];
}

/** The texts in data, each once, without the space around them. */
export function wholeTexts(data: unknown): string[] {
  const found = new Set<string>();
  mapTexts(data, (text) => {
    found.add(text.trim());
    return text;
  });
  return [...found];
}

/** Counts the tags of each name in a text. */
export function tagCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, name = ""] of text.matchAll(tag)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The same data with what `made` gives in the place of each tag. What is no plain list or object stays as it is. */
export const withoutTags = (data: unknown, made: (name: string) => string): unknown =>
  mapTexts(data, (text) => text.replaceAll(tag, (_, name: string) => made(name)));

/** A copy of plain data with other texts in it. */
export function mapTexts(data: unknown, made: (text: string) => string): unknown {
  if (typeof data === "string") return made(data);
  if (Array.isArray(data)) return data.map((item) => mapTexts(item, made));
  if (!isJsonObject(data) || ![Object.prototype, null].includes(Object.getPrototypeOf(data))) return data;
  return Object.fromEntries(Object.entries(data).map(([key, item]): [string, unknown] => [key, mapTexts(item, made)]));
}

/** The same of JSON, its keys too. */
export function mapJson<T extends Json>(data: T, made: (text: string) => string): T;
export function mapJson(data: Json, made: (text: string) => string): Json {
  if (typeof data === "string") return made(data);
  if (Array.isArray(data)) return data.map((item) => mapJson(item, made));
  if (!isJsonObject(data)) return data;
  return Object.fromEntries(Object.entries(data).map(([key, item]) => [made(key), mapJson(item, made)]));
}
