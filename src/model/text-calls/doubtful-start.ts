import { isBlank } from "../xml/match.ts";
import type { Offer } from "./offer.ts";
import { templateSigns } from "./signs.ts";

/** Is given one character after another, and throws as soon as these cannot belong to it. What it returns stands behind it. */
type Probe<Found = string> = Generator<undefined, Found, string>;

/**
 * Finds where a call is written in a form that answers have, too: on a line of its own. The last such place counts. Where it may be all
 * of the reply, its text is kept back for as long as nothing else follows. It only looks: what the text is taken for is decided once all
 * of it is there. A few steps a character.
 */
export class DoubtfulStart {
  readonly #offer: Offer;
  #at = 0;
  /** How the text begins, without blanks. */
  #head = "";
  #isLineBlank = true;
  #probe: Probe<never> | undefined;
  #from = 0;
  #isOpen = false;
  #isHeld = false;
  #isShown = false;
  #found: number | undefined;
  #shown: number | undefined;

  constructor(offer: Offer) {
    this.#offer = offer;
  }

  /** From where on the text may be calls that are all of the reply, as far as it is known now: an offset. */
  get from(): number | undefined {
    return this.#isHeld ? this.#from : undefined;
  }

  /** Where the last one stands. */
  get found(): number | undefined {
    return this.#found;
  }

  /** Where the last one stands that is only shown. */
  get shown(): number | undefined {
    return this.#shown;
  }

