import { type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";
import type { Json } from "./json.ts";

/** A value as it is written, with the line (from 1) that it begins on. Keys are unique. */
export type JsonNode = { line: number } & (
  | { kind: "object"; members: Map<string, { line: number; node: JsonNode }> }
  | { kind: "array"; items: JsonNode[] }
  | { kind: "string"; value: string }
  | { kind: "other"; value: number | boolean | null }
);

/** The reason that a text was not taken, in words, and its line (from 1). */
export interface JsonFault {
  wrong: string;
  line: number;
}

export interface JsonForm {
  /** As people write it: comments, a comma behind the last entry, a byte order mark. Else as RFC 8259 has it. */
  byHand: boolean;
  /** Levels; deeper text is refused. */
  maxDepth: number;
}

/**
 * Reads JSON and keeps the lines. A key that one object has twice is a fault in any form: the later one would silently win,
 * and two readers could understand two things.
 */
export function readJsonText(text: string, { byHand, maxDepth }: JsonForm): JsonNode | JsonFault {
  const body = byHand ? text.replace(/^\ufeff/u, "") : text;
  if (body.trim() === "") return { wrong: "the file is empty", line: 1 };
  const tree = new Tree(maxDepth);
  try {
    visit(
      body,
      {
        onObjectBegin: (_offset, _length, line) => tree.open({ kind: "object", line: line + 1, members: new Map() }),
        onArrayBegin: (_offset, _length, line) => tree.open({ kind: "array", line: line + 1, items: [] }),
        onObjectEnd: () => tree.close(),
        onArrayEnd: () => tree.close(),
        onObjectProperty: (key, _offset, _length, line) => tree.key(key, line + 1),
        onLiteralValue: (value: string | number | boolean | null, _offset, _length, line) =>
          tree.add(
            typeof value === "string"
              ? { kind: "string", line: line + 1, value }
              : { kind: "other", line: line + 1, value },
          ),
        onError: (code, offset, length, line) => {
          throw new Fault(line + 1, faultText(code, body.slice(offset, offset + length), offset, body));
        },
      },
      { disallowComments: !byHand, allowTrailingComma: byHand },
    );
    return tree.whole();
  } catch (error) {
    if (error instanceof Fault) return { wrong: error.message, line: error.line };
    throw error;
  }
}

/** The value without its lines. */
export function plainValue(node: JsonNode): Json {
  if (node.kind === "array") return node.items.map(plainValue);
  if (node.kind === "object")
    return Object.fromEntries([...node.members].map(([key, { node: value }]) => [key, plainValue(value)]));
  return node.value;
}

/** The line of what stands at this path, or of the nearest that there is on the way to it. */
export function lineAt(node: JsonNode, path: readonly PropertyKey[]): number {
  const [step, ...rest] = path;
  const member = node.kind === "object" && typeof step === "string" ? node.members.get(step) : undefined;
  if (member !== undefined) return rest.length === 0 ? member.line : lineAt(member.node, rest);
  const item = node.kind === "array" && typeof step === "number" ? node.items[step] : undefined;
  return item === undefined ? node.line : lineAt(item, rest);
}

/** Thrown out of the library's walk, which goes on behind errors by itself. */
class Fault extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

type Branch = Extract<JsonNode, { kind: "object" | "array" }>;

class Tree {
  readonly #maxDepth: number;
  readonly #open: { node: Branch; key: { text: string; line: number } }[] = [];
  #root: JsonNode | undefined;

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  open(node: Branch): void {
    this.add(node);
    this.#open.push({ node, key: { text: "", line: node.line } });
    if (this.#open.length > this.#maxDepth) throw new Fault(node.line, `nested deeper than ${this.#maxDepth} levels`);
  }

  close(): void {
    this.#open.pop();
  }

  key(text: string, line: number): void {
    const top = this.#open.at(-1);
    if (top?.node.kind !== "object") return;
    if (top.node.members.has(text))
      throw new Fault(line, `the key ${JSON.stringify(text)} is given twice in one object`);
    top.key = { text, line };
  }

  add(node: JsonNode): void {
    const top = this.#open.at(-1);
    if (top === undefined) this.#root = node;
    else if (top.node.kind === "array") top.node.items.push(node);
    else top.node.members.set(top.key.text, { line: top.key.line, node });
  }

  whole(): JsonNode {
    if (this.#root === undefined) throw new Fault(1, "there is no value");
    return this.#root;
  }
}

const unended = "a string does not end on its line";

const faultTexts: Partial<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  UnexpectedEndOfString: unended,
  UnexpectedEndOfComment: "a comment has no end",
  InvalidCommentToken: "a comment is not allowed here",
  InvalidUnicode: "a \\u in a string needs four hex digits",
  InvalidEscapeCharacter: "a string has an escape that JSON does not know",
  InvalidCharacter: "a string contains a control character",
};

const expectations: Partial<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  PropertyNameExpected: "a key in double quotes",
  ValueExpected: "a value",
  ColonExpected: "a colon",
  CommaExpected: "a comma or the end",
  CloseBraceExpected: "}",
  CloseBracketExpected: "]",
};

function faultText(code: ParseErrorCode, near: string, offset: number, text: string): string {
  const name = printParseErrorCode(code);
  const fixed = faultTexts[name];
  if (fixed !== undefined) return fixed;
  if (offset >= text.length) return "the file ends too early";
  const found = kindOf(near);
  const wanted = expectations[name];
  if (wanted !== undefined) return `expected ${wanted}, found ${found}`;
  return name === "EndOfFileExpected" ? `unexpected ${found} after the end` : `${found} is not JSON`;
}

/** Names the kind of text at a fault, never its own words: it may be a secret, and faults are shown, logged and sent on. */
function kindOf(near: string): string {
  if (/^[{}[\]:,]$/u.test(near)) return near;
  if (near.startsWith('"')) return "a string";
  return /^-?\d/u.test(near) ? "a number" : "a word without quotes";
}
