import { CodeFences } from "./code-fences.ts";
import { HtmlComments } from "./html-comments.ts";
import { createMatcher } from "./match.ts";
import { CallInProgress, type CallPiece, type WrittenCall } from "./read-call.ts";

/** A piece that comes out of a text as it grows. */
export type XmlPiece = { type: "text"; text: string } | CallPiece | { type: "call"; call: WrittenCall };

/** Letters of `<tool_call>` after which a text that ends there is a call that was cut off. */
const telling = "<tool".length;

/** Reads tool calls out of a text that comes in pieces of any size, in time linear in its length. */
export class CallReader {
  readonly #fences = new CodeFences();
  readonly #comments = new HtmlComments();
  readonly #opening = createMatcher("<tool_call", true);
  #open: CallInProgress | undefined;
  #pieces: XmlPiece[] = [];
  #text = "";
  /** Offset of the character that is taken. */
  #at = 0;
  #last = "";
  #fenced = 0;

  /** Calls that were only shown, in a code fence, a quote, a list's item, indented code or a comment: they are text. */
  get fenced(): number {
    return this.#fenced;
  }

  push(text: string): XmlPiece[] {
    for (let index = 0; index < text.length; index += 1) {
      const char = text[index] as string;
      if (this.#open === undefined) this.#takeText(char);
      else if (this.#open.take(char, this.#at)) this.#close(this.#open);
      this.#at += 1;
    }
    this.#open?.tellGrown();
    return this.#taken();
  }

  /** The text is over: what was begun and not ended is INCOMPLETE. */
  end(): XmlPiece[] {
    const held = this.#opening.reset();
    const isCut = held.length >= telling && !this.#isCode();
    if (!isCut) this.#say(held);
    const call =
      this.#open?.call ?? (isCut ? { name: "", params: [], start: this.#at - held.length, end: 0 } : undefined);
    if (call !== undefined) this.#cutOff(call);
    return this.#taken();
  }

  #cutOff(call: WrittenCall): void {
    const which = call.name === "" ? "a call" : `the call of ${call.name}`;
    call.end = this.#at;
    call.fault ??= { kind: "INCOMPLETE", message: `${which} ends before its </tool_call>`, start: call.start };
    this.#open = undefined;
    this.#emit({ type: "call", call });
  }

  #takeText(char: string): void {
    const matched = this.#opening.take(char);
    if (matched === "more") return;
    if (matched === "whole") this.#begin(this.#opening.reset());
    else this.#say(matched);
  }

  #begin(tag: string): void {
    if (this.#fences.shown || this.#comments.inside) this.#fenced += 1;
    if (this.#isCode()) this.#say(tag);
    else this.#open = new CallInProgress(this.#at + 1 - tag.length, (piece) => this.#emit(piece));
  }

  #isCode(): boolean {
    return this.#fences.shown || this.#comments.inside || this.#last === "`";
  }

  #say(said: string): void {
    for (const char of said) {
      this.#comments.take(char, this.#fences.inside || this.#last === "`");
      this.#fences.take(char);
      this.#last = char;
    }
    this.#text += said;
  }

  #close({ call }: CallInProgress): void {
    call.end = this.#at + 1;
    this.#open = undefined;
    this.#last = ">";
    this.#emit({ type: "call", call });
  }

  #emit(piece: XmlPiece): void {
    if (this.#text !== "") this.#pieces.push({ type: "text", text: this.#text });
    this.#text = "";
    this.#pieces.push(piece);
  }

  #taken(): XmlPiece[] {
    if (this.#text !== "") this.#pieces.push({ type: "text", text: this.#text });
    this.#text = "";
    const taken = this.#pieces;
    this.#pieces = [];
    return taken;
  }
}
