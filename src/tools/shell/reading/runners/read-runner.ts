import {
  type GivenOption,
  type OptionSpec,
  optionSpec,
  type ReadOptions,
  readOptions,
  type Words,
} from "../options.ts";
import { openByName } from "../own-process.ts";
import type { Runner } from "./table.ts";

/** The words behind a runner's name, by its row. */
export interface ReadRunner {
  options: GivenOption[];
  operands: Words;
  isKnown: boolean;
  /** It only tells of itself. */
  tells: boolean;
  /** It takes its code from its input. */
  isFed: boolean;
  /** As `ReadOptions` has them. */
  strange: ReadOptions["strange"];
}

const specs = new Map<Runner, OptionSpec>();

function specOf(runner: Runner): OptionSpec {
  const known = specs.get(runner) ?? optionSpec(runner.options);
  specs.set(runner, known);
  return known;
}

export function readRunner(runner: Runner, words: Words): ReadRunner {
  const other = runner.plus === true ? /^\+(?=[a-zA-Z])/u : /^--(?=[a-zA-Z])/u;
  const isAlike = runner.plus === true || runner.oneDash === true;
  const plain = isAlike ? words.map((word) => word?.replace(other, "-") ?? null) : words;
  const read = behindVerb(runner, optionsOf(runner, plain));
  const { options, isKnown, operands, verb, strange } = read;
  const means = new Set(options.map((option) => option.means));
  const tells = (isKnown && means.has("v")) || (verb !== undefined && isAmong(runner.idle, verb));
  return { options, operands, isKnown, strange, tells, isFed: !tells && runner.fed === true && isFed(runner, read) };
}

const optionsOf = (runner: Runner, words: Words): ReadOptions =>
  readOptions(words, specOf(runner), runner.permuted === true, runner.ends?.split(" "));

interface BehindVerb extends ReadOptions {
  /** The first word, where it only says what is to be done. */
  verb?: string;
}

/** Behind a verb there may be options again. */
function behindVerb(runner: Runner, read: ReadOptions): BehindVerb {
  const [first, ...rest] = read.operands;
  if (typeof first !== "string" || !(isAmong(runner.verbs, first) || isAmong(runner.idle, first))) return read;
  if (runner.permuted === true) return { ...read, operands: rest, verb: first };
  const more = optionsOf(runner, rest);
  return {
    options: [...read.options, ...more.options],
    operands: more.operands,
    isKnown: read.isKnown && more.isKnown,
    strange: [...read.strange, ...more.strange],
    verb: first,
  };
}

/** Tells whether an option brings the code that runs, so that no operand does: a module only where all words behind it are its own. */
export const bringsCode = ({ ends = "" }: Runner, { name, means }: GivenOption): boolean =>
  means === "c" || means === "k" || means === "s" || (means === "m" && isAmong(ends, name));

function isFed(runner: Runner, { options, operands, isKnown, verb }: BehindVerb): boolean {
  const means = new Set(options.map((option) => option.means));
  if (means.has("i") || operands[0] === "-" || openByName.test(operands[0] ?? "")) return true;
  const hasCode =
    options.some((option) => bringsCode(runner, option)) || (means.has("f") && runner.operands !== "script");
  return operands.length === 0 && isKnown && verb === undefined && !hasCode;
}

const isAmong = (names: string | undefined, word: string): boolean => names?.split(" ").includes(word) === true;
