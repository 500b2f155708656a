import { shellParts } from "../../../../words/contract/shell-doubts.ts";
import { type Cursor, matchAt, nested, notPlain, skipBlanks, take } from "./cursor.ts";
import { opening, redirections, simpleCommand } from "./simple-commands.ts";
import { bodyParts, isAtWord, readWord } from "./words.ts";

/**
 * Reads a text that is plain as bash does, into a value that can be compared: words, quotes and expansions with their places, operators, and what is
 * nested in what. It knows a small part of bash's grammar, and that exactly.
 * @throws NotPlain where it does not know how bash reads it.
 */
export function plainReading(source: string): string {
  const { reading, documents } = readAll(source);
  return withDocuments(reading, documents);
}

/** Tells whether a plain text has a here-document in a substitution that holds signs by which bash before 4 looks for that one's end. */
export const isUneven = (source: string): boolean =>
  readAll(source).documents.some((document) => document.isUneven === true);

function readAll(source: string): { reading: string; documents: Cursor["documents"] } {
  const cursor: Cursor = { source, at: 0, pending: [], documents: [], depth: 0, isSubstituted: false, program: list };
  const reading = list(cursor);
  if (cursor.at < source.length) notPlain(shellParts.between);
  if (cursor.pending.length > 0) readDocuments(cursor, cursor.source.length);
  return { reading, documents: cursor.documents };
}

/** Their order is the one of their operators, however they were come by. */
export const withDocuments = (reading: string, documents: readonly { operator: number; reading: string }[]): string =>
  [reading, ...documents.toSorted((one, other) => one.operator - other.operator).map((one) => one.reading)].join("\n");

const closing = /(?:then|do|done|fi|elif|else|esac|\})(?![^ \t\n;&|()<>])/y;

/** Commands up to what closes them: the end, a parenthesis, `;;`, or a word that does. */
function list(cursor: Cursor): string {
  let reading = "";
  newlines(cursor);
  while (!isClosed(cursor)) {
    reading += andOr(cursor);
    skipBlanks(cursor);
    const isBackground = take(cursor, /&(?![&>])/y) !== undefined;
    reading += isBackground ? "&" : ";";
    const isParted = isBackground || take(cursor, /;(?![;&])/y) !== undefined || cursor.source[cursor.at] === "\n";
    if (!isParted && !/^(?:$|\)|;;)/u.test(cursor.source.slice(cursor.at, cursor.at + 2)))
      notPlain(shellParts.behind_command);
    newlines(cursor);
  }
  return reading;
}

const isClosed = (cursor: Cursor): boolean =>
  cursor.at >= cursor.source.length ||
  matchAt(cursor, /\)|;;/y) !== undefined ||
  matchAt(cursor, closing) !== undefined;

function newlines(cursor: Cursor): void {
  skipBlanks(cursor);
  while (cursor.source[cursor.at] === "\n") {
    const at = cursor.at;
    cursor.at += 1;
    if (cursor.pending.length > 0) readDocuments(cursor, at);
    skipBlanks(cursor);
  }
}

