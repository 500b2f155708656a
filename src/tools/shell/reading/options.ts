import type { FileOption } from "../../../core/command.ts";

/** Words of a command after unquoting; null where one is not known before it runs. */
export type Words = readonly (string | null)[];

/**
 * The meaning of an option to its program, behind a colon in a table's text: `r` reads the file that it names, `w` writes it (or below the folder),
 * `l` reads a list of more files, `a` reads one behind an @ (or what else its value says), `x` runs a program that it names, or does what a text
 * says · of runners: `f` a file that runs or is loaded, `d` a folder that code is taken from, `s` the script itself, `m` a module, `c` code, `k` the
 * first operand is code, `C` the folder that it goes to, `W` a package of the workspace, `u` runs what no word names, `i` code comes from its input,
 * `v` it only tells of itself.
 */
export type OptionMeaning =
  | "r"
  | "l"
  | "a"
  | "w"
  | "x"
  | "f"
  | "s"
  | "d"
  | "m"
  | "c"
  | "k"
  | "C"
  | "W"
  | "u"
  | "i"
  | "v";

export interface OptionKind {
  takes: "" | "=" | "?";
  means?: OptionMeaning;
}

/**
 * Options that a program knows, as its manual has them: `-a --all` take no value, `-n= --lines=` take one, `--color?` may have one
 * behind an equals sign, `-i?` one that follows at once; `-o=:w` writes the file that its value names.
 */
export type OptionSpec = ReadonlyMap<string, OptionKind>;

export const optionSpec = (text: string): OptionSpec =>
  new Map(
    text
      .split(/\s+/u)
      .filter((word) => word !== "")
      .map((word) => {
        const [, name = "", takes = "", means] = /^(.+?)([=?]?)(?::([a-zA-Z]))?$/u.exec(word) ?? [];
        const kind = { takes: takes as OptionKind["takes"], ...(means === undefined ? {} : { means }) };
        return [name, kind as OptionKind];
      }),
  );

/** One option as it was given; the value is null where it is not known. */
export interface GivenOption {
  name: string;
  /** The word that it stands in. */
  word: string;
  value?: string | null;
  means?: OptionMeaning;
}

export interface ReadOptions {
  /** As they were written, `-abc` as three. */
  options: GivenOption[];
  operands: Words;
  /** True if every option is one of the program's. Where it is not, operands are all words that do not begin with a dash. */
  isKnown: boolean;
  /** Words that are none of its options, each with what follows it. */
  strange: { word: string; next?: string }[];
}

/**
 * @param permuted whether options may stand behind operands, as in GNU's programs; else the first operand ends them.
 * @param ends names of options behind which no word is an option any more.
 */
export function readOptions(
  words: Words,
  spec: OptionSpec,
  permuted: boolean,
  ends: readonly string[] = [],
): ReadOptions {
  const options: ReadOptions["options"] = [];
  const operands: (string | null)[] = [];
  const strange: ReadOptions["strange"] = [];
  let isKnown = true;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? null;
    if (word === "--") return { options, operands: [...operands, ...words.slice(at + 1)], isKnown, strange };
    if (isOperand(word)) {
      // A word that is not known may be an option.
      if (word === null) isKnown = false;
      if (!permuted) return { options, operands: words.slice(at), isKnown, strange };
      operands.push(word);
      continue;
    }
    const read = readOption(word, words[at + 1], spec);
    at += read.taken;
    isKnown &&= read.isKnown;
    strange.push(...read.strange);
    options.push(...read.options);
    if (ends.includes(read.options.at(-1)?.name ?? ""))
      return { options, operands: [...operands, ...words.slice(at + 1)], isKnown, strange };
  }
  return { options, operands, isKnown, strange };
}

/** `taken`: how many of the words behind it are its value. */
function readOption(
  word: string,
  next: string | null | undefined,
  spec: OptionSpec,
): Pick<ReadOptions, "options" | "isKnown" | "strange"> & { taken: number } {
  const read = word.startsWith("--") ? readLong(word, spec) : readShort(word, spec);
  const last = read?.options.at(-1);
  if (read === undefined || last === undefined) {
    const strange = [typeof next === "string" ? { word, next } : { word }];
    return { options: mayMean(word, spec), isKnown: false, strange, taken: 0 };
  }
  if (!read.wantsValue) return { options: read.options, isKnown: true, strange: [], taken: 0 };
  last.value = next ?? null;
  return { options: read.options, isKnown: last.value !== null, strange: [], taken: 1 };
}

