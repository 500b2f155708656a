import { isBlank } from "./match.ts";
import { readValue, type ValueReader } from "./read-value.ts";
import { skipCall } from "./skip-call.ts";

/** A parameter as it was written: its text, of no type yet. `start` is where its tag begins. */
export interface WrittenParam {
  name: string;
  text: string;
  start: number;
}

/** A call as it was written. With a `fault` it is not to be run; `name` is empty where none was read. */
export interface WrittenCall {
  name: string;
  params: WrittenParam[];
  /** Offsets in the text, in UTF-16 units: of its first character, and of the one after its last. */
  start: number;
  end: number;
  fault?: { kind: "PARSE" | "INCOMPLETE"; message: string; start: number };
}

/** A piece of a call as it is written. A value's pieces come only where it is in CDATA; `param` always has all of it. */
export type CallPiece =
  | { type: "name"; name: string }
  | { type: "value"; name: string; text: string }
  | { type: "param"; param: WrittenParam };

/** A tag between `<` and `>`; attributes are not known. */
const tagPattern = /^(\/?)([^\s<>/!?][^\s<>/]*)\s*(\/?)$/;
const longestTag = 256;

/** The part that may come next between two tags. */
type Expected = "name" | "params" | "param" | "end";

const expectedText: Record<Expected, string> = {
  name: "<name> comes first in a <tool_call>",
  params: "after <name> comes <params>, and then </tool_call>",
  param: "in <params> each parameter is <NAME>value</NAME>, and </params> ends them",
  end: "after </params> comes </tool_call>",
};

/** Tags of the form itself, by what is expected: what they begin. All else in <params> is a parameter. */
const moves: Record<Expected, Record<string, Expected | "value" | "close">> = {
  name: { name: "value" },
  params: { params: "param", "params/": "end", "/tool_call": "close" },
  param: { "/params": "end" },
  end: { "/tool_call": "close" },
};

interface OpenValue {
  name: string;
  start: number;
  reader: ValueReader;
}

/** Reads what comes after `<tool_call>`, character by character. */
export class CallInProgress {
  readonly call: WrittenCall;
  readonly #emit: (piece: CallPiece) => void;
  #expected: Expected = "name";
  #tag = "";
  #value: OpenValue | undefined;
  #skip: ReturnType<typeof skipCall> | undefined;

  constructor(start: number, emit: (piece: CallPiece) => void) {
    this.call = { name: "", params: [], start, end: start };
    this.#emit = emit;
  }

  /** Takes a character, which is at this offset of the text, and tells whether the call ends with it. */
  take(char: string, at: number): boolean {
    if (this.#skip !== undefined) return this.#skip.take(char);
    if (this.#value !== undefined) return this.#takeValue(this.#value, char);
    if (this.#tag !== "") return this.#takeTag(char, at);
    if (char === "<") this.#tag = char;
    else if (!isBlank(char)) return this.#fail(`${JSON.stringify(char)} stands where a tag should`, at, char);
    return false;
  }

  /** Tells what has come of the open value. */
  tellGrown(): void {
    if (this.#value === undefined || this.#expected === "name") return;
    const text = this.#value.reader.grown();
    if (text !== "") this.#emit({ type: "value", name: this.#value.name, text });
  }

  #takeTag(char: string, at: number): boolean {
    const written = this.#tag + char;
    const start = at + 1 - written.length;
    this.#tag = written;
    if (char === ">") return this.#act(written, start);
    const isTag = char !== "<" && written.length <= longestTag;
    return isTag ? false : this.#fail(`${written.slice(0, 40)} is no tag`, start, written);
  }

  #act(written: string, start: number): boolean {
    const [, closing = "", name = "", empty = ""] = tagPattern.exec(written.slice(1, -1)) ?? [];
    const move = this.#moveOf(closing, name, empty);
    if (move === undefined) return this.#fail(`${written} is not what was expected`, start, written);
    this.#tag = "";
    if (move === "value") this.#value = { name, start, reader: readValue(name) };
    else if (move === "empty") this.#endParam({ name, text: "", start });
    else if (move !== "close") this.#expected = move;
    return move === "close";
  }

  #moveOf(closing: string, name: string, empty: string): Expected | "value" | "empty" | "close" | undefined {
    const known = moves[this.#expected];
    const tag = `${closing}${name}${empty}`;
    if (Object.hasOwn(known, tag)) return known[tag];
    if (this.#expected !== "param" || name === "" || closing !== "") return undefined;
    return empty === "" ? "value" : "empty";
  }

  #takeValue({ name, start, reader }: OpenValue, char: string): boolean {
    const text = reader.take(char);
    if (text === undefined) return false;
    this.#value = undefined;
    const bare = reader.bare() ?? "";
    // It may have ended at the tag of a call within it: where it ends nobody can say.
    if (/<tool_call[\s>]/.test(bare) && bare.includes(`<${name}>`))
      return this.#fail(`<${name}> has a call in it that has <${name}> too, and is not in CDATA`, start, bare);
    if (this.#expected !== "name") this.#endParam({ name, text, start });
    else this.#nameIt(text.trim(), start);
    return false;
  }

  #nameIt(name: string, start: number): void {
    this.call.name = name;
    if (name === "") this.#fail("<name> is empty", start, "");
    else this.#emit({ type: "name", name });
    this.#expected = "params";
  }

  #endParam(param: WrittenParam): void {
    this.call.params.push(param);
    this.#emit({ type: "param", param });
  }

  /** @param seen what is to be gone past: the call may end in it. */
  #fail(message: string, start: number, seen: string): boolean {
    this.call.fault = { kind: "PARSE", message: `${message}: ${expectedText[this.#expected]}`, start };
    this.#tag = "";
    const skip = skipCall();
    this.#skip = skip;
    return seen.split("").some((char) => skip.take(char));
  }
}
