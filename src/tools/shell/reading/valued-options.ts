import { foldCase } from "../../../core/fold-case.ts";
import type { Argv } from "./argv-pattern.ts";
import { type Names, valuedOptions, withCommands } from "./option-names.ts";
import { baseName } from "./wrappers.ts";

/**
 * The same command with each option that is known to take a value joined to it by its long name: `-XPOST`, `-X POST`, `-sX POST` and `--request POST`
 * become `--request=POST`. For what denies and asks alone. Undefined where no table tells of the program.
 */
export function withJoinedValues(argv: Argv): Argv | undefined {
  const [program, ...words] = argv;
  if (typeof program !== "string") return undefined;
  const name = foldCase(baseName(program));
  const own = valuedOptions(name);
  if (!withCommands.has(name)) return own && [program, ...joined(words, own)];
  const at = commandAt(words, own ?? none);
  const behind = [`${name} *`, `${name} ${words[at]}`].flatMap((key) => [...(valuedOptions(key) ?? [])]);
  return [program, ...joined(words.slice(0, at), own ?? none), ...joined(words.slice(at), new Map(behind))];
}

const isOption = (word: string | null | undefined): word is string =>
  word?.startsWith("-") === true && word.length > 1 && word !== "--";

/** The place of the first word that is no option, nor the value of one. */
function commandAt(words: Argv, names: Names): number {
  let at = 0;
  for (let word = words[at]; isOption(word); word = words[at])
    at += readOption(word, words[at + 1], names).takesNext ? 2 : 1;
  return at;
}

function joined(words: Argv, names: Names): Argv {
  const found: (string | null)[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? null;
    if (word === "--") return [...found, ...words.slice(at)];
    const read = isOption(word) ? readOption(word, words[at + 1], names) : { words: [word], takesNext: false };
    found.push(...read.words);
    if (read.takesNext) at += 1;
  }
  return found;
}

const none: Names = new Map();

/** An option with its value, from its own word or the next one; `takesNext`: the next one is in it. */
function readOption(
  word: string,
  next: string | null | undefined,
  names: Names,
): { words: string[]; takesNext: boolean } {
  const given = (name: string, before: string[]): { words: string[]; takesNext: boolean } =>
    typeof next === "string"
      ? { words: [...before, `${name}=${next}`], takesNext: true }
      : { words: [...before, name], takesNext: false };
  if (word.startsWith("--")) {
    const [, name = "", value] = /^(--[^=]*)(?:=(.*))?$/su.exec(word) ?? [];
    const long = longName(name, names);
    if (long === undefined) return { words: [word], takesNext: false };
    return value === undefined ? given(long, []) : { words: [`${long}=${value}`], takesNext: false };
  }
  for (let at = 1; at < word.length; at += 1) {
    const long = names.get(`-${word[at]}`);
    if (long === undefined) continue;
    const before = at === 1 ? [] : [word.slice(0, at)];
    const value = word.slice(at + 1);
    return value === "" ? given(long, before) : { words: [...before, `${long}=${value}`], takesNext: false };
  }
  return { words: [word], takesNext: false };
}

/** Long names may be shortened, as long as they could be no other one of those that take a value. */
function longName(name: string, names: Names): string | undefined {
  const known = names.get(name);
  if (known !== undefined || name.length < 4) return known;
  const meant = new Set([...names].flatMap(([one, long]) => (one.startsWith(name) ? [long] : [])));
  return meant.size === 1 ? [...meant][0] : undefined;
}

/**
 * The same command with the values of those long options apart from their names behind which a word stands in the pattern: `--opt=value` becomes
 * `--opt value` for `foo --opt value *`, whatever the program is.
 */
export function withValuesApart(argv: Argv, pattern: readonly string[]): Argv {
  const names = pattern.filter((word, at) => /^--[^=]+$/u.test(word) && pattern[at + 1]?.startsWith("-") === false);
  if (names.length === 0) return argv;
  return argv.flatMap((word) => {
    const [, name = "", value] = /^(--[^=]{2,})=(.*)$/su.exec(word ?? "") ?? [];
    return value !== undefined && names.some((one) => one.startsWith(name)) ? [name, value] : [word];
  });
}
