import { wildMatch } from "../../core/wild-match.ts";

/** A name, read for matching. */
export interface Name {
  text: string;
  /** Its code points. */
  characters: readonly string[];
}

export const nameOf = (text: string): Name => ({ text, characters: [...text] });

/** `any` is `*`, `one` is `?`, a string is that code point, else one of (or none of) a bracket's ranges. */
type Token = "any" | "one" | { is: string } | { ranges: Range[]; isNone: boolean };
type Range = [from: string, to: string];

/** A pattern of one name, between two slashes. */
export interface NamePattern {
  tokens: Token[];
  /** The name that it means where it has no wildcard. */
  literal?: string;
}

/** `**` stands for any number of folders. */
export type PathPattern = readonly ("**" | NamePattern)[];

/** `*`, `?`, `[a-z]`, `[!a]`, `[[:alpha:]]`, and `\` before a character that shall mean itself; all else is plain. */
export function readName(text: string): NamePattern {
  const tokens: Token[] = [];
  const characters = [...text];
  // Behind a bracket that is not closed none is: looking again and again would take time without need.
  const lastClosing = characters.lastIndexOf("]");
  for (let at = 0; at < characters.length; ) {
    const { token, next } = readToken(characters, at, lastClosing);
    if (token !== "any" || tokens.at(-1) !== "any") tokens.push(token);
    at = next;
  }
  const plain = tokens.map((token) => (typeof token === "object" && "is" in token ? token.is : undefined));
  return plain.includes(undefined) ? { tokens } : { tokens, literal: plain.join("") };
}

function readToken(characters: readonly string[], at: number, lastClosing: number): { token: Token; next: number } {
  const character = characters[at] ?? "";
  const behind = characters[at + 1];
  const bracket = character === "[" && at < lastClosing ? readBracket(characters, at) : undefined;
  if (bracket !== undefined) return { token: bracket.token, next: bracket.last + 1 };
  if (character === "\\" && behind !== undefined) return { token: { is: behind }, next: at + 2 };
  const token: Token = character === "*" ? "any" : character === "?" ? "one" : { is: character };
  return { token, next: at + 1 };
}

const classes: Record<string, readonly Range[]> = {
  alpha: [
    ["a", "z"],
    ["A", "Z"],
  ],
  digit: [["0", "9"]],
  alnum: [
    ["a", "z"],
    ["A", "Z"],
    ["0", "9"],
  ],
  lower: [["a", "z"]],
  upper: [["A", "Z"]],
  xdigit: [
    ["0", "9"],
    ["a", "f"],
    ["A", "F"],
  ],
  space: [
    ["\t", "\r"],
    [" ", " "],
  ],
};

/** Undefined where the bracket is not closed. */
function readBracket(characters: readonly string[], start: number): { token: Token; last: number } | undefined {
  const isNone = characters[start + 1] === "!" || characters[start + 1] === "^";
  const first = start + (isNone ? 2 : 1);
  const ranges: Range[] = [];
  for (let at = first; at < characters.length; ) {
    if (characters[at] === "]" && at > first) return { token: { ranges, isNone }, last: at };
    const item = readNamed(characters, at) ?? readRange(characters, at);
    ranges.push(...item.ranges);
    at = item.next;
  }
  return undefined;
}

interface Item {
  ranges: readonly Range[];
  next: number;
}

function readNamed(characters: readonly string[], at: number): Item | undefined {
  if (characters[at] !== "[") return undefined;
  const named = /^\[:([a-z]+):\]/.exec(characters.slice(at, at + 12).join(""));
  return named === null ? undefined : { ranges: classes[named[1] ?? ""] ?? [], next: at + named[0].length };
}

function readRange(characters: readonly string[], start: number): Item {
  const behind = (at: number): number => (characters[at] === "\\" ? at + 1 : at);
  const at = behind(start);
  const from = characters[at] ?? "";
  const end = characters[at + 1] === "-" ? characters[at + 2] : undefined;
  if (end === undefined || end === "]") return { ranges: [[from, from]], next: at + 1 };
  const to = behind(at + 2);
  return { ranges: [[from, characters[to] ?? ""]], next: to + 1 };
}

export function matchesName({ tokens, literal }: NamePattern, name: Name): boolean {
  if (literal !== undefined) return literal === name.text;
  return wildMatch(tokens, name.characters, (token) => token === "any", fits);
}

function fits(token: Token, character: string): boolean {
  if (typeof token === "string") return true;
  if ("is" in token) return token.is === character;
  return token.ranges.some(([from, to]) => isBetween(from, character, to)) !== token.isNone;
}

const isBetween = (from: string, character: string, to: string): boolean =>
  pointOf(from) <= pointOf(character) && pointOf(character) <= pointOf(to);
const pointOf = (character: string): number => character.codePointAt(0) ?? 0;

/** Reads what stands between slashes. A last `**` stands for at least one name, that of what is in the folder. */
export function readPath(text: string): PathPattern {
  const pattern = text
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => (/^\*\*+$/.test(segment) ? "**" : readName(segment)));
  return pattern.at(-1) === "**" ? [...pattern, readName("*")] : pattern;
}

export const matchesPath = (pattern: PathPattern, names: readonly Name[]): boolean =>
  wildMatch(
    pattern,
    names,
    (segment) => segment === "**",
    (segment, name) => segment !== "**" && matchesName(segment, name),
  );
