/** Words of a command after unquoting; null where one is not known before it runs. */
export type Words = readonly (string | null)[];

/**
 * Options that a program knows, as its manual has them: `-a --all` take no value, `-n= --lines=` take one, `--color?` may have one
 * behind an equals sign, `-i?` one that follows at once.
 */
export type OptionSpec = ReadonlyMap<string, "" | "=" | "?">;

export const optionSpec = (text: string): OptionSpec =>
  new Map(
    text
      .split(/\s+/u)
      .filter((word) => word !== "")
      .map((word) => {
        const [, name = "", kind = ""] = /^(.+?)([=?]?)$/u.exec(word) ?? [];
        return [name, kind as "" | "=" | "?"];
      }),
  );

export interface ReadOptions {
  /** As they were written, `-abc` as three. The value is null where it is not known. */
  options: { name: string; value?: string | null }[];
  operands: Words;
  /** Whether every option is one of the program's. Where it is not, operands are all words that do not begin with a dash. */
  isKnown: boolean;
}

/** @param permuted whether options may stand behind operands, as in GNU's programs; else the first operand ends them. */
export function readOptions(words: Words, spec: OptionSpec, permuted: boolean): ReadOptions {
  const options: ReadOptions["options"] = [];
  const operands: (string | null)[] = [];
  let isKnown = true;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? null;
    if (word === "--") return { options, operands: [...operands, ...words.slice(at + 1)], isKnown };
    if (isOperand(word)) {
      // A word that is not known may be an option.
      if (word === null) isKnown = false;
      if (!permuted) return { options, operands: words.slice(at), isKnown };
      operands.push(word);
      continue;
    }
    const read = readOption(word, words[at + 1], spec);
    at += read.taken;
    isKnown &&= read.isKnown;
    options.push(...read.options);
  }
  return { options, operands, isKnown };
}

/** `taken`: how many of the words behind it are its value. */
function readOption(word: string, next: string | null | undefined, spec: OptionSpec) {
  const read = word.startsWith("--") ? readLong(word, spec) : readShort(word, spec);
  const last = read?.options.at(-1);
  if (read === undefined || last === undefined) return { options: [], isKnown: false, taken: 0 };
  if (!read.wantsValue) return { options: read.options, isKnown: true, taken: 0 };
  last.value = next ?? null;
  return { options: read.options, isKnown: last.value !== null, taken: 1 };
}

const isOperand = (word: string | null): word is null => word === null || !word.startsWith("-") || word === "-";

type ReadOne = { options: ReadOptions["options"]; wantsValue: boolean } | undefined;

function readLong(word: string, spec: OptionSpec): ReadOne {
  const equals = word.indexOf("=");
  const name = equals < 0 ? word : word.slice(0, equals);
  const kind = spec.get(name);
  if (kind === undefined || (kind === "" && equals >= 0)) return undefined;
  if (equals >= 0) return { options: [{ name, value: word.slice(equals + 1) }], wantsValue: false };
  return { options: [{ name }], wantsValue: kind === "=" };
}

function readShort(word: string, spec: OptionSpec): ReadOne {
  // `head -20`: a program that takes numbers lists the first of them.
  if (spec.has("-0") && /^-\d+$/u.test(word)) return { options: [{ name: word }], wantsValue: false };
  if (spec.has(word)) return { options: [{ name: word }], wantsValue: spec.get(word) === "=" };
  const options: ReadOptions["options"] = [];
  for (let at = 1; at < word.length; at += 1) {
    const name = `-${word[at]}`;
    const kind = spec.get(name);
    if (kind === undefined) return undefined;
    const rest = word.slice(at + 1);
    if (kind === "" || (kind === "?" && rest === "")) options.push({ name });
    else return { options: [...options, rest === "" ? { name } : { name, value: rest }], wantsValue: rest === "" };
  }
  return { options, wantsValue: false };
}
