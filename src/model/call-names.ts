/** The words that models put before the name of a tool, as their templates have them. */
const prefix = /^(?:functions?|tools?|default_api|default|api|multi_tool_use)(?:\.|:{1,2}|\/)/;
/** The rest of a template behind it: the number of the call, or signs of the model's own. */
const rest = /(?::\d+|<\|.*)$/s;

/** The names of the tools that a request offers, and what models make of them. */
export class OfferedNames {
  readonly #names: ReadonlySet<string>;

  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** The offered name that is meant: `functions.read_file` is `read_file`, unless there is one of that name. What is none stays as it is. */
  meant(name: string): string {
    if (this.#names.has(name)) return name;
    const bare = name.trim().replace(rest, "");
    return [bare, bare.replace(prefix, "")].find((one) => this.#names.has(one)) ?? name;
  }

  /** Tells whether the name may yet become an offered one, or another one. */
  isBeginning(name: string): boolean {
    for (const one of this.#names) if (one !== name && one.startsWith(name.replace(prefix, ""))) return true;
    return false;
  }

  /** The name of a call after one more piece of it: most servers send it whole, some again with each piece, some in pieces. */
  grown(name: string, piece: string): string {
    if (name === "" || (this.has(piece) && piece.startsWith(name) && !this.has(name))) return piece;
    return this.goesOn(name, piece) ? name + piece : name;
  }

  /** Tells whether this piece is the middle or the end of a name that began before. */
  goesOn(name: string, piece: string): boolean {
    if (name === "" || piece === "" || this.has(piece)) return false;
    const whole = this.meant(name + piece);
    return this.has(whole) || this.isBeginning(whole);
  }
}