/** @param end where the line of their operators ends. */
function readDocuments(cursor: Cursor, end: number): void {
  const { source, pending } = cursor;
  cursor.pending = [];
  // Bash takes the text from behind the first line break that it comes upon as one.
  if (source.slice(pending[0]?.operator, end).includes("\n")) notPlain(shellParts.late_document);
  if (cursor.isSubstituted && pending.length > 1) notPlain(shellParts.inner_document);
  for (const { operator, from, to, isTabbed } of pending) {
    const word = source.slice(from, to);
    const isQuoted = /^['"]/u.test(word);
    const mark = isQuoted ? word.slice(1, -1) : word;
    const body = cursor.at;
    const close = closeOf(source, body, mark, isTabbed);
    // Without its last line it goes to the end of the text.
    if (close === undefined && cursor.depth > 0) notPlain(shellParts.endless_document);
    const last = close?.from ?? source.length;
    const parts = isQuoted ? "" : bodyParts(cursor, Math.min(body, last), last);
    const reading = `${from}-${to}:${body}-${last}[${parts}]`;
    cursor.documents.push({ operator, reading, ...unevenIn(cursor, source.slice(body, last)) });
    cursor.at = Math.min(close?.to ?? source.length, source.length);
  }
}

const unevenIn = ({ isSubstituted }: Cursor, text: string): { isUneven?: true } =>
  isSubstituted && /['"`()\\]/u.test(text) ? { isUneven: true } : {};

function closeOf(
  source: string,
  body: number,
  mark: string,
  isTabbed: boolean,
): { from: number; to: number } | undefined {
  for (let from = body; from < source.length; ) {
    const found = source.indexOf("\n", from);
    const end = found < 0 ? source.length : found;
    const line = source.slice(from, end);
    if ((isTabbed ? line.replace(/^\t+/u, "") : line) === mark) return { from, to: end + 1 };
    from = end + 1;
  }
  return undefined;
}

function andOr(cursor: Cursor): string {
  let reading = pipeline(cursor);
  for (;;) {
    skipBlanks(cursor);
    const operator = take(cursor, /&&|\|\|/y);
    if (operator === undefined) return reading;
    newlines(cursor);
    reading += operator + pipeline(cursor);
  }
}

const prefix = /(?:!|time(?:[ \t]+-p)?)(?![^ \t\n])/y;

function pipeline(cursor: Cursor): string {
  const before = take(cursor, prefix) ?? "";
  skipBlanks(cursor);
  if (before !== "" && matchAt(cursor, /-|(?:!|time)(?![^\s;&|()<>])|\w+\+?=\(/y) !== undefined)
    notPlain(shellParts.behind({ sign: before }));
  let reading = before.slice(0, "time".length) + command(cursor);
  for (;;) {
    skipBlanks(cursor);
    const operator = take(cursor, /\|&|\|(?!\|)/y);
    if (operator === undefined) return reading;
    newlines(cursor);
    reading += operator + command(cursor);
  }
}

/** `((1 + 2))`: without a parenthesis in it, it is no group in a group. */
const arithmetic = /\(\([\w \t+*/%<>=!?:&|,-]*\)\)/y;

function command(cursor: Cursor): string {
  const from = cursor.at;
  const isArithmetic = take(cursor, arithmetic) !== undefined;
  const word = cursor.source[from] === "(" ? "(" : matchAt(cursor, opening)?.[0];
  if (word === undefined) return simpleCommand(cursor);
  const reading = isArithmetic ? `((${from}-${cursor.at}` : compound(cursor, word);
  const redirects = redirections(cursor);
  return redirects === "" ? reading : `redirected(${reading}${redirects})`;
}

function compound(cursor: Cursor, word: string): string {
  const read = compounds[word] ?? notPlain(shellParts.reserved);
  cursor.at += word.length;
  return nested(cursor, () => read(cursor));
}

/** Passes a word of the shell where a command would begin. */
function expect(cursor: Cursor, word: string): void {
  skipBlanks(cursor);
  const found = word === ")" ? take(cursor, /\)/y) : matchAt(cursor, closing)?.[0];
  if (found !== word) notPlain(shellParts.reserved);
  if (word !== ")") cursor.at += word.length;
}

function block(cursor: Cursor, end: string): string {
  const reading = fullList(cursor);
  expect(cursor, end);
  return reading;
}

const fullList = (cursor: Cursor): string => list(cursor) || notPlain(shellParts.empty_block);

const compounds: Readonly<Record<string, (cursor: Cursor) => string>> = {
  "(": (cursor) => {
    if (cursor.source[cursor.at] === "(") notPlain(shellParts.two_parentheses);
    return `(${block(cursor, ")")})`;
  },
  "{": (cursor) => `{${block(cursor, "}")}}`,
  if: readIf,
  while: (cursor) => `while(${block(cursor, "do")})do(${block(cursor, "done")})`,
  until: (cursor) => `until(${block(cursor, "do")})do(${block(cursor, "done")})`,
  for: readFor,
  case: readCase,
  "[[": readTest,
};

function readIf(cursor: Cursor): string {
  for (let reading = ""; ; reading += "else ") {
    reading += `if(${block(cursor, "then")})then(${fullList(cursor)})`;
    const word = take(cursor, closing);
    if (word === "elif") continue;
    if (word === "else") return `${reading}else(${block(cursor, "fi")})`;
    return word === "fi" ? reading : notPlain(shellParts.reserved);
  }
}

function readFor(cursor: Cursor): string {
  skipBlanks(cursor);
  if (matchAt(cursor, /[A-Za-z_]\w*(?=[ \t])/y) === undefined) notPlain(shellParts.loop);
  const name = readWord(cursor);
  skipBlanks(cursor);
  if (take(cursor, /in(?=[ \t])/y) === undefined) notPlain(shellParts.loop);
  let words = "";
  for (skipBlanks(cursor); isAtWord(cursor); skipBlanks(cursor)) words += readWord(cursor);
  if (take(cursor, /[;\n]/y) === undefined) notPlain(shellParts.loop);
  if (cursor.pending.length > 0) notPlain(shellParts.document);
  newlines(cursor);
  expect(cursor, "do");
  return `for ${name}in(${words})do(${block(cursor, "done")})`;
}

function readCase(cursor: Cursor): string {
  skipBlanks(cursor);
  const word = readWord(cursor);
  skipBlanks(cursor);
  if (take(cursor, /in(?=[ \t\n])/y) === undefined) notPlain(shellParts.case);
  let items = "";
  for (newlines(cursor); take(cursor, /esac(?![^ \t\n;&|()<>])/y) === undefined; newlines(cursor)) {
    take(cursor, /\(/y);
    skipBlanks(cursor);
    let patterns = readWord(cursor);
    for (skipBlanks(cursor); take(cursor, /\|/y) !== undefined; skipBlanks(cursor)) {
      skipBlanks(cursor);
      patterns += `|${readWord(cursor)}`;
    }
    expect(cursor, ")");
    items += `${patterns})${list(cursor)};;`;
    if (take(cursor, /;;(?!&)/y) === undefined && matchAt(cursor, /esac/y) === undefined) notPlain(shellParts.case);
  }
  return `case ${word}in(${items})`;
}

const comparing = /(?:==|=|!=|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))(?=[ \t])/y;
const testing = /-[a-zA-Z](?=[ \t])/y;

/** Behind `[[`: operators of words, without parentheses. */
function readTest(cursor: Cursor): string {
  const reading = joined(cursor, "||", () => joined(cursor, "&&", () => testTerm(cursor)));
  if (take(cursor, /\]\](?![^ \t\n;&|()<>])/y) === undefined) notPlain(shellParts.test);
  return `[[${reading}]]`;
}

