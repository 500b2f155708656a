/** In a sentence the place of another one of the same room; as data it is that one's code and data, or text that was given. */
export type Clause = string & { readonly isClause?: never };

/** True if a sentence's datum is another sentence. */
type IsClause<Datum> = Datum extends { readonly isClause?: never } ? true : false;

type AboutOf<Words, About> = {
  [Name in keyof About]: IsClause<About[Name]> extends true ? Coded<Words> | string : About[Name];
};

/** The codes of those sentences that are the same whatever they are said of. */
export type PlainCode<Words> = { [Code in keyof Words]: Words[Code] extends string ? Code : never }[keyof Words];

type Spoken<Words> = {
  [Code in keyof Words]: Words[Code] extends (about: infer About) => string
    ? { code: Code } & AboutOf<Words, About>
    : never;
}[keyof Words];

/** A sentence of a room as data, plain JSON: which one it is, and what it is about. */
export type Coded<Words> = { code: PlainCode<Words> } | Spoken<Words>;

// Keeps words 1.
/** Says a sentence in the words of its room. Text that was given is said as it is. */
export function worded<Words extends object>(words: Words, said: Coded<Words> | string): string {
  if (typeof said === "string") return said;
  const { code, ...about } = said as { code: keyof Words } & Record<string, unknown>;
  const sentence: unknown = words[code];
  if (typeof sentence !== "function") return String(sentence);
  const inner = (datum: unknown): unknown =>
    typeof datum === "object" && datum !== null && "code" in datum ? worded(words, datum as Coded<Words>) : datum;
  return sentence(Object.fromEntries(Object.entries(about).map(([name, datum]) => [name, inner(datum)])));
}
