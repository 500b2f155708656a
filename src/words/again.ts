import { otherWords } from "./room.ts";

/** One way in which an English sentence comes out: its fixed texts, the first before the first datum, and the data between them. */
interface Form {
  code: string;
  texts: readonly string[];
  names: readonly string[];
  /** The data that this way of it is said of. */
  fixed: Readonly<Record<string, unknown>>;
  lists: ReadonlySet<string>;
  /** The number of characters of it that are always the same. */
  literal: number;
}

/** Data by which a sentence of that code is put differently: it is looked for in each of these ways. */
export type Ways = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

type Sentences = Readonly<Record<string, unknown>>;
type Sentence = (about: object) => string;

const oneWord = /^\s*\S+$/u;

/**
 * The forms of data, by their names, in sentences that begin with data: such a one is in much that a model wrote of something else. The blanks
 * before a word are those that its line is set in by.
 */
const kinds: Readonly<Record<string, RegExp>> = {
  word: /^\S+$/u,
  id: oneWord,
  tool: oneWord,
  sign: oneWord,
  signal: oneWord,
  // A tag may have words in it.
  tag: /^(?:\S+|<[^<:]+)$/u,
  indent: /^\s+$/u,
  types: /^(?:text|null|true or false|an? (?:whole |JSON )?(?:number|array|object))(?: or |$)/u,
  exit: oneWord,
  time: /^[^()]+$/u,
};

const isOfItsKind = (name: string, said: string): boolean => kinds[name]?.test(said) !== false;

/** Tells whether data can be those of a row. Where it begins with words of its own it is known by them, whatever a person typed stands behind. */
const isOfKinds = ({ texts, names }: Pick<Row, "texts" | "names">, found: readonly string[]): boolean =>
  texts[0] !== "" || found.every((said, at) => isOfItsKind(names[at] ?? "", said));

const [opens, closes] = ["\u0001", "\u0002"];

/** Says the text in the language of the process, or undefined where it is no sentence of this contract. */
export type Again = (text: string) => string | undefined;

/**
 * Makes the function that says a sentence of a contract's English again, for a person who reads another language: events, journals and errors
 * carry the sentence alone. Which one it is, and of what, is found by the sentence itself, and counts only where it is the very same text when
 * it is said of that again.
 * @param name of the twin that other languages have of it
 * @param clauses data that may be said again themselves, each with what does that
 */
export function again(name: string, english: object, ways: Ways, clauses: Readonly<Record<string, Again>>): Again {
  let forms: readonly Form[] | undefined;
  return (text) => {
    const twin = otherWords()?.[name] as Sentences | undefined;
    if (twin === undefined) return undefined;
    forms ??= formsOf(english as Sentences, ways);
    for (const form of forms) {
      const about = dataOf(form, english as Sentences, text);
      if (about !== undefined) return say(twin[form.code], withClauses(about));
    }
    return undefined;
  };

  function withClauses(about: Readonly<Record<string, unknown>>): object {
    return Object.fromEntries(
      Object.entries(about).map(([name, value]) => [
        name,
        typeof value === "string" ? (clauses[name]?.(value) ?? value) : value,
      ]),
    );
  }
}

const say = (sentence: unknown, about: object): string =>
  typeof sentence === "function" ? (sentence as Sentence)(about) : String(sentence);

/** Those with the most fixed text first: what is short is in much that is said. */
function formsOf(english: Sentences, ways: Ways): Form[] {
  return Object.entries(english)
    .flatMap(([code, sentence]) => (ways[code] ?? [{}]).map((fixed) => formOf(code, sentence, fixed)))
    .toSorted((one, other) => other.literal - one.literal);
}

function formOf(code: string, sentence: unknown, fixed: Readonly<Record<string, unknown>>): Form {
  const lists = new Set<string>();
  const text = say(
    sentence,
    new Proxy(fixed, { get: (known, name) => (name in known ? known[String(name)] : datum(String(name))) }),
  );
  const parts = text.split(new RegExp(`${opens}(\\w+)${closes}`, "u"));
  const texts = parts.filter((_, at) => at % 2 === 0);
  const names = parts.filter((_, at) => at % 2 === 1);
  return { code, texts, names, fixed, lists, literal: texts.join("").length };

  function datum(name: string): object {
    const mark = `${opens}${name}${closes}`;
    const join = (): string => {
      lists.add(name);
      return mark;
    };
    return { join, toString: () => mark };
  }
}

