import { isJsonObject, type Json } from "../core/json.ts";
import { cutSecrets } from "./cut-secrets.ts";
import { codedForms, formsOf, type Secret } from "./secrets.ts";

/**
 * Passwords and tokens that an address in any text carries, whoever's they are; a number that a cut ends may be a port. Bounded, so that no
 * text takes long.
 */
const inAddress =
  /(:\/\/[^\s/:@"'<>\\‹›]{0,256}:)(?:[^\s/@"'<>\\‹›]{1,512}(?=@)|(?!\d*…)[^\s/@"'<>\\‹›…]{1,512}(?=…))|(:\/\/)[^\s/:@"'<>\\‹›]{16,512}(?=@)/g;
const addressName = "URL_PASSWORD";

/** Takes secrets out of data that comes piece by piece, and counts what it replaced. */
export interface Redactor {
  /** A copy without the secrets, in texts and in keys. */
  clean<T extends Json>(data: T): T;
  /** The number of times that each was replaced so far, by its name. */
  replaced(): { name: string; count: number }[];
}

// Keeps records 2.
/**
 * A copy of the data without the secrets, in texts and in keys, and how often each was replaced. Pure. Longer values
 * win over those they contain, and a placeholder is not searched again. Of one that was cut the part that is left is replaced too.
 */
export function redact<T extends Json>(
  data: T,
  secrets: readonly Secret[],
): { data: T; replaced: { name: string; count: number }[] } {
  const redactor = createRedactor(secrets);
  return { data: redactor.clean(data), replaced: redactor.replaced() };
}

/** The same for data that is not there all at once. */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  const names = new Map<string, string>();
  const coded = new Set<string>();
  for (const { name, value } of secrets) {
    for (const form of codedForms(value)) coded.add(form);
    for (const form of [...formsOf(value), ...codedForms(value)]) if (!names.has(form)) names.set(form, name);
  }
  const [pattern, codedPattern] = [anyOf(names.keys()), anyOf(coded)];
  const long = [...names.keys()].filter((form) => form.length > longestInPattern).sort((a, b) => b.length - a.length);
  const withoutCut = cutSecrets(names);
  const counts = new Map<string, number>();
  const hidden = (name: string): string => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return `‹${name}›`;
  };
  const holdsCode = (block: string): boolean =>
    block.search(codedPattern) !== -1 || long.some((form) => block.includes(form));
  const clean = (text: string): string => {
    const whole = coded.size === 0 ? text : withWholeCodes(text, holdsCode);
    const place = (found: string): string => hidden(names.get(found) ?? "SECRET");
    const rest = long.reduce((said, form) => said.replaceAll(form, place), whole);
    const known = names.size === 0 ? rest : rest.replace(pattern, place);
    return withoutCut(known, hidden).replace(
      inAddress,
      (_, user: string | undefined, start = "") => `${user ?? start}${hidden(addressName)}`,
    );
  };
  return {
    clean: <T extends Json>(data: T) => copyOf(data, clean) as T,
    replaced: () => [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** Longer ones make a pattern that is too large to be made. */
const longestInPattern = 2_000;

/** Finds nothing where there are none. */
function anyOf(forms: Iterable<string>): RegExp {
  const sorted = [...forms].filter((form) => form.length <= longestInPattern).sort((a, b) => b.length - a.length);
  const source = sorted.map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  return new RegExp(source === "" ? "(?!)" : source, "g");
}

function copyOf(data: Json, clean: (text: string) => string): Json {
  if (typeof data === "string") return clean(data);
  if (Array.isArray(data)) return data.map((item) => copyOf(item, clean));
  if (!isJsonObject(data)) return data;
  // Not by assignment: a key may be `__proto__`.
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [clean(key), copyOf(value, clean)]));
}

/** A line's end, as it is or as JSON has it, and the number that a listing puts before the next line. */
const lineEnd = /((?:\r?\n|\\n)(?: *\d+\t)?)/;
/** The signs that base64 and hexadecimal are written with; programs break them after 60 characters or more. */
const [codedEnd, codedStart] = [/^[\w+/=-]{40}$/, /^[\w+/=-]/];

/** The text with codes that were broken into lines made whole where such a whole one `isMeant`; all else as it was. */
function withWholeCodes(text: string, isMeant: (block: string) => boolean): string {
  const parts = text.split(lineEnd);
  const made: string[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    let end = at;
    while (codedEnd.test((parts[end] ?? "").slice(-40)) && codedStart.test(parts[end + 2] ?? "")) end += 2;
    const block = parts.slice(at, end + 1);
    const whole = block.filter((_, index) => index % 2 === 0).join("");
    made.push(end > at && isMeant(whole) ? whole : block.join(""), parts[end + 1] ?? "");
    at = end;
  }
  return made.join("");
}
