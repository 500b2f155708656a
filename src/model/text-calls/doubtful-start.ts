import { isBlank } from "../xml/match.ts";
import type { Offer } from "./offer.ts";

/** Is given one character after another. True as soon as what they begin may be a call, false as soon as it cannot. */
type Probe<Found = boolean> = Generator<undefined, Found, string>;

/**
 * Finds where a call may begin in a form that answers have, too: on a line of its own, and a list in Python as all of the text or behind
 * an empty line. It only looks: what the text is taken for is decided once all of it is there. The first such place counts, so that a
 * call within what cannot be read is none. A few steps a character.
 */
export class DoubtfulStart {
  readonly #offer: Offer;
  #at = 0;
  #isFirst = true;
  #isLineBlank = true;
  #wasLineBlank = true;
  #probes: Probe[] = [];
  #from = 0;
  #isShown = false;
  #found: number | undefined;
  #shown: number | undefined;

  constructor(offer: Offer) {
    this.#offer = offer;
  }

  /** From where on the text may be calls, as far as it is known now: an offset. */
  get from(): number | undefined {
    return this.#found ?? (this.#probes.length > 0 && !this.#isShown ? this.#from : undefined);
  }

  /** Where the last one stands that is only shown. */
  get shown(): number | undefined {
    return this.#shown;
  }

  /** @param isShown it is code, a quote, a list's item or a comment */
  take(char: string, isShown: () => boolean): void {
    if (this.#found === undefined) this.#look(char, isShown);
    this.#at += char.length;
  }

  /** The text is over: what has only begun is none. */
  end(): void {
    this.#probes = [];
  }

  #look(char: string, isShown: () => boolean): void {
    if (this.#probes.length > 0) this.#goOn(char);
    if (char === "\n") {
      this.#wasLineBlank = this.#isLineBlank;
      this.#isLineBlank = true;
    } else if (!isBlank(char) && this.#isLineBlank) {
      if (this.#probes.length === 0) this.#begin(char, isShown);
      this.#isLineBlank = false;
      this.#isFirst = false;
    }
  }

  #goOn(char: string): void {
    const left: Probe[] = [];
    for (const probe of this.#probes) {
      const { done, value } = probe.next(char);
      if (done !== true) left.push(probe);
      else if (value) {
        if (this.#isShown) this.#shown = this.#from;
        else this.#found = this.#from;
      }
    }
    this.#probes = this.#found === undefined ? left : [];
  }

  #begin(char: string, isShown: () => boolean): void {
    const probes = this.#probesOf(char);
    if (probes.length === 0) return;
    const isFence = char === "`" || char === "~";
    this.#isShown = !isFence && isShown();
    if (char === "[" && !this.#isFirst && !this.#wasLineBlank && !this.#isShown) return;
    this.#from = this.#at;
    for (const probe of probes) probe.next("");
    this.#probes = probes;
  }

  #probesOf(char: string): Probe[] {
    if (char === "[") return [list(this.#offer)];
    if ((char === "`" || char === "~") && this.#isFirst) return [fencedList(char, this.#offer)];
    if (char === "f") return [behind("unctools[")];
    if (char === "<") return [behind("tools>"), behind("function>"), behind("|START_ACTION|>")];
    return char === "A" ? [action(this.#offer)] : [];
  }
}

/** Longer ones no tool has, with what models put before it. */
const longestName = 200;

function* afterBlanks(blanks: (char: string) => boolean = isBlank): Probe<string> {
  let char = yield;
  while (blanks(char)) char = yield;
  return char;
}

function* literally(text: string): Probe {
  for (const char of text) if ((yield) !== char) return false;
  return true;
}

/** The name of an offered tool, and what stands behind it. */
function* offered(first: string, { names }: Offer): Probe<string | undefined> {
  let name = "";
  let char = first;
  while (/[\w.:/-]/.test(char) && name.length < longestName) {
    name += char;
    char = yield;
  }
  return names.has(names.meant(name)) ? char : undefined;
}

/** Behind the `[`: a call without arguments, or one whose first argument has a name, or is a string. */
function* list(offer: Offer): Probe {
  if ((yield* offered(yield* afterBlanks(), offer)) !== "(") return false;
  let char = yield* afterBlanks();
  if (/[)"']/.test(char)) return true;
  if (!/[A-Za-z_]/.test(char)) return false;
  while (/\w/.test(char)) char = yield;
  return (isBlank(char) ? yield* afterBlanks() : char) === "=";
}

function* fencedList(mark: string, offer: Offer): Probe {
  if (!(yield* literally(mark + mark))) return false;
  let char = yield;
  while (/[\w \r]/.test(char)) char = yield;
  return char === "\n" && (yield* afterBlanks()) === "[" && (yield* list(offer));
}

function* behind(mark: string): Probe {
  if (!(yield* literally(mark))) return false;
  return /[[{]/.test(yield* afterBlanks());
}

const isSpace = (char: string): boolean => char === " " || char === "\t" || char === "\r";

function* action(offer: Offer): Probe {
  if (!(yield* literally("ction:"))) return false;
  const char = yield* offered(yield* afterBlanks(isSpace), offer);
  if (char === undefined) return false;
  if ((isSpace(char) ? yield* afterBlanks(isSpace) : char) !== "\n") return false;
  return (yield* afterBlanks()) === "A" && (yield* literally("ction Input:"));
}
