/** A piece of what the model wrote: its own thoughts, or words for the person. */
export interface Said {
  type: "text" | "thought";
  text: string;
}

const tags = ["think", "thinking"] as const;

/** So many blanks before a word are no layout. */
const mostBlanks = 1_000;

/**
 * Takes the thoughts out of text in which a model's server has left them, as it comes in pieces of any size: `<think>…</think>` before the
 * first word, once or several times. Thoughts that never end are all there is. Anywhere else such a tag is text. Linear.
 */
export class ThoughtsInText {
  #state: "before" | "thinking" | "behind" | "text" = "before";
  #held = "";
  #closing = "";

  take(text: string): Said[] {
    if (this.#state === "text") return [{ type: "text", text }];
    this.#held += text;
    const said: Said[] = [];
    while (this.#step(said));
    return said;
  }

  /** Returns the text that was held, once no more comes. */
  rest(): Said[] {
    const text = this.#held;
    this.#held = "";
    if (text === "" || this.#state === "behind") return text.trim() === "" ? [] : [{ type: "text", text }];
    return [{ type: this.#state === "thinking" ? "thought" : "text", text }];
  }

  /** Takes a step, and tells whether there may be more to take. */
  #step(said: Said[]): boolean {
    return this.#state === "thinking" ? this.#think(said) : this.#begin(said);
  }

  #begin(said: Said[]): boolean {
    const word = this.#held.trimStart();
    const tag = tags.find((one) => word.startsWith(`<${one}>`));
    if (tag !== undefined) {
      this.#held = word.slice(tag.length + 2);
      this.#closing = `</${tag}>`;
      this.#state = "thinking";
      return true;
    }
    const mayBegin = word === "" || tags.some((one) => `<${one}>`.startsWith(word));
    if (mayBegin && this.#held.length < mostBlanks) return false;
    said.push({ type: "text", text: this.#state === "behind" ? word : this.#held });
    this.#held = "";
    this.#state = "text";
    return false;
  }

  #think(said: Said[]): boolean {
    const end = this.#held.indexOf(this.#closing);
    const kept = end < 0 ? beginningAtEnd(this.#held, this.#closing) : 0;
    const thought = this.#held.slice(0, end < 0 ? this.#held.length - kept : end);
    if (thought !== "") said.push({ type: "thought", text: thought });
    this.#held = end < 0 ? this.#held.slice(this.#held.length - kept) : this.#held.slice(end + this.#closing.length);
    if (end >= 0) this.#state = "behind";
    return end >= 0;
  }
}

/** Counts the last characters that may be the beginning of this. */
function beginningAtEnd(text: string, wanted: string): number {
  for (let length = Math.min(text.length, wanted.length - 1); length > 0; length -= 1)
    if (text.endsWith(wanted.slice(0, length))) return length;
  return 0;
}
