import { foldCase } from "../../../core/fold-case.ts";
import { carriesCommands } from "./carriers.ts";
import { baseName } from "./wrappers.ts";

/** Words of a command after unquoting; null is one that is known only when it runs, and may become any number of words. */
export type Argv = readonly (string | null)[];

/**
 * A pattern of commands: `git status` means exactly these words, `npm test *` these and any or no arguments. It is written as a shell
 * would be given the words, quotes and all; compared after unquoting, letter for letter.
 */
export interface ArgvPattern {
  words: string[];
  open: boolean;
}

const piece =
  /(?<blank>[ \t]+)|'(?<single>[^']*)'|"(?<double>(?:[^"\\$`]|\\.)*)"|\\(?<escaped>[^\n])|(?<plain>[^\s'"\\;|&$`<>()#]|(?<=[^ \t])#)/uy;

/** @returns what is wrong with the pattern, in words, when it cannot be read. */
export function parseArgvPattern(pattern: string): ArgvPattern | { wrong: string } {
  const read = readWords(pattern.trim());
  if (read === undefined)
    return { wrong: "a pattern is one simple command: no ; | & $ ` < > ( ) # and no line break in it, unless quoted" };
  if (read.length === 0) return { wrong: "the pattern is empty" };
  const open = read.at(-1)?.isStar === true;
  const fixed = open ? read.slice(0, -1) : read;
  if (fixed.length === 0) return { wrong: "'*' alone would mean every command" };
  if (fixed.some(({ hasStar }) => hasStar))
    return { wrong: "'*' may only stand by itself, as the last word (as in 'npm test *'), or quoted" };
  return { words: fixed.map(({ text }) => text), open };
}

interface PatternWord {
  text: string;
  isStar: boolean;
  hasStar: boolean;
}

