import { importing } from "../../words/en/importing.ts";
/** A value as it is written in a file of rules. */
export type Literal = string | number | boolean | null | Literal[];

/** `name(key = value, ...)`, on its line (from 1). */
export interface StatedCall {
  name: string;
  line: number;
  given: Record<string, Literal>;
}

const token =
  /(?<blank>[ \t\r\n]+|#[^\n]*|\\\n)|(?<prefix>[rbRB]*)(?:"""(?<longDouble>(?:[^\\]|\\.)*?)"""|'''(?<longSingle>(?:[^\\]|\\.)*?)'''|"(?!"")(?<double>(?:[^"\\\n]|\\.)*)"|'(?!'')(?<single>(?:[^'\\\n]|\\.)*)')|(?<word>[A-Za-z_]\w*)|(?<number>-?\d+)|(?<mark>[()[\]{},=:])/suy;

interface Token {
  kind: "text" | "word" | "number" | "mark" | "end";
  value: string;
  line: number;
}

/**
 * The calls of a file that has nothing else in it: names with literal values, which is how files of rules are written. Nothing is run.
 * @throws Error naming the line, where there is more: what the file would then say is not known.
 */
export function statedCalls(text: string): StatedCall[] {
  const reader = new Reader(tokensOf(text));
  const calls: StatedCall[] = [];
  while (!reader.ends()) calls.push(reader.call());
  return calls;
}

const fault = (line: number): Error => new Error(importing().notLiteral({ line }));

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) throw fault(line);
    const found = tokenOf(match.groups ?? {}, line);
    if (found !== undefined) tokens.push(found);
    line += match[0].split("\n").length - 1;
  }
  return [...tokens, { kind: "end", value: "", line }];
}

function tokenOf(groups: Record<string, string | undefined>, line: number): Token | undefined {
  const { blank, word, number, mark, prefix = "" } = groups;
  if (blank !== undefined) return undefined;
  if (word !== undefined) return { kind: "word", value: word, line };
  if (number !== undefined) return { kind: "number", value: number, line };
  if (mark !== undefined) return { kind: "mark", value: mark, line };
  const body = groups["longDouble"] ?? groups["longSingle"] ?? groups["double"] ?? groups["single"] ?? "";
  if (/b/iu.test(prefix)) throw fault(line);
  return { kind: "text", value: prefix === "" ? unescaped(body, line) : body, line };
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  '"': '"',
  "'": "'",
  "\n": "",
};

const unescaped = (body: string, line: number): string =>
  body.replace(/\\(.)/gsu, (_, character: string) => {
    const meant = escapes[character];
    if (meant === undefined) throw fault(line);
    return meant;
  });

/** Deeper values no rule has. */
const deepest = 20;

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  ends(): boolean {
    return this.#peek().kind === "end";
  }

  call(): StatedCall {
    const { value: name, line } = this.#take("word");
    this.#mark("(");
    const given: Record<string, Literal> = {};
    while (!this.#has(")")) {
      const { value: key, line: at } = this.#take("word");
      if (Object.hasOwn(given, key)) throw fault(at);
      this.#mark("=");
      given[key] = this.#value(0);
      if (!this.#has(")")) this.#mark(",");
    }
    this.#mark(")");
    return { name, line, given };
  }

  #value(depth: number): Literal {
    const next = this.#next();
    if (depth > deepest) throw fault(next.line);
    // Two texts side by side are one in some readers and a mistake in others.
    if (next.kind === "text" && this.#peek().kind !== "text") return next.value;
    if (next.kind === "number") return Number(next.value);
    if (next.kind === "word" && Object.hasOwn(constants, next.value)) return constants[next.value] ?? null;
    if (next.value === "[" && next.kind === "mark") return this.#list("]", depth);
    if (next.value === "(" && next.kind === "mark") return this.#list(")", depth);
    throw fault(next.line);
  }

  #list(end: string, depth: number): Literal[] {
    const items: Literal[] = [];
    while (!this.#has(end)) {
      items.push(this.#value(depth + 1));
      if (!this.#has(end)) this.#mark(",");
    }
    this.#mark(end);
    return items;
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { kind: "end", value: "", line: 0 };
  }

  #next(): Token {
    const found = this.#peek();
    this.#at += 1;
    return found;
  }

  #has(mark: string): boolean {
    return this.#peek().kind === "mark" && this.#peek().value === mark;
  }

  #mark(mark: string): void {
    if (!this.#has(mark)) throw fault(this.#peek().line);
    this.#at += 1;
  }

  #take(kind: Token["kind"]): Token {
    const found = this.#next();
    if (found.kind !== kind) throw fault(found.line);
    return found;
  }
}

const constants: Readonly<Record<string, Literal>> = { True: true, False: false, None: null };
