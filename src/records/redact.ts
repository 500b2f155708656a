import { isJsonObject, type Json } from "../core/json.ts";

/** A value that must not leave, and the name that takes its place as `‹name›`. */
export interface Secret {
  name: string;
  value: string;
}

/** Shorter values are words of the language: replacing them everywhere would only spoil the text. */
const shortest = 6;
const secretName = /(KEY|TOKEN|SECRET|PASSWORD)$/i;

/**
 * What counts as secret: values of environment variables named `*KEY`, `*TOKEN`, `*SECRET`, `*PASSWORD` in any case, and
 * registered ones, of at least 6 characters. Of two with the same value the first by name stands for both.
 */
export function secretsIn(env: Readonly<Record<string, string | undefined>>, registered: readonly string[]): Secret[] {
  const named = Object.entries(env)
    .filter(([name]) => secretName.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ name, value: (value ?? "").trim() }));
  const others = registered.map((value, i) => ({ name: `SECRET_${i + 1}`, value }));
  const seen = new Set<string>();
  return [...named, ...others].filter(({ value }) => {
    const counts = value.length >= shortest && !seen.has(value);
    seen.add(value);
    return counts;
  });
}

/** How a value may stand inside other text: as it is, inside a JSON string, inside an address. */
function formsOf(value: string): string[] {
  const wellFormed = Buffer.from(value, "utf8").toString("utf8");
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(wellFormed)];
}

/**
 * A copy of the data without the secrets, in texts and in keys, and how often each was replaced. Pure. Longer values
 * win over those they contain, and a placeholder is not searched again.
 */
export function redact<T extends Json>(
  data: T,
  secrets: readonly Secret[],
): { data: T; replaced: { name: string; count: number }[] } {
  const names = new Map<string, string>();
  for (const { name, value } of secrets) {
    for (const form of formsOf(value)) if (!names.has(form)) names.set(form, name);
  }
  if (names.size === 0) return { data, replaced: [] };
  const forms = [...names.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|"), "g");
  const counts = new Map<string, number>();
  const clean = (text: string): string =>
    text.replace(pattern, (found) => {
      const name = names.get(found) ?? "SECRET";
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return `‹${name}›`;
    });
  const copy = copyOf(data, clean) as T;
  const replaced = [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => (a.name < b.name ? -1 : 1));
  return { data: copy, replaced };
}

function copyOf(data: Json, clean: (text: string) => string): Json {
  if (typeof data === "string") return clean(data);
  if (Array.isArray(data)) return data.map((item) => copyOf(item, clean));
  if (!isJsonObject(data)) return data;
  // Not by assignment: a key may be `__proto__`.
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [clean(key), copyOf(value, clean)]));
}
