import { shellParts } from "../../../../words/contract/shell-doubts.ts";
import { type Cursor, matchAt, nested, notPlain, take } from "./cursor.ts";

/** The pieces of a word: its text as far as it is quoted or stands for itself, and its quotes and expansions with their places. */
interface Pieces {
  value: string;
  parts: string;
}

const literal = /[^\s\\'"$`{}()<>|&;]+/y;
const single = /'[^']*'/y;
const ansi = /\$'(?:[^'\\]|\\[ntr\\'"])*'/y;
const ansiEscapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
/** Braces around plain signs. */
const braces = /\{[^{}\s\\'"$`()<>|&;]*\}/y;

/** The places where braces around plain signs begin and end. */
interface Group {
  from: number;
  to: number;
}

/** A word, or a process substitution that is one by itself. */
export function readWord(cursor: Cursor): string {
  const from = cursor.at;
  if (/[<>]/u.test(cursor.source[from] ?? "")) return `W${processSubstitution(cursor)}`;
  if (cursor.source[from] === "#") notPlain(shellParts.comment);
  const pieces = { value: "", parts: "" };
  const groups: Group[] = [];
  while (readPiece(cursor, pieces, groups));
  if (cursor.at === from) notPlain(shellParts.no_word);
  checkBraces(cursor, from, groups);
  checkBehind(cursor, from, groups.length > 0);
  return `W${from}-${cursor.at}${JSON.stringify(pieces.value)}${pieces.parts}`;
}

function processSubstitution(cursor: Cursor): string {
  const from = cursor.at;
  cursor.at += 2;
  const inner = substituted(cursor);
  if (/[^\s;&|)]/u.test(cursor.source[cursor.at] ?? " ")) notPlain(shellParts.joined);
  const text = cursor.source.slice(from, cursor.at);
  return `${from}-${cursor.at}${JSON.stringify(text)}<(${from}-${cursor.at}:${inner})`;
}

/** @returns whether there was one. */
function readPiece(cursor: Cursor, pieces: Pieces, groups: Group[]): boolean {
  const from = cursor.at;
  const plain = take(cursor, literal);
  if (plain !== undefined) return add(pieces, plain);
  switch (cursor.source[from]) {
    case "\\": {
      const next = cursor.source[from + 1] ?? notPlain(shellParts.last_backslash);
      if (next === "\n") notPlain(shellParts.broken_word);
      cursor.at += 2;
      return add(pieces, next);
    }
    case "'": {
      const text = take(cursor, single) ?? notPlain(shellParts.endless_quote);
      return add(pieces, text.slice(1, -1), `'${from}-${cursor.at}`);
    }
    case '"':
      return doubleQuoted(cursor, pieces);
    case "$":
      return dollar(cursor, pieces);
    case "{": {
      const group = take(cursor, braces) ?? notPlain(shellParts.brace);
      groups.push({ from, to: cursor.at });
      return add(pieces, group);
    }
    case "`":
      return inBackticks(cursor, pieces);
    case "}":
      return notPlain(shellParts.brace);
    case "(":
      return notPlain(shellParts.parenthesis);
    default:
      return false;
  }
}

function add(pieces: Pieces, value: string, parts = ""): true {
  pieces.value += value;
  pieces.parts += parts;
  return true;
}

function dollar(cursor: Cursor, pieces: Pieces): true {
  const from = cursor.at;
  const next = cursor.source[from + 1];
  if (next === '"') notPlain(shellParts.dollar_quote);
  if (next !== "'") return expansion(cursor, pieces);
  const text = take(cursor, ansi) ?? notPlain(shellParts.ansi_escape);
  const value = text.slice(2, -1).replace(/\\(.)/gsu, (_, sign: string) => ansiEscapes[sign] ?? sign);
  return add(pieces, value, `$'${from}-${cursor.at}`);
}

const quotedText = /[^\\"$`]+/y;

function doubleQuoted(cursor: Cursor, outer: Pieces): true {
  const from = cursor.at;
  const pieces = { value: "", parts: "" };
  cursor.at += 1;
  for (;;) {
    const text = take(cursor, quotedText);
    const sign = cursor.source[cursor.at];
    if (text !== undefined) add(pieces, text);
    else if (sign === '"') break;
    else if (sign === "$") expansion(cursor, pieces);
    else if (sign === "\\") escapedInQuotes(cursor, pieces);
    else if (sign === "`") inBackticks(cursor, pieces);
    else notPlain(shellParts.endless_quote);
  }
  cursor.at += 1;
  return add(outer, pieces.value, `"${from}-${cursor.at}[${pieces.parts}]`);
}

function escapedInQuotes(cursor: Cursor, pieces: Pieces): void {
  // Bash joins what is around such a line break before it looks for an expansion.
  if (/^[^ \t.,;:]\\\n$/u.test(cursor.source.slice(cursor.at - 1, cursor.at + 2))) notPlain(shellParts.broken_quote);
  escaped(cursor, pieces, '$`"\\');
}

/** A backslash keeps these signs from meaning more, and stands for itself before others. */
function escaped(cursor: Cursor, pieces: Pieces, kept: string): void {
  const next = cursor.source[cursor.at + 1] ?? notPlain(shellParts.last_backslash);
  add(pieces, next === "\n" ? "" : kept.includes(next) ? next : `\\${next}`);
  cursor.at += 2;
}

const simple = /\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/y;
/** `${x}`, `${#x}`, `${x[0]}`, and with an operator behind which only plain signs and variables stand. */
const parameter =
  /\$\{(?:[?$!#-]|#?(?:[A-Za-z_]\w*|\d+|[@*])(?:\[(?:\d+|[@*])\])?|(?:[A-Za-z_]\w*|\d+|[@*])(?:\[(?:\d+|[@*])\])?[-+=?:#%/^,@](?:[\w ./*?:,@+=~^%#[\]-]|\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\})*)\}/y;
const arithmetic = /\$\(\([\w \t+*/%<>=!?:&|,-]*\)\)/y;

/** At a dollar, in quotes or not. */
function expansion(cursor: Cursor, pieces: Pieces): true {
  const from = cursor.at;
  const name = take(cursor, simple);
  if (name !== undefined) return add(pieces, name, `$${from}-${cursor.at}`);
  const next = cursor.source[from + 1];
  if (next === "{") {
    const text = take(cursor, parameter) ?? notPlain(shellParts.expansion);
    return add(pieces, text, `{${from}-${cursor.at}`);
  }
  if (next === "[") notPlain(shellParts.expansion);
  if (next !== "(") {
    cursor.at += 1;
    return add(pieces, "$");
  }
  if (cursor.source[from + 2] === "(") {
    const text = take(cursor, arithmetic) ?? notPlain(shellParts.arithmetic);
    return add(pieces, text, `((${from}-${cursor.at}`);
  }
  cursor.at += 2;
  const inner = substituted(cursor);
  return add(pieces, cursor.source.slice(from, cursor.at), `$(${from}-${cursor.at}:${inner})`);
}

const firstTime = /(?:[ \t\n]|\\\n)*time(?!\w)/y;

/** A program up to its parenthesis, whose here-documents end within it. */
function substituted(cursor: Cursor): string {
  // Bash looks for the end of what begins so by quotes and parentheses alone, also in here-documents and comments.
  if (cursor.source[cursor.at] === "(") notPlain(shellParts.two_parentheses);
  // Bash takes no word behind it for one of the shell.
  if (matchAt(cursor, firstTime) !== undefined) notPlain(shellParts.timed);
  const { pending, isSubstituted } = cursor;
  cursor.pending = [];
  cursor.isSubstituted = true;
  const reading = nested(cursor, () => cursor.program(cursor));
  if (cursor.pending.length > 0) notPlain(shellParts.inner_document);
  Object.assign(cursor, { pending, isSubstituted });
  if (cursor.source[cursor.at] !== ")") notPlain(shellParts.endless);
  cursor.at += 1;
  return reading;
}

const backticks = /`[^`\\'"#(){}<\n]*`/y;

/** A program between backticks, of signs that mean the same there as elsewhere. */
function inBackticks(cursor: Cursor, pieces: Pieces): true {
  const from = cursor.at;
  const text = take(cursor, backticks) ?? notPlain(shellParts.backticks);
  const end = cursor.at - 1;
  const inner: Cursor = { ...cursor, source: cursor.source.slice(0, end), at: from + 1, pending: [] };
  const reading = nested(inner, () => inner.program(inner));
  if (inner.at < end) notPlain(shellParts.backticks);
  return add(pieces, text, `$(${from}-${cursor.at}:${reading})`);
}

const mayBeGroup = /,|\.\./u;
/** Bash takes braces apart before it looks for variables: of `$x{a,b}` it makes `$xa` and `$xb`. */
const variableBefore = /\$(?:\w+|[@*#?$!-])?$/u;

/** Bash looks for a brace's end in the raw text: so it must be sure where it is, whatever else stands in the word. */
function checkBraces({ source, at }: Cursor, from: number, groups: readonly Group[]): void {
  if (groups.length === 0) return;
  const areSure = groups.length === 1 || groups.every((one) => mayBeGroup.test(source.slice(one.from, one.to)));
  let last = from;
  for (const { from: begin, to } of [...groups, { from: at, to: at }]) {
    const between = source.slice(last, begin);
    if (!areSure || /[{}(`\\]/u.test(between) || (begin < at && variableBefore.test(between)))
      notPlain(shellParts.brace);
    last = to;
  }
}

/** Checks the text right behind a word, which may make it a number of a descriptor, or go on with it. */
export function checkBehind({ source, at }: Cursor, from: number, hasBraces: boolean): void {
  const next = source[at];
  if (next !== "<" && next !== ">") return;
  if (source[at + 1] === "(") notPlain(shellParts.joined);
  if (hasBraces || /^\d+$/u.test(source.slice(from, at).replace(/[\\'"$]/gu, "")))
    notPlain(shellParts.before_redirection);
}

const bodyText = /[^\\$`]+/y;

/** Expansions in the text of a here-document, whose end was found before. */
export function bodyParts(cursor: Cursor, from: number, to: number): string {
  const inner: Cursor = { ...cursor, source: cursor.source.slice(0, to), at: from, pending: [] };
  const pieces = { value: "", parts: "" };
  while (inner.at < to) {
    if (take(inner, bodyText) !== undefined) continue;
    const sign = inner.source[inner.at];
    if (sign === "$") expansion(inner, pieces);
    else if (sign === "`") inBackticks(inner, pieces);
    else if (sign === "\\" && inner.source[inner.at + 1] !== "\n") escaped(inner, pieces, "$`\\");
    else notPlain(shellParts.broken_document);
  }
  return pieces.parts;
}

/** Tells whether a word begins there. */
export const isAtWord = (cursor: Cursor): boolean => matchAt(cursor, /[^\s;&|()<>]|[<>]\(/y) !== undefined;