function joined(cursor: Cursor, operator: "&&" | "||", read: () => string): string {
  const operands = [read()];
  for (wordBlanks(cursor); cursor.source.startsWith(operator, cursor.at); wordBlanks(cursor)) {
    cursor.at += 2;
    operands.push(read());
  }
  return operands.length === 1 ? (operands[0] ?? "") : `(${operands.join(operator)})`;
}

function testTerm(cursor: Cursor): string {
  let not = "";
  for (wordBlanks(cursor); take(cursor, /!(?=[ \t])/y) !== undefined; wordBlanks(cursor)) not += "!";
  const unary = take(cursor, testing);
  if (unary !== undefined) return `${not}${unary} ${testWord(cursor)}`;
  const left = testWord(cursor);
  wordBlanks(cursor);
  const operator = take(cursor, comparing);
  return operator === undefined ? `${not}-n ${left}` : `${not}${left}${operator}${testWord(cursor)}`;
}

function testWord(cursor: Cursor): string {
  wordBlanks(cursor);
  if (!isAtWord(cursor) || /[<>]/u.test(cursor.source[cursor.at] ?? "") || matchAt(cursor, /\]\]|[!=-]/y) !== undefined)
    notPlain(shellParts.test);
  return readWord(cursor);
}

const wordBlanks = (cursor: Cursor): unknown => take(cursor, /[ \t]+/y);