/**
 * Of a word that is none of the program's options as they are listed: the options with a meaning that it may turn out to be, shortened
 * (`--out=x`) or among others (`-qo`). Of a short one its value is not known.
 */
function mayMean(word: string, spec: OptionSpec): GivenOption[] {
  const [name = "", ...rest] = word.split("=");
  const isLong = word.startsWith("--");
  const value = isLong && rest.length > 0 ? rest.join("=") : null;
  const fits = (option: string): boolean => {
    if (isLong) return option.startsWith("--") && name.length > 2 && option.startsWith(name);
    return option.length === 2 && word.slice(1).includes(option.slice(1));
  };
  return [...spec]
    .filter(([option, { means }]) => means !== undefined && fits(option))
    .map(([option, { means }]) => ({ name: option, word, value, ...(means === undefined ? {} : { means }) }));
}

const isOperand = (word: string | null): word is null => word === null || !word.startsWith("-") || word === "-";

type ReadOne = { options: GivenOption[]; wantsValue: boolean } | undefined;

const given = (name: string, word: string, { means }: OptionKind): GivenOption => ({
  name,
  word,
  ...(means === undefined ? {} : { means }),
});

function readLong(word: string, spec: OptionSpec): ReadOne {
  const equals = word.indexOf("=");
  const name = equals < 0 ? word : word.slice(0, equals);
  const kind = spec.get(name);
  if (kind === undefined || (kind.takes === "" && equals >= 0)) return undefined;
  const option = given(name, word, kind);
  if (equals >= 0) return { options: [{ ...option, value: word.slice(equals + 1) }], wantsValue: false };
  return { options: [option], wantsValue: kind.takes === "=" };
}

function readShort(word: string, spec: OptionSpec): ReadOne {
  // `head -20`: a program that takes numbers lists the first of them.
  if (spec.has("-0") && /^-\d+$/u.test(word)) return { options: [{ name: word, word }], wantsValue: false };
  const whole = spec.get(word);
  if (whole !== undefined) return { options: [given(word, word, whole)], wantsValue: whole.takes === "=" };
  return readBehindDash(word, spec) ?? readLetters(word, spec);
}

/** `-toolexec=./e.sh`: long names behind one dash. */
function readBehindDash(word: string, spec: OptionSpec): ReadOne {
  const equals = word.indexOf("=");
  const name = word.slice(0, Math.max(equals, 0));
  const kind = name.length > 2 ? spec.get(name) : undefined;
  if (kind === undefined || kind.takes === "") return undefined;
  return { options: [{ ...given(name, word, kind), value: word.slice(equals + 1) }], wantsValue: false };
}

function readLetters(word: string, spec: OptionSpec): ReadOne {
  const options: GivenOption[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const name = `-${word[at]}`;
    const kind = spec.get(name);
    if (kind === undefined) return undefined;
    const rest = word.slice(at + 1);
    if (kind.takes === "" || (kind.takes === "?" && rest === "")) options.push(given(name, word, kind));
    else {
      const option = given(name, word, kind);
      return { options: [...options, rest === "" ? option : { ...option, value: rest }], wantsValue: rest === "" };
    }
  }
  return { options, wantsValue: false };
}

const effects: Readonly<Partial<Record<OptionMeaning, FileOption["does"]>>> = {
  r: "reads",
  l: "reads",
  a: "reads",
  w: "writes",
  x: "runs",
  f: "runs",
  s: "runs",
  d: "runs",
  m: "runs",
  c: "runs",
  u: "runs",
  C: "goes",
  W: "goes",
};

/** Those that write, run or read a file, or go to another folder; what follows `-c` of a shell is seen through, and judged by itself. */
export function fileOptionsOf(options: readonly GivenOption[]): FileOption[] {
  return options.flatMap(({ name, word, means, value }) => {
    if (means === "a" && typeof value === "string" && !isFileValue(name, value)) return [];
    const does =
      means === undefined
        ? undefined
        : means === "a" && /%output\{/u.test(value ?? "%output{")
          ? "writes"
          : effects[means];
    return does === undefined ? [] : [{ word, name, does }];
  });
}

/** A value is text unless it has an @ or a < where a file may begin; of a cookie, unless it has no equals sign. */
const isFileValue = (name: string, value: string): boolean =>
  name === "-b" || name === "--cookie" ? !value.includes("=") : /(?:^|[=;,])[@<]|@|%output\{/u.test(value);
