import { otherWords } from "./room.ts";

/** One way in which an English sentence comes out: its fixed text, with a group for each datum. */
interface Form {
  code: string;
  pattern: RegExp;
  /** The data that this way of it is said of. */
  fixed: Readonly<Record<string, unknown>>;
  lists: ReadonlySet<string>;
  /** How many characters of it are always the same. */
  literal: number;
}

/** Data by which a sentence of that code is put differently: it is looked for in each of these ways. */
export type Ways = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

type Sentences = Readonly<Record<string, unknown>>;
type Sentence = (about: object) => string;

const [opens, closes] = ["\u0001", "\u0002"];

/** Says the text in the language of the process, or undefined where it is no sentence of this contract. */
export type Again = (text: string) => string | undefined;

/**
 * What was said in the English of a contract, and is shown to a person who reads another language: events, journals and errors carry the
 * sentence alone. Which one it is, and of what, is found by the sentence itself, and counts only where it is the very same text when it is
 * said of that again. What it is said of may be a sentence, too: `inner` says that one.
 * @param name of the twin that other languages have of it
 */
export function again(name: string, english: object, ways: Ways, inner: Again, clauses: readonly string[]): Again {
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
    const said = (value: unknown) => (typeof value === "string" ? (inner(value) ?? value) : value);
    return Object.fromEntries(
      Object.entries(about).map(([name, value]) => [name, clauses.includes(name) ? said(value) : value]),
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
  const seen = new Set<string>();
  const parts = text.split(new RegExp(`(${opens}\\w+${closes})`, "u"));
  const source = parts.map((part) => {
    if (!part.startsWith(opens)) return part.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
    const name = part.slice(1, -1);
    const isAgain = seen.has(name);
    seen.add(name);
    return isAgain ? `\\k<${name}>` : `(?<${name}>.+?)`;
  });
  const literal = parts.filter((part) => !part.startsWith(opens)).join("").length;
  return { code, pattern: new RegExp(`^${source.join("")}$`, "su"), fixed, lists, literal };

  function datum(name: string): object {
    const mark = `${opens}${name}${closes}`;
    const join = (): string => {
      lists.add(name);
      return mark;
    };
    return { join, toString: () => mark };
  }
}

/** What the text is said of, if it is said in this form. */
function dataOf(
  { code, pattern, fixed, lists }: Form,
  english: Sentences,
  text: string,
): Readonly<Record<string, unknown>> | undefined {
  const groups = pattern.exec(text)?.groups;
  if (groups === undefined && !pattern.test(text)) return undefined;
  const found = Object.entries(groups ?? {}).map(([name, said]) => {
    if (lists.has(name)) return [name, said.split(", ")];
    return [name, String(Number(said)) === said ? Number(said) : said];
  });
  const about = { ...fixed, ...Object.fromEntries(found) };
  return say(english[code], about) === text ? about : undefined;
}
