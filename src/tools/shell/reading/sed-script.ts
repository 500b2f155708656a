import type { CertainWord } from "../../../core/command.ts";
import { shellDoubts } from "../../../words/contract/shell-doubts.ts";
import { mostWays } from "./expansions.ts";
import { type GivenOption, optionSpec, readOptions, type Words } from "./options.ts";
import { runnerOf } from "./runners/table.ts";
import type { Started } from "./started.ts";

/** The effects of the text of a sed script beside showing lines (GNU sed's manual, 3 to 6). */
export interface SedScript {
  /** Files behind `r` and `R`. */
  reads: string[];
  /** Files behind `w`, `W` and `s///w`. */
  writes: string[];
  /** Commands behind `e`. */
  runs: string[];
  /** It runs what a line of its input says: `e` alone, `s///e`. */
  runsLines: boolean;
  /** True if all of it was read. */
  isKnown: boolean;
}

const spec = optionSpec(runnerOf("sed")?.options ?? "");

/** Names by which sed means what it has open. */
const open = new Set(["/dev/stdin", "/dev/stdout", "/dev/stderr", "-"]);

/** The end of the reading, at a part of which it cannot be sure. */
class NotRead extends Error {}

/** Each sed that reads it so takes the whole text for wrong, and does nothing of it but to open the files that it writes up to there. */
class Refused extends Error {}

/** Reads the text command by command, in each way in which programs read it. What sed itself may read in another way is not known. */
export function readSed(text: string): SedScript {
  const plain = readBy(text, undefined);
  if (!text.includes("[")) return plain;
  const found = unionOf(brackets.map((bracket) => readBy(text, bracket)));
  const isAlike = JSON.stringify(unionOf([found, plain])) === JSON.stringify(found);
  return { ...found, isKnown: found.isKnown && isAlike };
}

const unionOf = (all: readonly SedScript[]): SedScript => ({
  reads: [...new Set(all.flatMap(({ reads }) => reads))],
  writes: [...new Set(all.flatMap(({ writes }) => writes))],
  runs: [...new Set(all.flatMap(({ runs }) => runs))],
  runsLines: all.some(({ runsLines }) => runsLines),
  isKnown: all.every(({ isKnown }) => isKnown),
});

function readBy(text: string, bracket: Bracket | undefined): SedScript {
  const found: SedScript = { reads: [], writes: [], runs: [], runsLines: false, isKnown: true };
  try {
    new Reader(text, found, bracket).all();
  } catch (error) {
    if (error instanceof NotRead) found.isKnown = false;
    else if (!(error instanceof Refused)) throw error;
  }
  return found;
}

/**
 * The ways in which programs find the end of a bracket, in which a sign that would end the pattern does not: a text is what any of them makes of it,
 * and not known where one that knew of no bracket would make more of it. They part over a backslash, and over what stands in `[: :]`.
 */
const brackets: readonly Bracket[] = [
  { whole: /\^?\]?[^\]]*\]/uy, inPairs: true },
  { whole: /\^?\]?(?:\\[\s\S]|[^\]\\])*\]/uy },
  { whole: /\^?\]?(?:\[:[\s\S]*?:\]|\[\.[\s\S]*?\.\]|\[=[\s\S]*?=\]|(?!\[[:.=])[^\]])*\]/uy },
  { whole: /\^?\]?(?:\[:[\s\S]*?:\]|\[\.[\s\S]*?\.\]|\[=[\s\S]*?=\]|\\[\s\S]|(?!\[[:.=])[^\]\\])*\]/uy },
  { whole: gnuBracket() },
];

interface Bracket {
  /** Behind `[`. */
  whole: RegExp;
  /** In the first half of `y`, too. */
  inPairs?: true;
}

/** GNU's: before the `]` that ends a class its sign stands an odd number of times, and what cannot end it goes on. */
function gnuBracket(): RegExp {
  const classes = [":", "\\.", "="].map(
    (sign) => `\\[+${sign}(?:[^${sign}]|${sign}(?:${sign}|[^${sign}\\]]))*${sign}\\]`,
  );
  return new RegExp(`\\^?\\]?(?:${classes.join("|")}|(?!\\[+[:.=])[^\\]])*\\]`, "uy");
}

class Reader {
  readonly #text: string;
  readonly #found: SedScript;
  readonly #bracket: Bracket | undefined;
  #at = 0;

