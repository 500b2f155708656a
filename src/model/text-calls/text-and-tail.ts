import { CodeFences } from "../xml/code-fences.ts";
import { HtmlComments } from "../xml/html-comments.ts";
import { isBlank } from "../xml/match.ts";
import type { DoubtfulStart } from "./doubtful-start.ts";
import { textForms } from "./forms.ts";

const isAnywhere = new Map(
  textForms.flatMap(({ markers, anywhere = false }) => markers.map((marker) => [marker, anywhere])),
);
const markers = [...isAnywhere.keys()];

/** So much of a reply that begins as JSON does is looked at before it is shown. Characters. */
const beginning = 100;

/** A reply that may be one call, or a list of them, and nothing else. */
const bareCall = /^\s*(?:\[\s*)?\{\s*(?:"(?:type|id)"\s*:\s*"[^"]*"\s*,\s*)*"(?:name|function)"\s*:/;

/**
 * Parts a reply's text, which comes in pieces of any size, into what is shown and the tail that may be calls: from the first sign on
 * that begins one in any form, on a line of its own, outside of code, quotes, lists and comments. Before it, or without it, may stand a
 * call in a form that answers have, too: what may be one is kept back, and changes nothing else. Linear.
 */
export class TextAndTail {
  readonly #fences = new CodeFences();
  readonly #comments = new HtmlComments();
  /** The text that may become a sign, or the beginning of a bare call. */
  #held = "";
  #tail: string | undefined;
  #said = "";
  #isFresh = true;
  #isBare = false;
  #isLineBlank = true;
  #last = "";
  #at = 0;
  readonly #shownAt: number[] = [];
  readonly #doubtful: DoubtfulStart | undefined;
  /** Offset of what is said and not taken yet. */
  #from = 0;

  constructor(doubtful?: DoubtfulStart) {
    this.#doubtful = doubtful;
  }

  /** The places of signs that only show a call: offsets in the text. */
  get shownAt(): readonly number[] {
    return this.#shownAt;
  }

  /** @returns what is shown of it now. */
  push(text: string): string {
    let at = 0;
    for (; at < text.length && !this.#isOver(); at += 1) this.#take(text.charAt(at));
    if (this.#isOver()) this.#tail = `${this.#tail}${text.slice(at)}`;
    return this.#takeSaid();
  }

  /** The text is over. @returns what is shown of it yet, what may be calls of a doubtful form, and the tail; empty where there is none. */
  end(): Parted {
    const held = this.#held;
    this.#held = "";
    if (this.#isBare && bareCall.test(held)) this.#tail = held;
    else this.#say(held);
    this.#doubtful?.end();
    const said = this.#takeSaid();
    return { said, doubtful: this.#said, tail: this.#tail ?? "" };
  }

  #isOver(): boolean {
    return this.#tail !== undefined;
  }

  #take(char: string): void {
    if (this.#isFresh && !isBlank(char)) {
      this.#isFresh = false;
      this.#isBare = (char === "{" || char === "[") && !this.#fences.shown;
    }
    if (this.#isBare) this.#takeBare(char);
    else this.#takeSign(char);
  }

  #takeBare(char: string): void {
    this.#held += char;
    if (this.#held.startsWith("[TOOL_")) this.#isBare = false;
    else if (this.#held.length < beginning) return;
    else if (bareCall.test(this.#held)) {
      this.#tail = this.#held;
      this.#held = "";
      return;
    }
    this.#isBare = false;
    const held = this.#held;
    this.#held = "";
    this.#again(held);
  }

  #again(held: string): void {
    for (let at = 0; at < held.length; at += 1) {
      if (this.#tail === undefined) this.#takeSign(held.charAt(at));
      else {
        this.#tail += held.slice(at);
        return;
      }
    }
  }

  #takeSign(char: string): void {
    const held = this.#held + char;
    const isBeginning = (held.startsWith("<") || held.startsWith("[")) && markers.some((one) => one.startsWith(held));
    if (isBeginning && !isAnywhere.has(held)) {
      this.#held = held;
      return;
    }
    this.#held = "";
    if (isBeginning) this.#meet(held);
    else if (held.length === 1) this.#say(held);
    else {
      this.#say(held.charAt(0));
      this.#again(held.slice(1));
    }
  }

  #meet(marker: string): void {
    const isShown = this.#isShown() || this.#last === "`";
    if (!isShown && (this.#isLineBlank || isAnywhere.get(marker) === true)) {
      this.#tail = marker;
      return;
    }
    this.#shownAt.push(this.#at);
    this.#say(marker);
  }

  #say(said: string): void {
    for (const char of said) {
      this.#doubtful?.take(char, this.#isShown);
      this.#comments.take(char, this.#fences.inside || this.#last === "`");
      this.#fences.take(char);
      this.#isLineBlank = char === "\n" || (this.#isLineBlank && isBlank(char));
      this.#last = char;
    }
    this.#at += said.length;
    this.#said += said;
  }

  readonly #isShown = (): boolean => this.#fences.shown || this.#comments.inside;

  #takeSaid(): string {
    const end = (this.#doubtful?.from ?? this.#at) - this.#from;
    if (end <= 0) return "";
    const said = this.#said.slice(0, end);
    this.#said = this.#said.slice(end);
    this.#from += said.length;
    return said;
  }
}

/** A text in its three parts. */
export interface Parted {
  said: string;
  doubtful: string;
  tail: string;
}
