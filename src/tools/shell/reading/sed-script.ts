import { type GivenOption, optionSpec, readOptions, type Words } from "./options.ts";
import { runnerOf } from "./runners/table.ts";
import type { Started } from "./started.ts";

/** What the text of a sed script does beside showing lines (GNU sed's manual, 3 to 6). */
export interface SedScript {
  /** Files behind `r` and `R`. */
  reads: string[];
  /** Files behind `w`, `W` and `s///w`. */
  writes: string[];
  /** Commands behind `e`. */
  runs: string[];
  /** It runs what a line of its input says: `e` alone, `s///e`. */
  runsLines: boolean;
  /** Whether all of it was read. */
  isKnown: boolean;
}

const spec = optionSpec(runnerOf("sed")?.options ?? "");

/** Names by which sed means what it has open. */
const open = new Set(["/dev/stdin", "/dev/stdout", "/dev/stderr", "-"]);

/** What it cannot be sure of ends the reading. */
class NotRead extends Error {}

/** Reads the text command by command. What sed itself may read in another way is not known. */
export function readSed(text: string): SedScript {
  const found: SedScript = { reads: [], writes: [], runs: [], runsLines: false, isKnown: true };
  try {
    new Reader(text, found).all();
  } catch (error) {
    if (!(error instanceof NotRead)) throw error;
    found.isKnown = false;
  }
  return found;
}

class Reader {
  readonly #text: string;
  readonly #found: SedScript;
  #at = 0;

  constructor(text: string, found: SedScript) {
    this.#text = text;
    this.#found = found;
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
    this.#until(other, true);
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
    else if (letter === "r" || letter === "R") this.#file(this.#found.reads);
    else if (letter === "w" || letter === "W") this.#file(this.#found.writes);
    else if (letter === "e") this.#run();
    else if (letter === "s") this.#substitution();
    else if (letter === "y") this.#pair(false);
    else throw new NotRead();
  }

  #substitution(): void {
    this.#pair(true);
    const [flags = ""] = this.#match(/[gpeiIMm\d \t]*/uy) ?? [];
    if (flags.includes("e")) this.#found.runsLines = true;
    if (this.#skip(/w/uy)) this.#file(this.#found.writes);
    else this.#end();
  }

  /** `/regex/replacement/`, with whatever stands in the place of the slash. */
  #pair(isPattern: boolean): void {
    const delimiter = this.#take();
    if (!/[!-~]/u.test(delimiter) || delimiter === "\\") throw new NotRead();
    this.#until(delimiter, isPattern);
    this.#until(delimiter, false);
  }

  /** Behind the delimiter. Not every sed lets it stand for itself in brackets. */
  #until(delimiter: string, isPattern: boolean): void {
    let isBracket = false;
    for (let next = this.#take(); next !== delimiter || isBracket; next = this.#take()) {
      if (next === delimiter) throw new NotRead();
      if (next === "\\") this.#take();
      else if (isPattern && next === "[" && !isBracket) {
        this.#skip(/\^?\]?/uy);
        isBracket = true;
      } else if (next === "]") isBracket = false;
    }
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

/** Whether it is known which word is sed's text, and that this neither runs nor writes anything. */
export function onlyShows(words: Words): boolean {
  const { options, operands } = readOptions(words, spec, true);
  const texts = sedTexts(options, operands);
  // Of a value that is not known bash may make no word, and what follows would be the value.
  if (texts.length === 0 || texts.includes(null) || options.some(({ value }) => value === null)) return false;
  const text = texts.join("\n");
  // Without these letters it can do none of that, however it is read: `s/[^/]*$//` is not read alike by all.
  if (!/[erw]/iu.test(text)) return true;
  const { isKnown, runs, runsLines, writes } = readSed(text);
  return isKnown && !runsLines && runs.length + writes.length === 0;
}

/** What sed starts: what stands behind `e`, as a shell would read it, and what is not known before it runs. */
export function sedStarts(words: Words): Started[] {
  const { options, operands } = readOptions(words, spec, true);
  const isStrange = !readOptions(
    words.filter((word) => word !== null),
    spec,
    true,
  ).isKnown;
  const { runs, runsLines } = readSed(sedTexts(options, operands).join("\n"));
  const trouble = isStrange
    ? "an option of sed is not known"
    : runsLines
      ? "sed's command e runs what it comes upon"
      : undefined;
  return [
    ...runs.map((code): Started => ({ kind: "code", code, reader: "sh" })),
    ...(trouble === undefined ? [] : [{ kind: "unknown", why: trouble } as const]),
  ];
}
