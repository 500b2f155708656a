import type { ParsedScript, Redirection, Statement, SyntaxNode, TestExpression, Word, WordPart } from "unbash";
import { shellParts } from "../../../../words/contract/shell-doubts.ts";
import { notPlain } from "./cursor.ts";
import { withDocuments } from "./grammar.ts";

type NodeOf<T extends SyntaxNode["type"]> = Extract<SyntaxNode, { type: T }>;
type Documents = { operator: number; reading: string }[];

/**
 * Reads the grammar's tree of a text into the form of `plainReading`.
 * @throws NotPlain on a node that no plain text has.
 */
export function treeReading(script: ParsedScript): string {
  const documents: Documents = [];
  const reading = listOf(script.commands, documents);
  return withDocuments(reading, documents);
}

const listOf = (statements: readonly Statement[], documents: Documents): string =>
  statements.map((one) => nodeOf(one.command, documents) + (one.background === true ? "&" : ";")).join("");

type Readers = { readonly [T in SyntaxNode["type"]]?: (node: NodeOf<T>, documents: Documents) => string };

const readers: Readers = {
  AndOr: ({ commands, operators }, documents) => between(commands, operators, documents),
  Pipeline: ({ prefixes, commands, operators }, documents) =>
    prefixes.map(({ type }) => (type === "Negation" ? "!" : "time")).join("") + between(commands, operators, documents),
  Command: ({ prefix, name, suffix }, documents) => {
    const before = prefix.map((one) => (one.type === "Assignment" ? "=" : "") + nodeOf(one, documents));
    const behind = [...(name === undefined ? [] : [name]), ...suffix].map((one) => nodeOf(one, documents));
    return `c(${[...before, ...behind].join("")})`;
  },
  Redirected: ({ command, redirects }, documents) =>
    `redirected(${nodeOf(command, documents)}${redirects.map((one) => redirectOf(one, documents)).join("")})`,
  Redirect: redirectOf,
  HereString: redirectOf,
  HereDoc: redirectOf,
  CompoundList: ({ commands }, documents) => listOf(commands, documents),
  Subshell: ({ body }, documents) => `(${nodeOf(body, documents)})`,
  BraceGroup: ({ body }, documents) => `{${nodeOf(body, documents)}}`,
  If: ifOf,
  While: ({ kind, clause, body }, documents) => `${kind}(${nodeOf(clause, documents)})do(${nodeOf(body, documents)})`,
  For: ({ name, wordlist, body }, documents) => {
    if (wordlist === undefined) return notPlain(shellParts.loop);
    const words = wordlist.map((one) => wordOf(one, documents)).join("");
    return `for ${wordOf(name, documents)}in(${words})do(${nodeOf(body, documents)})`;
  },
  Case: ({ word, items }, documents) => {
    const read = items.map(({ pattern, body }) => {
      const patterns = pattern.map((one) => wordOf(one, documents)).join("|");
      return `${patterns})${nodeOf(body, documents)};;`;
    });
    return `case ${wordOf(word, documents)}in(${read.join("")})`;
  },
  TestCommand: ({ expression }, documents) => `[[${testOf(expression, documents)}]]`,
  ArithmeticCommand: ({ pos, end }) => `((${pos}-${end}`,
  Word: wordOf,
  Assignment: ({ pos, end, name, value, append, index }, documents) => {
    if (index !== undefined) return notPlain(shellParts.index);
    if (value.type !== "Word") return `W${pos}-${end}(${value.elements.map((one) => wordOf(one, documents)).join("")})`;
    const text = JSON.stringify(`${name}${append === true ? "+" : ""}=${value.value}`);
    return `W${pos}-${end}${text}${partsOf(value.parts, documents)}`;
  },
};

const nodeOf = <T extends SyntaxNode["type"]>(node: NodeOf<T>, documents: Documents): string => {
  const read = (readers as { [U in T]?: (one: NodeOf<U>, documents: Documents) => string })[node.type as T];
  return read === undefined ? notPlain(shellParts.command) : read(node, documents);
};

const between = (nodes: readonly SyntaxNode[], operators: readonly string[], documents: Documents): string =>
  nodes.map((node, at) => (operators[at - 1] ?? "") + nodeOf(node, documents)).join("");

function ifOf({ clause, then, elif, else: last }: NodeOf<"If">, documents: Documents): string {
  const [first, ...others] = [{ clause, then }, ...elif].map(
    (one) => `if(${nodeOf(one.clause, documents)})then(${nodeOf(one.then, documents)})`,
  );
  const rest = others.map((one) => `else ${one}`).join("");
  return `${first}${rest}${last === undefined ? "" : `else(${nodeOf(last, documents)})`}`;
}

function redirectOf(node: Redirection, documents: Documents): string {
  const { descriptor, operator } = node;
  if (descriptor?.type === "FileDescriptorVariable") return notPlain(shellParts.redirection);
  const head = `r(${descriptor?.value ?? ""}${operator}`;
  if (node.type !== "HereDoc")
    return node.target === undefined ? notPlain(shellParts.redirection) : `${head}${wordOf(node.target, documents)})`;
  const { delimiter, body, pos } = node;
  if (delimiter === undefined) return notPlain(shellParts.document);
  const reading = `${delimiter.pos}-${delimiter.end}:${body.pos}-${body.end}[${partsOf(body.parts, documents)}]`;
  documents.push({ operator: pos, reading });
  return `${head})`;
}

function testOf(node: TestExpression, documents: Documents): string {
  switch (node.type) {
    case "TestUnary":
      return `${node.operator} ${wordOf(node.operand, documents)}`;
    case "TestBinary":
      return `${wordOf(node.left, documents)}${node.operator}${wordOf(node.right, documents)}`;
    case "TestLogical":
      return `(${node.operands.map((one) => testOf(one, documents)).join(node.operator)})`;
    case "TestNot":
      return "!".repeat(node.negations.length) + testOf(node.operand, documents);
    default:
      return notPlain(shellParts.test);
  }
}

function wordOf({ pos, end, value, parts }: Word, documents: Documents): string {
  return `W${pos}-${end}${JSON.stringify(value)}${partsOf(parts, documents)}`;
}

const partsOf = (parts: readonly WordPart[] | undefined, documents: Documents): string =>
  (parts ?? []).map((part) => partOf(part, documents)).join("");

function partOf(part: WordPart, documents: Documents): string {
  const place = `${part.pos}-${part.end}`;
  switch (part.type) {
    case "Literal":
      return "";
    case "Glob":
    case "BraceExpansion":
      return partsOf(part.parts, documents);
    case "SingleQuoted":
      return `'${place}`;
    case "AnsiCQuoted":
      return `$'${place}`;
    case "DoubleQuoted":
      return `"${place}[${partsOf(part.parts, documents)}]`;
    case "SimpleExpansion":
      return `$${place}`;
    case "ParameterExpansion":
      return `{${place}`;
    case "ArithmeticExpansion":
      return `((${place}`;
    case "CommandExpansion":
    case "ProcessSubstitution": {
      const { script } = part;
      if (script === undefined || script.source !== undefined) return notPlain(shellParts.substitution);
      const sign = part.type === "CommandExpansion" ? "$(" : "<(";
      return `${sign}${place}:${listOf(script.commands, documents)})`;
    }
    default:
      return notPlain(shellParts.expansion);
  }
}