function readWords(text: string): PatternWord[] | undefined {
  const words: PatternWord[] = [];
  let word: PatternWord | undefined;
  for (let at = 0; at < text.length; at = piece.lastIndex) {
    piece.lastIndex = at;
    const groups = piece.exec(text)?.groups;
    if (groups === undefined) return undefined;
    const { blank, single, double, escaped, plain } = groups;
    if (blank !== undefined) {
      word = undefined;
      continue;
    }
    if (word === undefined) {
      word = { text: "", isStar: false, hasStar: false };
      words.push(word);
    }
    word.text += plain ?? single ?? escaped ?? double?.replace(/\\(["\\$`])/gu, "$1") ?? "";
    word.hasStar ||= plain === "*";
    word.isStar = word.hasStar && word.text === "*";
  }
  return words;
}

/** A pattern that means exactly these words. */
export const escapeWords = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");

/** Tells whether an allow by this pattern would allow any command at all, e.g. `bash *`. */
export const allowsEverything = ({ words, open }: ArgvPattern): boolean =>
  open && words.every((word) => carriesCommands(word) || word.startsWith("-"));

/** For allow: every word is known, and they are those of the pattern. */
export function coversArgv({ words, open }: ArgvPattern, argv: Argv): boolean {
  if (argv.includes(null) || !words.every((word, at) => word === argv[at])) return false;
  return open || argv.length === words.length;
}

export type Touch = "yes" | "maybe" | "no";

/** Tells whether a word of a command, known or not, is a word of a pattern. */
type SameWord = (word: string | null | undefined, wanted: string | null) => boolean;
type SameOption = (found: string, wanted: string) => boolean;

/**
 * For deny and ask: whether a command is, or may turn out to be, what the pattern means. The program counts by the last part of its
 * name; options count wherever they stand, alone or together, long ones shortened; with `*` further words and options do not matter.
 * @param isSame what counts as the same operand; letter for letter unless it is given.
 * @param isOption what counts as the same option
 */
export function touchesArgv(
  pattern: ArgvPattern,
  argv: Argv,
  isSame: SameWord = (word, wanted) => word === wanted,
  isOption: SameOption = meansOption,
): Touch {
  const [program, ...rest] = argv;
  if (program === undefined) return "no";
  if (program === null) return "maybe";
  const [wanted = "", ...fixed] = pattern.words;
  const name = foldCase(baseName(program));
  if (foldCase(baseName(wanted)) !== name) return "no";
  const looks = [rest, withoutGlobals(name, rest)].map((words) =>
    touchesWords({ fixed, open: pattern.open, isSame, isOption }, words),
  );
  return looks.includes("yes") ? "yes" : looks.includes("maybe") ? "maybe" : "no";
}

interface Wanted {
  fixed: readonly string[];
  open: boolean;
  isSame: SameWord;
  isOption: SameOption;
}

function touchesWords({ fixed, open, isSame, isOption }: Wanted, words: Argv): Touch {
  const found = split(words);
  const wanted = split(fixed);
  const gap = found.operands.indexOf(null);
  const isUnknown = words.includes(null);
  const sure = gap < 0 ? found.operands : found.operands.slice(0, gap);
  const fits = wanted.operands.every((word, at) => (at < sure.length ? isSame(sure[at], word) : isUnknown));
  const hasOptions = wanted.options.every((option) => found.options.some((one) => isOption(one, option)));
  const isWhole = sure.length === wanted.operands.length && found.options.length <= wanted.options.length;
  if (fits && isUnknown) return hasOptions && open && sure.length >= wanted.operands.length ? "yes" : "maybe";
  if (fits && hasOptions && (open || isWhole)) return "yes";
  // An option before them may have taken one of the words as its value.
  const isLed = words[0]?.startsWith("-") === true && wanted.operands.length > 0;
  return isLed && hasOptions && isAmong(wanted.operands, sure, isSame) ? "maybe" : "no";
}

function isAmong(wanted: Argv, words: Argv, isSame: SameWord): boolean {
  let at = 0;
  for (const word of words) if (isSame(word, wanted[at] ?? null)) at += 1;
  return at === wanted.length;
}

/** Options apart from the other words; `-rf` is two. */
function split(words: Argv): { operands: (string | null)[]; options: string[] } {
  const end = words.indexOf("--");
  const head = end < 0 ? words : words.slice(0, end);
  const isOption = (word: string | null): word is string => word?.startsWith("-") === true && word.length > 1;
  const options = head
    .filter(isOption)
    .flatMap((word) =>
      word.startsWith("--") || !/^-[A-Za-z]+$/u.test(word)
        ? [word]
        : [word, ...[...word.slice(1)].map((letter) => `-${letter}`)],
    );
  return {
    operands: [...head.filter((word) => !isOption(word)), ...(end < 0 ? [] : words.slice(end + 1))],
    options: [
      ...new Set(
        options.filter((one, _, all) => one.length === 2 || one.startsWith("--") || !all.includes(`-${one[1]}`)),
      ),
    ],
  };
}

/** `--forc` is `--force` to many programs, and `--force=x` too. */
export function meansOption(found: string, wanted: string): boolean {
  const [name = ""] = found.split("=");
  if (!wanted.startsWith("--")) return found === wanted || (found.startsWith(wanted) && !found.startsWith("--"));
  return name === wanted || (name.length > 2 && name.startsWith("--") && wanted.startsWith(name));
}

/** An option with its value behind a "=" means one with the same value. @param isSame as of `touchesArgv` */
export const meansValue =
  (isSame: SameWord): SameOption =>
  (found, wanted) => {
    const [, name = wanted, value] = /^(--[^=]+)=(.*)$/su.exec(wanted) ?? [];
    if (value === undefined) return meansOption(found, wanted);
    const [, other = "", given] = /^(--[^=]+)=(.*)$/su.exec(found) ?? [];
    return other !== "" && meansOption(other, name) && isSame(given, value);
  };

const gitGlobals = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--config-env",
  "--exec-path",
]);

/** `git -C x push` pushes. */
function withoutGlobals(program: string, words: Argv): Argv {
  if (program !== "git") return words;
  let at = 0;
  while (words[at]?.startsWith("-") === true) at += gitGlobals.has(words[at] ?? "") ? 2 : 1;
  return words.slice(at);
}
