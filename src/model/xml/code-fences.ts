/**
 * Follows Markdown's code fences through text that comes character by character. A fence is three or more ` or ~ at the
 * beginning of a line, at most three blanks before them; in a list or a quote it stands as far in as that does. As many or more of
 * the same end it.
 */
export class CodeFences {
  #open: { mark: string; count: number; indent: number } | undefined;
  #line = newLine();
  /** True if an item of a list began, and no line since stood at the margin. */
  #inList = false;

  /** True if the text that comes next is code: in a fence, or behind the marks that open one. */
  get inside(): boolean {
    return this.#open !== undefined || (this.#line.count >= 3 && this.#mayOpen());
  }

  /** True if the text that comes next is only shown: code, or in a line of a quote, of a list's item or so far in that it is code by itself. */
  get shown(): boolean {
    const { isQuote, isItem, indent } = this.#line;
    return this.inside || isQuote || isItem || indent > mostIndent;
  }

  take(char: string): void {
    const line = this.#line;
    if (char === "\n") this.#endLine();
    else if (line.at === "indent") this.#begin(char);
    else if (line.at === "marks" && char === line.mark) line.count += 1;
    else {
      line.at = "rest";
      line.blank &&= isBlank(char) || char === "\r";
      line.inline ||= char === "`";
    }
  }

  #begin(char: string): void {
    const line = this.#line;
    if (line.item !== "" && !isBlank(char)) this.#goOnWithItem(char);
    else if (/^\d+$/.test(line.item)) line.at = "rest";
    else if (isBlank(char) || char === ">") {
      line.isQuote ||= char === ">";
      line.indent += line.item.length + (char === "\t" ? 4 : 1);
      line.isItem ||= line.item !== "";
      line.item = "";
    } else if (/[-*+\d]/.test(char)) line.item = char;
    else if (char === "`" || char === "~") Object.assign(line, { at: "marks", mark: char, count: 1 });
    else line.at = "rest";
  }

  /** The mark of a list's item: a sign, or a number and a point. */
  #goOnWithItem(char: string): void {
    const line = this.#line;
    line.item += char;
    if (!/^\d{1,9}[.)]?$/.test(line.item)) line.at = "rest";
  }

  #mayOpen(): boolean {
    return this.#line.indent <= mostIndent || this.#line.isItem || this.#inList;
  }

  #endLine(): void {
    const { at, mark, count, blank, inline, indent, isItem } = this.#line;
    const mayOpen = this.#mayOpen();
    this.#line = newLine();
    if (this.#open === undefined) {
      this.#inList = isItem || (this.#inList && (indent > 0 || at === "indent"));
      const opens = count >= 3 && mayOpen && !(inline && mark === "`");
      if (opens) this.#open = { mark, count, indent };
      return;
    }
    const open = this.#open;
    const most = Math.max(mostIndent, this.#inList ? open.indent + mostIndent : 0);
    if (count >= open.count && mark === open.mark && blank && !isItem && indent <= most) this.#open = undefined;
  }
}

const isBlank = (char: string): boolean => char === " " || char === "\t";

/** Further in, a line is code by itself. */
const mostIndent = 3;

const newLine = () => ({
  at: "indent" as "indent" | "marks" | "rest",
  /** Columns before it: blanks, marks of quotes and lists. */
  indent: 0,
  /** The mark of a list's item that is being read. */
  item: "",
  isItem: false,
  isQuote: false,
  mark: "",
  count: 0,
  /** True if nothing but blanks follows the marks. */
  blank: true,
  /** True if a ` follows them: then they are inline code. */
  inline: false,
});
