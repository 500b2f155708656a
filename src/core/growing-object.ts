import type { Json, JsonObject } from "./json.ts";
import { limits } from "./limits.ts";

type Leaf = string | number | boolean | null;
type Branch =
  | { kind: "object"; members: Map<string, Leaf | Branch>; key: string }
  | { kind: "array"; items: (Leaf | Branch)[] };

/** The kind of token that may come next, between two values. */
type Wanted = "value" | "key" | "key or end" | "value or end" | "colon" | "comma or end" | "nothing";

/** A string that is open. */
interface OpenText {
  text: string;
  /** The first half of a character whose second one is still to come. */
  half: string;
  /** The part of an escape that was read, with its backslash. */
  escape: string;
}

const quote = '"';
const blanks = " \t\n\r";
const escapes: ReadonlyMap<string, string> = new Map([
  ...['"', "\\", "/"].map((char) => [char, char] as const),
  ...([
    ["b", "\b"],
    ["f", "\f"],
    ["n", "\n"],
    ["r", "\r"],
    ["t", "\t"],
  ] as const),
]);
/** All that a number, true, false or null can begin with and go on with. */
const bare = /^[-+.0-9A-Za-z]$/;
const word = /[-+.0-9A-Za-z]*/y;
const plain = /[^"\\]*/y;

/**
 * A JSON object as far as it was written, read out of text that comes in pieces of any size, in time linear in its length. Text that
 * is still open is there as far as it goes; a key, a number, true, false or null only once it has ended. What is no JSON ends it: what
 * came before stays. It never throws. It is for showing alone: what is run is read from the whole text, strictly.
 */
export class GrowingObject {
  readonly #root: Branch & { kind: "object" } = { kind: "object", members: new Map(), key: "" };
  readonly #open: Branch[] = [];
  #wanted: Wanted = "value";
  #text: OpenText | undefined;
  #word = "";
  #size = 0;
  #isOver = false;

  /** Characters that were given. */
  get size(): number {
    return this.#size;
  }

  push(piece: string): void {
    this.#size += piece.length;
    for (let at = 0; at < piece.length && !this.#isOver; ) at = this.#take(piece, at);
  }

  /** A copy of what came so far; `{}` where nothing did. */
  value(): JsonObject {
    return this.#copyOf(this.#root) as JsonObject;
  }

  #copyOf(value: Leaf | Branch): Json {
    if (typeof value !== "object" || value === null) return value;
    const open = value === this.#open.at(-1) && this.#wanted === "value" ? this.#text : undefined;
    if (value.kind === "array") {
      const items = value.items.map((item) => this.#copyOf(item));
      return open === undefined ? items : [...items, open.text];
    }
    const members = [...value.members].map(([key, member]): [string, Json] => [key, this.#copyOf(member)]);
    return Object.fromEntries(open === undefined ? members : [...members, [value.key, open.text]]);
  }

  /** @returns where the next character that was not taken is. */
  #take(piece: string, at: number): number {
    if (this.#text !== undefined) return this.#takeText(this.#text, piece, at);
    const char = piece[at] as string;
    if (this.#word !== "" || bare.test(char)) return this.#takeWord(piece, at);
    if (!blanks.includes(char)) this.#goOn(this.#takeMark(char));
    return at + 1;
  }

  /** Nothing more is read where the text was no JSON. */
  #goOn(isJson: boolean): void {
    if (isJson) return;
    this.#isOver = true;
    this.#text = undefined;
  }

  #takeText(open: OpenText, piece: string, at: number): number {
    if (open.escape !== "") {
      this.#goOn(takeEscape(open, piece[at] as string));
      return at + 1;
    }
    plain.lastIndex = at;
    const run = plain.exec(piece)?.[0] ?? "";
    grow(open, run);
    const next = at + run.length;
    if (next === piece.length) return next;
    if (piece[next] === quote) this.#goOn(this.#endText(open.text + open.half));
    else open.escape = "\\";
    return next + 1;
  }

  #endText(text: string): boolean {
    this.#text = undefined;
    if (this.#wanted === "value") return this.#add(text);
    const top = this.#open.at(-1);
    // No arguments may have this key (core/strict-json).
    if (top?.kind !== "object" || text === "__proto__") return false;
    top.key = text;
    this.#wanted = "colon";
    return true;
  }

  #takeWord(piece: string, at: number): number {
    word.lastIndex = at;
    const run = word.exec(piece)?.[0] ?? "";
    this.#word += run;
    const next = at + run.length;
    if (this.#word.length > longestWord) this.#goOn(false);
    else if (next < piece.length) this.#goOn(this.#endWord());
    return next;
  }

  #endWord(): boolean {
    const text = this.#word;
    this.#word = "";
    if (this.#wanted !== "value" && this.#wanted !== "value or end") return false;
    try {
      return this.#add(JSON.parse(text) as Leaf);
    } catch {
      return false;
    }
  }

  #takeMark(char: string): boolean {
    if (char === quote) return this.#beginText();
    if (char === "{" || char === "[") return this.#begin(char);
    if (char === "}" || char === "]") return this.#close(char);
    const before = this.#wanted;
    if (char === ":") this.#wanted = "value";
    else this.#wanted = this.#open.at(-1)?.kind === "object" ? "key" : "value";
    return before === (char === ":" ? "colon" : char === "," ? "comma or end" : undefined);
  }

  #beginText(): boolean {
    const isKey = this.#wanted === "key" || this.#wanted === "key or end";
    const isValue = this.#wanted === "value" || this.#wanted === "value or end";
    this.#wanted = isKey ? "key" : "value";
    this.#text = { text: "", half: "", escape: "" };
    return (isKey || isValue) && this.#open.length > 0;
  }

  #begin(char: "{" | "["): boolean {
    const isFirst = this.#open.length === 0;
    const isValue = this.#wanted === "value" || this.#wanted === "value or end";
    if (!isValue || (isFirst && char === "[") || this.#open.length >= limits.argumentDepth.most) return false;
    const made: Branch = char === "{" ? { kind: "object", members: new Map(), key: "" } : { kind: "array", items: [] };
    const branch = isFirst ? this.#root : made;
    if (!isFirst) this.#add(branch);
    this.#open.push(branch);
    this.#wanted = char === "{" ? "key or end" : "value or end";
    return true;
  }

  #close(char: "}" | "]"): boolean {
    const [kind, empty] = char === "}" ? ["object", "key or end"] : ["array", "value or end"];
    const isEnd = this.#wanted === "comma or end" || this.#wanted === empty;
    if (!isEnd || this.#open.at(-1)?.kind !== kind) return false;
    this.#open.pop();
    this.#wanted = this.#open.length === 0 ? "nothing" : "comma or end";
    return true;
  }

  #add(value: Leaf | Branch): boolean {
    const top = this.#open.at(-1);
    if (top?.kind === "array") top.items.push(value);
    else top?.members.set(top.key, value);
    this.#wanted = "comma or end";
    return top !== undefined;
  }
}

/** No number that anybody means is longer. */
const longestWord = 400;

function grow(open: OpenText, added: string): void {
  const all = open.half + added;
  const last = all.charCodeAt(all.length - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  open.half = isHalf ? all.slice(-1) : "";
  open.text += isHalf ? all.slice(0, -1) : all;
}

/** @returns whether it is an escape so far. */
function takeEscape(open: OpenText, char: string): boolean {
  const read = open.escape + char;
  const isCode = read.startsWith("\\u");
  if (isCode && read.length < 6) {
    open.escape = read;
    return true;
  }
  const meant = isCode ? charOf(read.slice(2)) : escapes.get(char);
  open.escape = "";
  if (meant !== undefined) grow(open, meant);
  return meant !== undefined;
}

const charOf = (hex: string): string | undefined =>
  /^[0-9a-fA-F]{4}$/.test(hex) ? String.fromCharCode(Number.parseInt(hex, 16)) : undefined;
