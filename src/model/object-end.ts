/**
 * A reader that tells whether an object has just ended, in one pass over pieces however small: the text behind it need be parsed only then, and
 * a text that goes on after its first object is never complete again.
 */
export class ObjectEnd {
  #depth = 0;
  #quoted = false;
  #escaped = false;
  #state: "before" | "inside" | "reached" | "past" = "before";

  get reached(): boolean {
    return this.#state === "reached";
  }

  push(text: string): void {
    for (let at = 0; at < text.length && this.#state !== "past"; at += 1) this.#take(text.charCodeAt(at));
  }

  #take(code: number): void {
    if (this.#quoted) this.#takeQuoted(code);
    else if (!isBlank(code)) this.#takeBare(code);
  }

  #takeQuoted(code: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (code === backslash) this.#escaped = true;
    else if (code === quote) this.#quoted = false;
  }

  #takeBare(code: number): void {
    if (this.#state === "before") this.#state = code === openBrace ? "inside" : "past";
    else if (this.#state === "reached") this.#state = "past";
    this.#quoted = code === quote;
    this.#depth += depths.get(code) ?? 0;
    if (this.#state === "inside" && this.#depth === 0) this.#state = "reached";
  }
}

const [quote, backslash, openBrace] = [0x22, 0x5c, 0x7b];
const depths = new Map([
  [0x7b, 1],
  [0x5b, 1],
  [0x7d, -1],
  [0x5d, -1],
]);

const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);
