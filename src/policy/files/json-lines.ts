/** JSON that knows its lines (from 1), for messages about files that people write by hand. Keys are unique. */
export type JsonNode = { line: number } & (
  | { kind: "object"; members: Map<string, { line: number; node: JsonNode }> }
  | { kind: "array"; items: JsonNode[] }
  | { kind: "string"; value: string }
  | { kind: "other"; value: number | boolean | null }
);

interface Token {
  text: string;
  line: number;
}

const maxDepth = 64;
const marks = new Set(["{", "}", "[", "]", ",", ":"]);

class JsonFault extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Strict JSON, plus: a key written twice is an error (the later one would silently win). A leading BOM is skipped. */
export function parseJsonLines(text: string): JsonNode | { wrong: string; line: number } {
  try {
    const reader = new NodeReader(tokensOf(text.replace(/^\ufeff/u, "")));
    return reader.whole();
  } catch (error) {
    if (error instanceof JsonFault) return { wrong: error.message, line: error.line };
    throw error;
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    const end = tokenEnd(text, at, line);
    if (character === "\n") line += 1;
    if (!/[ \t\r\n]/u.test(character)) tokens.push({ text: text.slice(at, end), line });
    at = end;
  }
  return tokens;
}

function tokenEnd(text: string, at: number, line: number): number {
  const character = text.charAt(at);
  if (character === '"') return stringEnd(text, at, line);
  let end = at + 1;
  if (/[\w+\-.]/u.test(character)) while (end < text.length && /[\w+\-.]/u.test(text.charAt(end))) end += 1;
  return end;
}

function stringEnd(text: string, at: number, line: number): number {
  for (let end = at + 1; end < text.length && text[end] !== "\n"; end += 1) {
    if (text[end] === "\\") end += 1;
    else if (text[end] === '"') return end + 1;
  }
  throw new JsonFault(line, "a text in quotes has no end on its line");
}

class NodeReader {
  readonly #tokens: Token[];
  #at = 0;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  whole(): JsonNode {
    if (this.#tokens.length === 0) throw new JsonFault(1, "the file is empty");
    const node = this.#node(0);
    const more = this.#tokens[this.#at];
    if (more !== undefined) throw new JsonFault(more.line, `unexpected ${more.text.slice(0, 40)} after the end`);
    return node;
  }

  #next(): Token {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token !== undefined) return token;
    throw new JsonFault(this.#tokens.at(-1)?.line ?? 1, "the file ends too early");
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at]?.text;
  }

  #expect(mark: string): void {
    const token = this.#next();
    if (token.text !== mark) throw new JsonFault(token.line, `expected ${mark}, found ${token.text.slice(0, 40)}`);
  }

  #node(depth: number): JsonNode {
    if (depth > maxDepth) throw new JsonFault(this.#next().line, `nested deeper than ${maxDepth}`);
    const token = this.#next();
    if (token.text === "{") return { kind: "object", line: token.line, members: this.#members(depth) };
    if (token.text === "[") return { kind: "array", line: token.line, items: this.#items(depth) };
    const value = scalar(token);
    return typeof value === "string"
      ? { kind: "string", line: token.line, value }
      : { kind: "other", line: token.line, value };
  }

  #members(depth: number): Map<string, { line: number; node: JsonNode }> {
    const members = new Map<string, { line: number; node: JsonNode }>();
    this.#list("}", () => {
      const token = this.#next();
      const key = scalar(token);
      if (typeof key !== "string") throw new JsonFault(token.line, "a key must be a text in quotes");
      if (members.has(key)) throw new JsonFault(token.line, `the key "${key}" is there twice`);
      this.#expect(":");
      members.set(key, { line: token.line, node: this.#node(depth + 1) });
    });
    return members;
  }

  #items(depth: number): JsonNode[] {
    const items: JsonNode[] = [];
    this.#list("]", () => items.push(this.#node(depth + 1)));
    return items;
  }

  /** Entries with commas between them up to the closing mark. */
  #list(close: "}" | "]", entry: () => void): void {
    if (this.#peek() === close) {
      this.#at += 1;
      return;
    }
    for (;;) {
      entry();
      if (this.#peek() === close) {
        this.#at += 1;
        return;
      }
      this.#expect(",");
    }
  }
}

function scalar(token: Token): string | number | boolean | null {
  if (!marks.has(token.text)) {
    try {
      return JSON.parse(token.text) as string | number | boolean | null;
    } catch {
      // Said below, with the line.
    }
  }
  throw new JsonFault(token.line, `${token.text.slice(0, 40)} is not JSON`);
}
