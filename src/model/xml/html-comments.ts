const opening = "<!--";
const closing = "-->";

/**
 * Follows HTML comments through Markdown that comes character by character, but for what is in code. One that begins a line goes on to
 * its end, one within a line at most to the next empty line.
 */
export class HtmlComments {
  #open: "block" | "inline" | undefined;
  /** The last characters, as many as a mark has. */
  #last = "";
  /** Of the line: nothing but blanks so far; before the mark that may begin now, too. */
  #isBlank = true;
  #wasBlank = true;

  get inside(): boolean {
    return this.#open !== undefined;
  }

  /** @param isCode the character is code, or stands behind a ` */
  take(char: string, isCode: boolean): void {
    if (char === "<") this.#wasBlank = this.#isBlank;
    if (char === "\n") this.#endLine();
    else if (char !== " " && char !== "\t" && char !== "\r") this.#isBlank = false;
    this.#last = isCode ? "" : (this.#last + char).slice(-opening.length);
    if (this.#open === undefined && this.#last === opening) {
      this.#open = this.#wasBlank ? "block" : "inline";
      this.#last = "";
    } else if (this.#open !== undefined && this.#last.endsWith(closing)) this.#open = undefined;
  }

  #endLine(): void {
    if (this.#isBlank && this.#open === "inline") this.#open = undefined;
    this.#isBlank = true;
  }
}
