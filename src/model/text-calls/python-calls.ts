import { limits } from "../../core/limits.ts";
import type { Cursor } from "./cursor.ts";
import { type TextCall, Unreadable, type WrittenCall, wanted } from "./written.ts";

/**
 * `[name(key=value, …), …]` as Python has it: every argument by its key, every value a literal, and nothing that would have to be worked
 * out. @throws Unreadable
 */
export function pythonCalls(at: Cursor): WrittenCall[] {
  at.take("[");
  const calls: WrittenCall[] = [];
  for (at.blanks(); !at.take("]"); at.blanks()) {
    const { at: from } = at;
    const call = pythonCall(at);
    calls.push({ ...call, written: at.text.slice(from, at.at) });
    at.blanks();
    if (!at.take(",") && !at.sees("]")) throw new Unreadable("what stands behind a call is no , and no ]");
  }
  return calls;
}

function pythonCall(at: Cursor): TextCall {
  const name = wanted(at.match(/[\w.:/-]+/y), "the name of the tool")[0];
  if (!at.take("(")) throw new Unreadable("the ( behind its name is missing");
  const args = new Map<string, string>();
  items(at, ")", () => {
    const key = wanted(at.match(/([A-Za-z_]\w*)\s*=\s*/y)?.[1], "the name of an argument");
    if (args.has(key)) throw new Unreadable(`it has ${key.slice(0, 100)} twice`);
    args.set(key, literal(at, 1));
  });
  return { name, args: objectOf(args) };
}

const objectOf = (entries: ReadonlyMap<string, string>): string =>
  `{${[...entries].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`;

const words = new Map([
  ["True", "true"],
  ["true", "true"],
  ["False", "false"],
  ["false", "false"],
  ["None", "null"],
  ["null", "null"],
]);

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;

/** As JSON. Numbers stay as they are written. */
function literal(at: Cursor, depth: number): string {
  if (depth > limits.argumentDepth.most) throw new Unreadable(`it is deeper than ${limits.argumentDepth.most} levels`);
  if (at.sees('"') || at.sees("'")) return JSON.stringify(string(at));
  if (at.take("[")) return `[${items(at, "]", () => literal(at, depth + 1)).join(",")}]`;
  if (at.take("{")) return dict(at, depth);
  const found = at.match(number)?.[0] ?? words.get(at.match(/[A-Za-z]+(?!\w)/y)?.[0] ?? "");
  return wanted(found, "a value of which nothing has to be worked out");
}

function dict(at: Cursor, depth: number): string {
  const entries = new Map<string, string>();
  items(at, "}", () => {
    if (!at.sees('"') && !at.sees("'")) throw new Unreadable("a key of a dict is no string");
    const key = string(at);
    if (entries.has(key)) throw new Unreadable(`it has ${JSON.stringify(key.slice(0, 100))} twice`);
    at.blanks();
    if (!at.take(":")) throw new Unreadable("the : behind a key is missing");
    at.blanks();
    entries.set(key, literal(at, depth + 1));
  });
  return objectOf(entries);
}

/** Reads the items between commas, up to the sign that ends them. */
function items<T>(at: Cursor, end: string, item: () => T): T[] {
  const found: T[] = [];
  for (at.blanks(); !at.take(end); at.blanks()) {
    found.push(item());
    at.blanks();
    if (!at.take(",") && !at.sees(end)) throw new Unreadable(`what stands behind a value is no , and no ${end}`);
  }
  return found;
}

const escapes: Readonly<Record<string, string>> = {
  ...{ n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", a: "\u0007" },
  ...{ "\\": "\\", "'": "'", '"': '"', "\n": "" },
};

/** A string in single or double quotes, in three of them over several lines. What is no escape stays as it is written, as in Python. */
function string(at: Cursor): string {
  const quote = wanted(at.match(/"""|'''|"|'/y), "a string")[0];
  const parts: string[] = [];
  while (!at.take(quote)) {
    const plain = at.match(/[^"'\\\n]+/y)?.[0];
    if (plain !== undefined) parts.push(plain);
    else if (at.sees("\\")) parts.push(escaped(at));
    else if (at.isAtEnd || (quote.length === 1 && at.sees("\n")))
      throw new Unreadable(`the ${quote} that ends a string is missing`);
    else parts.push(wanted(at.match(/["'\n]/y), "a string")[0]);
  }
  const value = parts.join("");
  if (/\p{Surrogate}/u.test(value)) throw new Unreadable("a string has half a character");
  return value;
}

function escaped(at: Cursor): string {
  const code = at.match(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/y);
  if (code !== undefined) {
    const value = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "", 16);
    if (value > 0x10ffff) throw new Unreadable("it has an escape that is no character");
    return String.fromCodePoint(value);
  }
  at.take("\\");
  const sign = wanted(at.match(/[\s\S]/y), "what is escaped")[0];
  if (/[0-7NxuU]/.test(sign)) throw new Unreadable(`an escape with \\${sign} in a string is half, or is not read here`);
  return escapes[sign] ?? `\\${sign}`;
}
