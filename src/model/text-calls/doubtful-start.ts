import { isBlank } from "../xml/match.ts";
import type { Offer } from "./offered-names.ts";
import { templateSigns, thinking } from "./signs.ts";

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
  /** The beginning of the text, without blanks. */
  #head = "";
  #isLineBlank = true;
  #probe: Probe<never> | undefined;
  #from = 0;
  #isOpen = false;
  #isInside = false;
  #isUnclosed = false;
  /** One that words stand before on its line: it is none, but what follows may be a value of it. */
  #mention: Probe<never> | undefined;
  #isInMention = false;
  #last = "";
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

  /** The place of the last one. */
  get found(): number | undefined {
    return this.#found;
  }

  /** The place of the last one that is only shown. */
  get shown(): number | undefined {
    return this.#shown;
  }

  /** True if the arguments of one have begun, and have no end so far: the text there may be a value of theirs. */
  get isUnclosed(): boolean {
    return this.#isUnclosed || this.#isInside || this.#isInMention;
  }

  /** @param isShown it is code, a quote, a list's item or a comment */
  take(char: string, isShown: () => boolean): void {
    this.#goOn(char);
    this.#goOnInMention(char);
    if (char === "\n") this.#isLineBlank = true;
    else if (!isBlank(char)) {
      if (!this.#isLineBlank) this.#mentioned(char, isShown);
      if (this.#isLineBlank && this.#probe === undefined) this.#begin(char, isShown);
      else if (char === "<" && this.#probe === undefined && !isShown()) this.#beginInLine();
      this.#isLineBlank = false;
      if (this.#head.length < thought.length) this.#head += char;
    }
    this.#last = char;
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
      this.#isUnclosed ||= this.#isInside;
      this.#isInside = false;
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
    this.#probe = isFence ? fenced(char, this.#offer, this.#steps) : form(char, this.#offer, this.#steps);
    this.#goOn("");
  }

  /** Begins one within a line: a form that is no word of prose is one behind words on its line, too. */
  #beginInLine(): void {
    this.#isShown = false;
    this.#isOpen = false;
    this.#from = this.#at;
    this.#isHeld = false;
    this.#probe = inLine(this.#steps);
    this.#goOn("");
  }

  #mentioned(char: string, isShown: () => boolean): void {
    if (this.#mention !== undefined || this.#isInside || !/[[<f]/.test(char) || /[\w`]/.test(this.#last) || isShown())
      return;
    const inside = (isInside: boolean): void => {
      this.#isInMention = isInside;
    };
    this.#mention = form(char, this.#offer, { open: () => undefined, inside });
    this.#goOnInMention("");
  }

  #goOnInMention(char: string): void {
    try {
      this.#mention?.next(char);
    } catch (error) {
      if (error !== other) throw error;
      this.#mention = undefined;
      this.#isUnclosed ||= this.#isInMention;
      this.#isInMention = false;
    }
  }

  readonly #steps: Steps = {
    open: () => {
      this.#isOpen = true;
      if (this.#isShown) this.#shown = this.#from;
      else this.#found = this.#from;
    },
    inside: (isInside) => {
      this.#isInside = isInside;
    },
  };
}

/** Is told how far one is. */
interface Steps {
  /** It is plain that one is meant. */
  open(): void;
  /** Its arguments begin, or have ended. */
  inside(isInside: boolean): void;
}

const thought = "Thought:";

/** The error where the text that follows cannot belong to it. */
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

const startAction = "<|START_ACTION|>";
const marks = ["functools[", "<tools>", "<function>", startAction, thinking.mark, ...templateSigns];
const ends = ["</tools>", "</function>", "<|END_ACTION|>", "```", "~~~", ...templateSigns];

function* form(first: string, offer: Offer, steps: Steps): Probe<never> {
  let char = first;
  for (;;) {
    if (char === "[") return yield* list(offer, steps);
    if (char === "A") return yield* action(offer, steps);
    const mark = yield* oneOf(char, marks);
    if (mark === thinking.mark) yield* past(thinking.end);
    char = yield* afterBlanks();
    if (mark === thinking.mark || templateSigns.includes(mark)) continue;
    return yield* inJson(char, steps, mark === "functools[" ? 1 : 0);
  }
}

function* inLine(steps: Steps): Probe<never> {
  yield* literally(startAction.slice(1));
  return yield* inJson(yield* afterBlanks(), steps, 0);
}

function* inJson(first: string, steps: Steps, depth: number): Probe<never> {
  if (first !== "[" && first !== "{") fail();
  steps.open();
  return yield* ending(yield* nested(first, depth, steps));
}

/** Up to the end of a text that is to come. */
function* past(text: string): Probe<void> {
  for (let last = ""; last !== text; ) last = (last + (yield)).slice(-text.length);
}

function* fenced(sign: string, offer: Offer, steps: Steps): Probe<never> {
  yield* literally(sign + sign);
  let char = yield;
  while (/[\w \r]/.test(char)) char = yield;
  return char === "\n" ? yield* form(yield* afterBlanks(), offer, steps) : fail();
}

/** It is open with the beginning of the arguments of an offered tool's call. */
function* list(offer: Offer, steps: Steps): Probe<never> {
  let char = yield* offered(yield* afterBlanks(), offer);
  if (char !== "(") fail();
  char = yield* firstArgument(yield* afterBlanks());
  steps.open();
  for (;;) {
    char = yield* nested(char, 1, steps, true);
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

function* action(offer: Offer, steps: Steps): Probe<never> {
  yield* literally("ction:");
  const first = yield* afterBlanks(isSpace);
  const isQuoted = /[`"']/.test(first);
  let char = yield* offered(isQuoted ? yield : first, offer);
  if (isQuoted) char = char === first ? yield : fail();
  if ((isSpace(char) ? yield* afterBlanks(isSpace) : char) !== "\n") fail();
  if ((yield* afterBlanks()) !== "A") fail();
  yield* literally("ction Input:");
  steps.open();
  const input = yield* afterBlanks();
  return input === "{" ? yield* ending(yield* nested(input, 0, steps)) : fail();
}

const depths: Record<string, number> = { "(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1 };

/** Up to the bracket that closes it. */
function* nested(first: string, open: number, steps: Steps, isPython = false): Probe {
  let depth = open;
  steps.inside(true);
  for (let char = first; ; ) {
    if (char === '"' || char === "'") char = yield* string(char, isPython);
    else {
      depth += depths[char] ?? 0;
      if (depth === 0) steps.inside(false);
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
