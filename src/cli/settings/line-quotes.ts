/**
 * The patterns of the tokens that open and close in a command line, by the kind of text that they are in: `$(` and `(` alike are a line of
 * their own.
 */
const tokens = {
  line: /\\[\s\S]?|\$?\(\(|\$\[|\[\[|\$'|\$\{[\w#?@*!:=+%/.,^~[\] -]*\}|\$\{|\$\(|<<+|[A-Za-z_]\w*|[\s\S]/gu,
  '"': /\\[\s\S]?|\$\(\(|\$\[|\$\{[\w#?@*!:=+%/.,^~[\] -]*\}|\$\{|\$\(|[\s\S]/gu,
  "'": /[\s\S]/gu,
};

/** The tokens behind which a word's meaning differs by shell and by the text that comes later. */
const lost = new Set(["\\", "((", "$((", "$[", "[[", "$'", "${", "`", "<<", "case"]);

/**
 * Reads a command line from its beginning, to tell whether a word that is quoted by itself can be put where it has come to. What it
 * cannot follow for sure, as arithmetic, comments and `case`, it says to be no such place.
 */
export class LineQuotes {
  /** The tokens that are open, outermost first. */
  readonly #open: ("(" | '"' | "'")[] = [];
  #isLost = false;
  #last = "";

  /** Reads the next part of the line. */
  read(text: string): void {
    for (let at = 0; at < text.length && !this.#isLost; ) {
      const top = this.#open.at(-1);
      const sign = tokens[top === '"' || top === "'" ? top : "line"];
      sign.lastIndex = at;
      const token = sign.exec(text)?.[0] ?? "";
      at += token.length;
      if (top === '"' || top === "'") this.#quoted(top, token);
      else this.#plain(top, token);
      this.#last = token;
    }
  }

  /** A word stands there now. */
  passWord(): void {
    this.#last = "";
  }

  get isPlain(): boolean {
    const top = this.#open.at(-1);
    // What a shell reads behind `$` is no word.
    return !this.#isLost && this.#last !== "$" && (top === undefined || top === "(");
  }

  /** The quote that was opened right before. */
  get opened(): '"' | "'" | undefined {
    const top = this.#open.at(-1);
    return !this.#isLost && top !== "(" && top === this.#last ? top : undefined;
  }

  #quoted(quote: '"' | "'", token: string): void {
    if (token === quote) this.#open.pop();
    else if (quote === '"' && lost.has(token)) this.#isLost = true;
    else if (token === "$(") this.#open.push("(");
  }

  #plain(top: "(" | undefined, token: string): void {
    const isComment = token === "#" && /^$|[\s;&|()<>]$/u.test(this.#last);
    const isSubscript = token === "[" && /\w$/u.test(this.#last);
    if (lost.has(token) || isComment || isSubscript) this.#isLost = true;
    else if (token === '"' || token === "'") this.#open.push(token);
    else if (token === "(" || token === "$(") this.#open.push("(");
    else if (token === ")" && top === "(") this.#open.pop();
    else if (token === ")") this.#isLost = true;
  }
}