  constructor(text: string, found: SedScript, bracket: Bracket | undefined) {
    this.#text = text;
    this.#found = found;
    this.#bracket = bracket;
  }

  all(): void {
    for (this.#skip(/[\s;]*/uy); this.#at < this.#text.length; this.#skip(/[\s;]*/uy)) {
      this.#addresses();
      this.#command(this.#take());
    }
  }

  #addresses(): void {
    if (this.#address() && this.#skip(/[ \t]*,[ \t]*/uy) && !this.#address() && !this.#skip(/[+~]\d+/uy))
      throw new NotRead();
    this.#skip(/[ \t]*/uy);
    while (this.#skip(/![ \t]*/uy));
  }

  #address(): boolean {
    if (this.#skip(/\d+(?:~\d+)?|\$/uy)) return true;
    const [, other = "/"] = this.#match(/\/|\\([!-~])/uy) ?? [undefined, ""];
    if (other === "") return false;
    this.#until(other, this.#bracket);
    this.#skip(/[IM]*/uy);
    return true;
  }

  #command(letter: string): void {
    if (letter === "{") return;
    if ("}=dDFgGhHnNpPxz".includes(letter)) this.#end();
    else if ("lLqQ".includes(letter)) this.#end(/[ \t]*\d*/uy);
    else if (letter === "#") this.#line();
    else if ("aic".includes(letter)) this.#words();
    else if (":btTv".includes(letter)) this.#label();
    else if ("rR".includes(letter)) this.#file(this.#found.reads);
    else if ("wW".includes(letter)) this.#file(this.#found.writes);
    else if (letter === "e") this.#run();
    else if (letter === "s") this.#substitution();
    else if (letter === "y") this.#pair(this.#bracket?.inPairs === true ? this.#bracket : undefined);
    else this.#none(letter);
  }

  /** No sed has a command of such a name. GNU's takes `+` for the beginning of an address, also of the first; BusyBox's a comma before one. */
  #none(letter: string): never {
    throw /[\][^*()$.|?<>@&_-]/u.test(letter) ? new Refused() : new NotRead();
  }

  #substitution(): void {
    this.#pair(this.#bracket);
    const [flags = ""] = this.#match(/[gpeiIMm\d \t]*/uy) ?? [];
    if (flags.includes("e")) this.#found.runsLines = true;
    if (this.#skip(/w/uy)) this.#file(this.#found.writes);
    // BusyBox's goes on in the next line behind a backslash, wherever that stands.
    else if (this.#skip(/(?=[!-~])[^;}#\\]|\\(?!\n|$)/uy)) throw new Refused();
    else this.#end();
  }

  /** `/regex/replacement/`, with whatever stands in the place of the slash. */
  #pair(bracket: Bracket | undefined): void {
    const delimiter = this.#take();
    if (!/[!-~]/u.test(delimiter) || delimiter === "\\") throw new NotRead();
    this.#until(delimiter, bracket);
    this.#until(delimiter, undefined);
  }

  /** Behind the delimiter. Where there is none, no sed takes the text. */
  #until(delimiter: string, bracket: Bracket | undefined): void {
    for (let next = this.#next(); next !== delimiter; next = this.#next()) {
      if (next === "\\") this.#next();
      else if (next === "[" && bracket !== undefined && !this.#skip(bracket.whole)) throw new Refused();
    }
  }

  #next(): string {
    if (this.#at >= this.#text.length) throw new Refused();
    return this.#take();
  }

  #run(): void {
    this.#skip(/[ \t]*/uy);
    const command = this.#words();
    if (command === "") this.#found.runsLines = true;
    else this.#found.runs.push(command);
  }

  #file(names: string[]): void {
    this.#skip(/[ \t]*/uy);
    const name = this.#line();
    if (name === "") throw new NotRead();
    if (!open.has(name)) names.push(name);
  }

  #label(): void {
    if (!this.#skip(/[ \t]*[\w.-]*[ \t]*(?=[;\n}]|$)/uy)) throw new NotRead();
  }

  /** @param before what may stand behind the command's letter. */
  #end(before = /[ \t]*/uy): void {
    this.#skip(before);
    if (!this.#skip(/[ \t\r]*(?=[;\n}#]|$)/uy)) throw new NotRead();
  }

  /** Up to a line break that no backslash stands before. */
  #words(): string {
    const [words = ""] = this.#match(/(?:\\[\s\S]|[^\\\n])*\\?/uy) ?? [];
    return words;
  }

  #line(): string {
    const [line = ""] = this.#match(/[^\n]*/uy) ?? [];
    return line;
  }

  #take(): string {
    const [next] = this.#match(/[\s\S]/uy) ?? [];
    if (next === undefined) throw new NotRead();
    return next;
  }

  #skip(pattern: RegExp): boolean {
    return this.#match(pattern) !== null;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }
}

