import type { Word, WordPart } from "unbash";
import { expandBraces } from "../../../core/braces.ts";
import type { CertainWord } from "../../../core/command.ts";
import { mostWays } from "./expansions.ts";
import type { LineState } from "./line-state.ts";
import { isOwnVariable } from "./line-variables.ts";
import { anyName } from "./values-given.ts";

/** The values of the line's variables, each worked out once: while it is, and where it takes too many others, it is not known. */
interface Values {
  variables: LineState["variables"];
  found: Map<string, Texts>;
  depth: number;
  /** No variable but the line's has a value. */
  isAlone?: true;
}

/** Texts of a part; undefined where they are not known. */
type Texts = readonly string[] | undefined;

/** The depth to which values of values are looked at. */
const depthOfValues = 4;

/**
 * Returns the sure facts of a word that is not known before it runs, where bash makes exactly one word of it: its beginning, and each text that the
 * line can give it. Undefined where it may become none or several.
 */
export function certainWord(word: Word, variables: LineState["variables"]): Omit<CertainWord, "at"> | undefined {
  const { parts } = word;
  const values: Values = { variables, found: new Map(), depth: 0 };
  if (parts === undefined || holdsTilde.test(word.text)) return undefined;
  if (!parts.every((part) => isOne(part, values))) return undefined;
  const head = headOf(parts);
  const texts = joined(parts, values);
  // Without quotes, of nothing no word is made.
  if (head === "" && !parts.some(isQuoting) && (texts === undefined || texts.includes(""))) return undefined;
  return { head, ...(texts === undefined ? {} : { texts: [...texts] }) };
}

/** Each text that a word can come to of which bash makes one or none, where no variable but the line's has a value; undefined where that is not known. */
export function textsGiven({ parts, text }: Word, variables: LineState["variables"]): Texts {
  const values: Values = { variables, found: new Map(), depth: 0, isAlone: true };
  if (parts === undefined || holdsTilde.test(text) || !parts.every((part) => isOne(part, values))) return undefined;
  return joined(parts, values);
}

/** Tells whether a variable holds digits, or nothing, whatever of the line's values it has. */
export const isOfDigits = (name: string, variables: LineState["variables"]): boolean =>
  valuesOf(name, { variables, found: new Map(), depth: 0 })?.every((text) => /^\d{0,18}$/u.test(text)) === true;

/** Returns the beginning of a word by its text, whatever becomes of the rest. */
export const beginningOf = ({ parts = [] }: Word): string => headOf(parts);

/** Bash may put a home there. */
const holdsTilde = /^~|[:=]~/u;
/** A value that neither parts words nor is matched with names. */
const plainValue = /^[\w.,:+%@-]*$/u;

const isQuoting = ({ type }: WordPart): boolean =>
  /^(?:DoubleQuoted|SingleQuoted|AnsiCQuoted|LocaleString)$/u.test(type);

/** Tells whether bash makes neither more words nor none of a part. */
function isOne(part: WordPart, values: Values): boolean {
  switch (part.type) {
    case "Literal":
      // `a[$x]b` is a pattern.
      return !/[*?[\]{}()]/u.test(part.text);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return true;
    case "DoubleQuoted":
    case "LocaleString":
      // `"$@"` and `"${a[@]}"` are as many words as there are, also where they stand in another expansion.
      return part.parts.every(
        (inner) => !/^(?:Simple|Parameter)Expansion$/u.test(inner.type) || !/[@!]/u.test(inner.text),
      );
    case "SimpleExpansion":
    case "ParameterExpansion":
      return textsOf(part, values)?.every((text) => plainValue.test(text)) === true;
    default:
      return false;
  }
}

function headOf(parts: readonly WordPart[]): string {
  let head = "";
  for (const part of parts) {
    const fixed = fixedText(part);
    if (fixed === undefined) return head + (part.type === "DoubleQuoted" ? headOf(part.parts) : "");
    head += fixed;
  }
  return head;
}

function fixedText(part: WordPart): string | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return part.value;
    case "AnsiCQuoted":
      return /^[\n\t -~]*$/u.test(part.value) ? part.value : undefined;
    case "DoubleQuoted": {
      const texts = part.parts.map(fixedText);
      return texts.includes(undefined) ? undefined : texts.join("");
    }
    default:
      return undefined;
  }
}

/** Each text that the parts can come to, one after another. */
function joined(parts: readonly WordPart[], values: Values): Texts {
  let all: readonly string[] = [""];
  for (const part of parts) {
    const texts = textsOf(part, values);
    if (texts === undefined || all.length * texts.length > mostWays) return undefined;
    all = [...new Set(all.flatMap((before) => texts.map((text) => before + text)))];
  }
  return all;
}

function textsOf(part: WordPart, values: Values): Texts {
  const fixed = fixedText(part);
  if (fixed !== undefined) return [fixed];
  switch (part.type) {
    case "DoubleQuoted":
      return joined(part.parts, values);
    case "SimpleExpansion":
      return valuesOf(part.text.slice(1), values);
    case "ParameterExpansion":
      return part.prefix === undefined && part.index === undefined && part.operation === undefined
        ? valuesOf(part.parameter, values)
        : undefined;
    default:
      return undefined;
  }
}

/** Nothing, where it is not set yet, and what the line gives it. Other names bash sets, too. */
function valuesOf(name: string, values: Values): Texts {
  const { variables, found } = values;
  if (found.has(name) || values.depth >= depthOfValues) return found.get(name);
  found.set(name, undefined);
  values.depth += 1;
  found.set(name, variables.has(anyName) || !isOwnVariable(name) ? undefined : givenTo(name, values));
  values.depth -= 1;
  return found.get(name);
}

const givenTo = (name: string, values: Values): Texts =>
  allOf(values.variables.get(name) ?? (values.isAlone === true ? [] : [null]), values);

function allOf(given: readonly (Word | null)[], values: Values): Texts {
  const all = new Set([""]);
  for (const word of given) {
    const texts = word === null ? undefined : givenTexts(word, values);
    if (texts === undefined || all.size > mostWays) return undefined;
    for (const text of texts) all.add(text);
  }
  return all.size > mostWays ? undefined : [...all];
}

/** Of a word of a loop, or what is assigned: there braces stand for themselves, and blanks part nothing. */
function givenTexts(word: Word, values: Values): Texts {
  const { parts } = word;
  if (holdsTilde.test(word.text)) return undefined;
  if (parts === undefined) return [word.value];
  const [part] = parts;
  if (part?.type === "BraceExpansion" && parts.length === 1) return bracesOf(part.text);
  return parts.every((one) => isOne(one, values)) ? joined(parts, values) : undefined;
}

/** `{1..5}` and `{a,b}`, and the same as it stands. */
function bracesOf(text: string): Texts {
  const [, from, to] = /^\{(\d{1,6})\.\.(\d{1,6})\}$/u.exec(text) ?? [];
  if (from !== undefined && to !== undefined) {
    const [low, high] = [Math.min(Number(from), Number(to)), Math.max(Number(from), Number(to))];
    // `{01..10}`: with a nought before each.
    if (high - low >= mostWays - 2 || /^0\d/u.test(from) || /^0\d/u.test(to)) return undefined;
    return [text, ...Array.from({ length: high - low + 1 }, (_, at) => String(low + at))];
  }
  if (!/^\{[\w.,-]*\}$/u.test(text) || text.includes("..")) return undefined;
  const words = expandBraces(text, mostWays);
  return typeof words === "string" ? undefined : [text, ...words];
}