  /** @param isShown it is code, a quote, a list's item or a comment */
  take(char: string, isShown: () => boolean): void {
    this.#goOn(char);
    if (char === "\n") this.#isLineBlank = true;
    else if (!isBlank(char)) {
      if (this.#isLineBlank && this.#probe === undefined) this.#begin(char, isShown);
      this.#isLineBlank = false;
      if (this.#head.length < thought.length) this.#head += char;
    }
    this.#at += char.length;
  }

  /** The text is over: what has only begun is none. */
  end(): void {
    this.#isHeld &&= this.#isOpen;
  }

  #goOn(char: string): void {
    try {
      this.#probe?.next(char);
    } catch (error) {
      if (error !== other) throw error;
      this.#probe = undefined;
      this.#isHeld = false;
    }
  }

  #begin(char: string, isShown: () => boolean): void {
    const isFirst = this.#head === "";
    const isFence = isFirst && (char === "`" || char === "~");
    if (!isFence && !/[[<fA]/.test(char)) return;
    this.#isShown = !isFence && isShown();
    this.#isOpen = false;
    this.#from = this.#at;
    this.#isHeld = !this.#isShown && (isFirst || (char === "A" && this.#head === thought));
    this.#probe = isFence ? fenced(char, this.#offer, this.#open) : form(char, this.#offer, this.#open);
    this.#goOn("");
  }

  readonly #open = (): void => {
    this.#isOpen = true;
    if (this.#isShown) this.#shown = this.#from;
    else this.#found = this.#from;
  };
}

const thought = "Thought:";

/** What follows cannot belong to it. */
const other = new Error("no call");

function fail(): never {
  throw other;
}

/** Longer ones no tool has, with what models put before it. */
const longestName = 200;

function* afterBlanks(blanks: (char: string) => boolean = isBlank): Probe {
  let char = yield;
  while (blanks(char)) char = yield;
  return char;
}

function* literally(text: string): Probe<void> {
  for (const char of text) if ((yield) !== char) fail();
}

function* oneOf(char: string, texts: readonly string[]): Probe {
  let text = char;
  while (!texts.includes(text)) {
    if (!texts.some((one) => one.startsWith(text))) fail();
    text += yield;
  }
  return text;
}

/** The name of an offered tool. */
function* offered(first: string, { names }: Offer): Probe {
  let name = "";
  let char = first;
  while (/[\w.:/-]/.test(char) && name.length < longestName) {
    name += char;
    char = yield;
  }
  return names.has(names.meant(name)) ? char : fail();
}

const marks = ["functools[", "<tools>", "<function>", "<|START_ACTION|>", ...templateSigns];
const ends = ["</tools>", "</function>", "<|END_ACTION|>", "```", "~~~", ...templateSigns];

function* form(first: string, offer: Offer, open: () => void): Probe<never> {
  let char = first;
  for (;;) {
    if (char === "[") return yield* list(offer, open);
    if (char === "A") return yield* action(offer, open);
    const mark = yield* oneOf(char, marks);
    char = yield* afterBlanks();
    if (templateSigns.includes(mark)) continue;
    if (char !== "[" && char !== "{") fail();
    open();
    return yield* ending(yield* nested(char, mark === "functools[" ? 1 : 0));
  }
}

function* fenced(sign: string, offer: Offer, open: () => void): Probe<never> {
  yield* literally(sign + sign);
  let char = yield;
  while (/[\w \r]/.test(char)) char = yield;
  return char === "\n" ? yield* form(yield* afterBlanks(), offer, open) : fail();
}

/** It is open with the beginning of the arguments of an offered tool's call. */
function* list(offer: Offer, open: () => void): Probe<never> {
  let char = yield* offered(yield* afterBlanks(), offer);
  if (char !== "(") fail();
  char = yield* firstArgument(yield* afterBlanks());
  open();
  for (;;) {
    char = yield* nested(char, 1, true);
    if (isBlank(char)) char = yield* afterBlanks();
    if (char === ",") char = yield* afterBlanks();
    if (char === "]") return yield* ending(yield);
    char = yield* nextCall(char);
  }
}

/** None, one that has a name, or a string. */
function* firstArgument(first: string): Probe {
  let char = first;
  if (/[)"']/.test(char)) return char;
  if (!/[A-Za-z_]/.test(char)) fail();
  while (/\w/.test(char)) char = yield;
  if (isBlank(char)) char = yield* afterBlanks();
  return char === "=" ? char : fail();
}

function* nextCall(first: string): Probe {
  let char = first;
  if (!/\w/.test(char)) fail();
  while (/[\w.:/-]/.test(char)) char = yield;
  return char === "(" ? yield : fail();
}

const isSpace = (char: string): boolean => char === " " || char === "\t" || char === "\r";

function* action(offer: Offer, open: () => void): Probe<never> {
  yield* literally("ction:");
  const char = yield* offered(yield* afterBlanks(isSpace), offer);
  if ((isSpace(char) ? yield* afterBlanks(isSpace) : char) !== "\n") fail();
  if ((yield* afterBlanks()) !== "A") fail();
  yield* literally("ction Input:");
  open();
  const input = yield* afterBlanks();
  return input === "{" ? yield* ending(yield* nested(input, 0)) : fail();
}

/** Up to the bracket that closes it. */
function* nested(first: string, open: number, isPython = false): Probe {
  let depth = open;
  for (let char = first; ; ) {
    if (char === '"' || char === "'") char = yield* string(char, isPython);
    else {
      if ("([{".includes(char)) depth += 1;
      if (")]}".includes(char)) depth -= 1;
      char = yield;
      if (depth === 0) return char;
    }
  }
}

function* string(quote: string, isPython: boolean): Probe {
  let char = yield;
  if (char === quote) {
    char = yield;
    return isPython && char === quote ? yield* long(quote) : char;
  }
  for (; char !== quote; char = yield) {
    if (char === "\\") yield;
    else if (isPython && char === "\n") fail();
  }
  return yield;
}

function* long(quote: string): Probe {
  for (let times = 0; times < 3; ) {
    const char = yield;
    times = char === quote ? times + 1 : 0;
    if (char === "\\") yield;
  }
  return yield;
}

/** Behind the calls: what ends them, and the reply. */
function* ending(first: string): Probe<never> {
  for (let char = first; ; char = yield) {
    if (isBlank(char)) char = yield* afterBlanks();
    yield* oneOf(char, ends);
  }
}