/** Returns the data that the text is said of, if it is said in this form. */
function dataOf(form: Form, english: Sentences, text: string): Readonly<Record<string, unknown>> | undefined {
  const found = between(text, form.texts)?.map((said, at) => {
    const name = form.names[at] ?? "";
    if (form.lists.has(name)) return [name, said.split(", ")];
    return [name, String(Number(said)) === said ? Number(said) : said];
  });
  if (found === undefined || !found.every(([name, said]) => name !== "word" || isOfItsKind(name, String(said))))
    return undefined;
  const about = { ...form.fixed, ...Object.fromEntries(found) };
  return say(english[form.code], about) === text ? about : undefined;
}

/**
 * Finds the texts that stand between these, each where it comes first behind the one before and a character at least, the last at the end;
 * undefined where they do not follow one another so. Linear: what a model or a repository named may stand in the text.
 */
function between(text: string, [first = "", ...others]: readonly string[]): string[] | undefined {
  if (!text.startsWith(first)) return undefined;
  if (others.length === 0) return text === first ? [] : undefined;
  const found: string[] = [];
  let from = first.length;
  for (const [at, literal] of others.entries()) {
    const isLast = at === others.length - 1;
    const to = isLast ? text.length - literal.length : text.indexOf(literal, from + 1);
    if (to < from + 1 || (isLast && !text.endsWith(literal))) return undefined;
    found.push(text.slice(from, to));
    from = to + literal.length;
  }
  return found;
}

/**
 * The same, each text where it comes last before the one behind it: of a sentence that begins with anything and ends with its own words. What it
 * begins with, as a command, may have the sentence in it.
 */
function fromEnd(text: string, literals: readonly string[]): string[] | undefined {
  const found: string[] = [];
  const last = literals.at(-1) ?? "";
  if (!text.endsWith(last)) return undefined;
  let to = text.length - last.length;
  for (const literal of literals.slice(1, -1).toReversed()) {
    const at = text.lastIndexOf(literal, to - 1 - literal.length);
    if (at < 1 || to - 1 - literal.length < 1) return undefined;
    found.unshift(text.slice(at + literal.length, to));
    to = at;
  }
  return to < 1 ? undefined : [text.slice(0, to), ...found];
}

/** Sentences that stand where they are thrown, in English with `{data}` between its texts, each with the same in another language. */
export type Table = Readonly<Record<string, string>>;

interface Row {
  texts: readonly string[];
  names: readonly string[];
  /** The other language's, taken apart the same way. */
  said: readonly string[];
  find: (text: string, literals: readonly string[]) => string[] | undefined;
}

const holes = /\{(\w+)\}/u;

/** Texts at even places, names of data at odd ones. */
const partsOf = (template: string): string[] => template.split(holes);

const rowsOf = (table: Table): Row[] =>
  Object.entries(table)
    .map(([english, other]) => {
      const parts = partsOf(english);
      const texts = parts.filter((_, at) => at % 2 === 0);
      const names = parts.filter((_, at) => at % 2 === 1);
      const isOpen =
        names.length > 0 && texts[0] === "" && texts.at(-1) !== "" && !Object.hasOwn(kinds, names[0] ?? "");
      return { texts, names, said: partsOf(other), find: isOpen ? fromEnd : between };
    })
    .toSorted((one, other) => rankOf(other) - rankOf(one));

/**
 * Ranks a row: one that begins with a text of its own is looked for before one that may begin with anything: it may have the other inside. But
 * a command may begin like any row: that its end stands behind it is looked for first.
 */
const rankOf = ({ texts, names }: Row): number =>
  texts.join("").length + (texts[0] !== "" ? 10_000 : names[0] === "command" ? 20_000 : 0);

/**
 * The same by a table of the other language, where the English is no room: what tools, the store and the model's client throw is told to
 * models, and read by people on a card or at a program's end.
 * @param tableOf what the process speaks, if it has that; @param inner says a datum again that is one of `clauses`
 */
export function againByTable(tableOf: () => Table | undefined, inner: Again, clauses: readonly string[]): Again {
  let known: { table: Table; rows: readonly Row[] } | undefined;
  return (text) => {
    const table = tableOf();
    if (table === undefined) return undefined;
    if (known?.table !== table) known = { table, rows: rowsOf(table) };
    const isOne = !text.includes("\n");
    for (const row of known.rows) {
      // A sentence is a line: what stands in another line is no datum of it.
      const found = isOne || row.texts.some((one) => one.includes("\n")) ? row.find(text, row.texts) : undefined;
      if (found !== undefined && isOfKinds(row, found)) return filled(row, found);
    }
    return undefined;
  };

  function filled({ names, said }: Row, found: readonly string[]): string {
    const datum = (name: string): string => {
      const value = found[names.indexOf(name)] ?? "";
      return clauses.includes(name) ? (inner(value) ?? value) : value;
    };
    return said.map((part, at) => (at % 2 === 0 ? part : datum(part))).join("");
  }
}
