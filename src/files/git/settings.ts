import { NotFollowed } from "./bounded-text.ts";

/** One setting of git's, as its manual names it: section and key in lower case, the name between them as it is written. */
export interface Setting {
  section: string;
  name: string | undefined;
  key: string;
  /** Undefined for a key without an equals sign, which means true. */
  value: string | undefined;
}

/** A run of what stands for itself, one sign that does not, or nothing at the end of the value. */
const inQuotes = /[^"\\\n]+|["\\]/uy;
const outOfQuotes = /[ \t]+|[^"\\\n#; \t]+|["\\]|(?=[\n#;]|$)/uy;
const blank = /^[ \t]+$/u;

/** The settings of a file in its order, read as git reads them. @throws NotFollowed where git may read them in another way, or not at all. */
export function readSettings(text: string): Setting[] {
  return new SettingsReader(text.replace(/^\uFEFF/u, "").replaceAll("\r\n", "\n")).read();
}

/** Returns git's name of a setting on its command line and in its environment. */
export const fullName = ({ section, name, key }: Pick<Setting, "section" | "name" | "key">): string =>
  [section, ...(name === undefined ? [] : [name]), key].join(".");

class SettingsReader {
  readonly #text: string;
  #at = 0;
  #section: Pick<Setting, "section" | "name"> | undefined;
  readonly #found: Setting[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): Setting[] {
    while (this.#at < this.#text.length) {
      const sign = this.#text[this.#at] ?? "";
      if (/\s/u.test(sign)) this.#at += 1;
      else if (sign === "#" || sign === ";") this.#skipLine();
      else if (sign === "[") this.#head();
      else this.#setting();
    }
    return this.#found;
  }

  #skipLine(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #match(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) throw new NotFollowed("settings that git would not take");
    this.#at = pattern.lastIndex;
    return match;
  }

  #head(): void {
    const [, section = "", quoted] = this.#match(/\[([A-Za-z0-9.-]*)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/uy);
    const [first = "", ...rest] = section.toLowerCase().split(".");
    const old = rest.length === 0 ? undefined : rest.join(".");
    const name = quoted?.replace(/\\(.)/gu, "$1");
    if (old !== undefined && name !== undefined) throw new NotFollowed("a section with two names");
    this.#section = { section: first, name: name ?? old };
  }

  #setting(): void {
    const [, key = "", equals] = this.#match(/([A-Za-z][A-Za-z0-9-]*)[ \t]*(=|(?=\n|$))/uy);
    if (this.#section === undefined) throw new NotFollowed("a setting of no section");
    const value = equals === "=" ? this.#value() : undefined;
    this.#found.push({ ...this.#section, key: key.toLowerCase(), value });
  }

  /** To the end of the line: quotes and backslashes taken as git does, blanks around it left out. */
  #value(): string {
    let value = "";
    let end = 0;
    for (let isQuoted = false; ; ) {
      const sign = this.#match(isQuoted ? inQuotes : outOfQuotes)[0];
      if (sign === "") return value.slice(0, end);
      const isBlank = !isQuoted && blank.test(sign);
      if (sign === '"') isQuoted = !isQuoted;
      else if (!isBlank || value !== "") value += this.#meant(sign);
      if (!isBlank) end = value.length;
    }
  }

  #meant(written: string): string {
    if (written !== "\\") return written;
    const sign = escapes.get(this.#text[this.#at] ?? "");
    if (sign === undefined) throw new NotFollowed("an escape that git does not know");
    this.#at += 1;
    return sign;
  }
}

/** A backslash at the end of a line joins the next to it. */
const escapes = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["b", "\b"],
  ['"', '"'],
  ["\\", "\\"],
  ["\n", ""],
]);