/** The texts of a sed command: those behind -e, null for a file's, or the first operand where no option brings a script. */
export function sedTexts(given: readonly GivenOption[], operands: Words): Words {
  const brought = given.filter(({ name }) => /^(?:-e|--expression|-f|--file)$/u.test(name));
  const texts = brought.map(({ name, value = null }) => (/^(?:-e|--expression)$/u.test(name) ? value : null));
  return texts.length > 0 ? texts : operands.slice(0, 1);
}

/** Options by which it writes in its operands, or takes its text from a file. */
const changes = /^(?:-[a-z]*i|--in-place|--follow-symlinks|-[a-zA-Z]*f|--file)/u;

/**
 * Tells whether it is known which word is sed's text, and that this neither runs nor writes anything, whichever text the line gives its words.
 * @param certain what is sure of words that are not known, by their places among these
 */
export function onlyShows(words: Words, certain: readonly CertainWord[] = []): boolean {
  const ways = waysOf(words, certain);
  return ways.every((way) => showsSo(way, ways.length > 1));
}

/** The words with each text that the line can give one of them; as they are, where these are too many. */
function waysOf(words: Words, certain: readonly CertainWord[]): Words[] {
  let ways: Words[] = [words];
  for (const { at, texts = [] } of certain) {
    if (texts.length * ways.length > mostWays) return [words];
    if (texts.length > 0) ways = ways.flatMap((way) => texts.map((text) => way.with(at, text)));
  }
  return ways;
}

/** @param isGiven its text may hold what the line gives a variable: the files that this names are none of those that were looked at. */
function showsSo(words: Words, isGiven: boolean): boolean {
  if (words.some((word) => word !== null && changes.test(word))) return false;
  const { options, operands } = readOptions(words, spec, true);
  const texts = sedTexts(options, operands);
  // Of a value that is not known bash may make no word, and what follows would be the value.
  if (texts.length === 0 || texts.includes(null) || options.some(({ value }) => value === null)) return false;
  if (!knowsOptions(words)) return false;
  const text = texts.join("\n");
  // Without these letters it can do none of that, however it is read.
  if (!/[erw]/iu.test(text)) return true;
  const { isKnown, runs, runsLines, reads, writes } = readSed(text);
  return isKnown && !runsLines && runs.length + writes.length === 0 && !(isGiven && reads.length > 0);
}

/** Of those that are known: a name that is cut short may be `--expression`. */
const knowsOptions = (words: Words): boolean =>
  readOptions(
    words.filter((word) => word !== null),
    spec,
    true,
  ).isKnown;

/** Places of words that are sed's text and no file, whatever of its texts the line gives each; none where another word may be an option. */
export function textPlaces(words: Words, certain: readonly CertainWord[]): number[] {
  const plain = certain.filter(({ texts }) => texts?.some((text) => text.startsWith("-")) === false);
  const named = plain.reduce((all: Words, { at }) => all.with(at, nameOf(at)), words);
  if (named.includes(null)) return [];
  const { options, operands } = readOptions(named, spec, true);
  const texts = sedTexts(options, operands);
  return plain.map(({ at }) => at).filter((at) => texts.includes(nameOf(at)));
}

/** No word of bash holds such a character. */
const nameOf = (at: number): string => `\0${at}`;

/** Lists the code that sed starts: the text behind `e`, as a shell would read it, and code that is not known before it runs. */
export function sedStarts(words: Words): Started[] {
  const { options, operands } = readOptions(words, spec, true);
  const isStrange = !knowsOptions(words);
  const { runs, runsLines } = readSed(sedTexts(options, operands).join("\n"));
  const trouble = isStrange ? shellDoubts.odd_option({ word: "sed" }) : runsLines ? shellDoubts.sed_runs : undefined;
  return [
    ...runs.map((code): Started => ({ kind: "code", code, reader: "sh" })),
    ...(trouble === undefined ? [] : [{ kind: "unknown", why: trouble } as const]),
  ];
}
