import { isBlank } from "../xml/match.ts";

/** A place in a text that is read from left to right. */
export class Cursor {
  readonly text: string;
  at: number;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  sees(literal: string): boolean {
    return this.text.startsWith(literal, this.at);
  }

  blanks(): void {
    while (this.at < this.text.length && isBlank(this.text.charAt(this.at))) this.at += 1;
  }

  take(literal: string): boolean {
    if (!this.sees(literal)) return false;
    this.at += literal.length;
    return true;
  }

  /** Takes the text that a pattern finds right here. @param pattern is sticky */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.at += found[0].length;
    return found;
  }

  /** The text up to this, which is passed; undefined where it does not come. */
  until(literal: string): string | undefined {
    const end = this.text.indexOf(literal, this.at);
    if (end < 0) return undefined;
    const before = this.text.slice(this.at, end);
    this.at = end + literal.length;
    return before;
  }

  /** An object or a list as JSON has it, to where it closes; undefined where none begins here, or it does not close. Not checked. */
  json(): string | undefined {
    if (!this.sees("{") && !this.sees("[")) return undefined;
    const closes = closing();
    for (let at = this.at; at < this.text.length; at += 1) {
      if (!closes(this.text.charAt(at))) continue;
      const found = this.text.slice(this.at, at + 1);
      this.at = at + 1;
      return found;
    }
    return undefined;
  }
}

/** Tells of each character in turn whether what began with the first of them closes with it. */
function closing(): (char: string) => boolean {
  let depth = 0;
  let quote = "";
  let isEscaped = false;
  return (char) => {
    if (quote !== "") {
      if (isEscaped) isEscaped = false;
      else if (char === "\\") isEscaped = true;
      else if (char === quote) quote = "";
      return false;
    }
    if (char === '"' || char === "'") quote = char;
    depth += depths[char] ?? 0;
    return depth === 0;
  };
}

const depths: Record<string, number> = { "{": 1, "[": 1, "}": -1, "]": -1 };
