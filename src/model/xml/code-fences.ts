/**
 * Follows Markdown's code fences through text that comes character by character. A fence is three or more ` or ~ at the
 * beginning of a line, at most three blanks before them; as many or more of the same end it.
 */
export class CodeFences {
  #open: { mark: string; count: number } | undefined;
  #line = newLine();

  /** Whether what comes next is code: in a fence, or behind the marks that open one. */
  get inside(): boolean {
    return this.#open !== undefined || this.#line.count >= 3;
  }

  take(char: string): void {
    const line = this.#line;
    if (char === "\n") this.#endLine();
    else if (line.at === "indent") this.#begin(char);
    else if (line.at === "marks" && char === line.mark) line.count += 1;
    else {
      line.at = "rest";
      line.blank &&= char === " " || char === "\t" || char === "\r";
      line.inline ||= char === "`";
    }
  }

  #begin(char: string): void {
    const line = this.#line;
    if (char === " " && line.indent < 3) line.indent += 1;
    else if (char === "`" || char === "~") Object.assign(line, { at: "marks", mark: char, count: 1 });
    else line.at = "rest";
  }

  #endLine(): void {
    const { mark, count, blank, inline } = this.#line;
    this.#line = newLine();
    if (count < 3) return;
    if (this.#open === undefined) this.#open = inline && mark === "`" ? undefined : { mark, count };
    else if (mark === this.#open.mark && count >= this.#open.count && blank) this.#open = undefined;
  }
}

const newLine = () => ({
  at: "indent" as "indent" | "marks" | "rest",
  indent: 0,
  mark: "",
  count: 0,
  /** Whether nothing but blanks follows the marks. */
  blank: true,
  /** Whether a ` follows them: then they are inline code. */
  inline: false,
});
