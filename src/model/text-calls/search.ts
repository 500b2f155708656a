const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** A text that is looked for: the means to find it are made once, for all the texts. */
export class Part {
  readonly text: string;
  #bare: Part | undefined;
  #borders: Int32Array | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Without its digits. */
  get bare(): Part {
    this.#bare ??= new Part(this.text.replace(/\d+/g, ""));
    return this.#bare;
  }

  /** Of each beginning of it, how much of it stands both at its beginning and at its end. */
  get borders(): Int32Array {
    this.#borders ??= bordersOf(this.text);
    return this.#borders;
  }
}

/** Finds texts in others in so many steps altogether. */
export class Search {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** It has taken all of its steps: what was not found may be there. */
  get isOver(): boolean {
    return this.#left < 0;
  }

  /** Tells whether one text holds the other. */
  holds(text: string, part: Part): boolean {
    return (
      this.#ends(
        text,
        part,
        0,
        () => false,
        (end) => end,
      ) !== undefined
    );
  }

  /**
   * The same, where digits of its own may stand between: those of the part are among them, in their order.
   * @param part begins anywhere behind `from`, and has something else than digits.
   * @returns where it ends.
   */
  amongDigits(text: string, part: Part, from: number): number | undefined {
    if (part.text.length > text.length - from) return undefined;
    const { bare } = part;
    return this.#ends(text, bare, from, isDigit, (end) =>
      this.#withDigits(text, part.text, this.#startOf(text, bare.text, from, end)),
    );
  }

  /** By Knuth, Morris and Pratt: other searches compare a text of one letter many times. */
  #ends(
    text: string,
    part: Part,
    from: number,
    isPassed: (code: number) => boolean,
    checked: (end: number) => number | undefined,
  ): number | undefined {
    const { length } = part.text;
    if (length > text.length - from) return undefined;
    const { borders } = part;
    let seen = 0;
    for (let at = from; at < text.length && this.#left >= 0; at += 1) {
      this.#left -= 1;
      const code = text.charCodeAt(at);
      if (isPassed(code)) continue;
      seen = grown(part.text, borders, seen, code);
      if (seen < length) continue;
      const end = checked(at + 1);
      if (end !== undefined) return end;
      seen = borders[seen - 1] ?? 0;
    }
    return undefined;
  }

  /** Finds the beginning of the text that ends there, with the digits before it. */
  #startOf(text: string, bare: string, from: number, end: number): number {
    let start = end;
    for (let left = bare.length; start > from && (left > 0 || isDigit(text.charCodeAt(start - 1))); start -= 1) {
      this.#left -= 1;
      if (!isDigit(text.charCodeAt(start - 1))) left -= 1;
    }
    return start;
  }

  #withDigits(text: string, part: string, start: number): number | undefined {
    let at = start;
    for (let next = 0; next < part.length; at += 1) {
      this.#left -= 1;
      const code = text.charCodeAt(at);
      if (code === part.charCodeAt(next)) next += 1;
      else if (!isDigit(code)) return undefined;
    }
    return at;
  }
}

/** Returns the length seen of a text with one more character. */
function grown(text: string, borders: Int32Array, before: number, code: number): number {
  let seen = before;
  while (seen > 0 && text.charCodeAt(seen) !== code) seen = borders[seen - 1] ?? 0;
  return text.charCodeAt(seen) === code ? seen + 1 : seen;
}

function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  for (let at = 1, length = 0; at < text.length; at += 1) {
    length = grown(text, borders, length, text.charCodeAt(at));
    borders[at] = length;
  }
  return borders;
}
