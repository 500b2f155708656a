import { isJsonObject, type Json } from "../core/json.ts";
import { codedForms, formsOf, type Secret } from "./secrets.ts";

/** Passwords and tokens that an address in any text carries, whoever's they are. Bounded, so that no text takes long. */
const inAddress = /(:\/\/[^\s/:@"'<>\\‹›]{0,256}:)[^\s/@"'<>\\‹›]{1,512}(?=@)|(:\/\/)[^\s/:@"'<>\\‹›]{16,512}(?=@)/g;
const addressName = "URL_PASSWORD";

/** Where base64 or hexadecimal may be broken: a line's end, as it is or as JSON has it, and what a list of lines begins the next one with. */
const lineBreak = String.raw`(?:(?:\r?\n|\\n)[ \d\t+|-]{0,12})?`;

/**
 * A copy of the data without the secrets, in texts and in keys, and how often each was replaced. Pure. Longer values
 * win over those they contain, and a placeholder is not searched again.
 */
export function redact<T extends Json>(
  data: T,
  secrets: readonly Secret[],
): { data: T; replaced: { name: string; count: number }[] } {
  const names = new Map<string, string>();
  const plain = new Set<string>();
  for (const { name, value } of secrets) {
    const forms = formsOf(value);
    for (const form of forms) plain.add(form);
    for (const form of [...forms, ...codedForms(value)]) if (!names.has(form)) names.set(form, name);
  }
  const forms = [...names.keys()].sort((a, b) => b.length - a.length);
  const literal = (form: string): string => form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const source = (form: string): string => (plain.has(form) ? literal(form) : [...form].map(literal).join(lineBreak));
  const pattern = new RegExp(forms.map(source).join("|"), "g");
  const nameOfBroken = (found: string): string => {
    const form = forms.find((one) => new RegExp(`^(?:${source(one)})$`).test(found));
    return names.get(form ?? "") ?? "SECRET";
  };
  const counts = new Map<string, number>();
  const hidden = (name: string): string => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return `‹${name}›`;
  };
  const clean = (text: string): string => {
    const known =
      names.size === 0 ? text : text.replace(pattern, (found) => hidden(names.get(found) ?? nameOfBroken(found)));
    return known.replace(
      inAddress,
      (_, user: string | undefined, start = "") => `${user ?? start}${hidden(addressName)}`,
    );
  };
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
