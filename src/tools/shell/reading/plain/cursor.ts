import { shellParts } from "../../../../words/contract/shell-doubts.ts";

/** A here-document whose text begins behind the line of its operator. */
interface Pending {
  operator: number;
  from: number;
  to: number;
  isTabbed: boolean;
}

/** The place in a text where a reader is, and the work that it still owes. */
export interface Cursor {
  readonly source: string;
  at: number;
  /** Here-documents of the program that is being read. */
  pending: Pending[];
  /** Readings of all here-documents, with the places of their operators. */
  readonly documents: { operator: number; reading: string; isUneven?: true }[];
  depth: number;
  /** It is within `$(…)` or `<(…)`, whose end bash looks for in a way of its own, by its version. */
  isSubstituted: boolean;
  /** Reads a program up to the parenthesis that closes it. */
  readonly program: (cursor: Cursor) => string;
}

/** The text is not plain: nobody says that bash would not read it. */
export class NotPlain extends Error {
  override readonly name = "NotPlain";
}

/** @param what of the text it is, as the object of a sentence. */
export function notPlain(what: string): never {
  throw new NotPlain(what);
}

/** @param pattern sticky. */
export function matchAt({ source, at }: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source) ?? undefined;
}

/** Returns the text that stands there, and passes it. @param pattern sticky. */
export function take(cursor: Cursor, pattern: RegExp): string | undefined {
  const found = matchAt(cursor, pattern)?.[0];
  if (found !== undefined) cursor.at += found.length;
  return found;
}

/** Deeper than anybody writes by hand. */
const mostDepth = 50;

/** Reads what is nested. */
export function nested<T>(cursor: Cursor, read: () => T): T {
  cursor.depth += 1;
  if (cursor.depth > mostDepth) notPlain(shellParts.too_deep);
  const found = read();
  cursor.depth -= 1;
  return found;
}

const blanks = /[ \t]+/y;
const comment = /#[^\n]*/y;

/** Passes blanks, line breaks behind a backslash that part words, and a comment. */
export function skipBlanks(cursor: Cursor): void {
  take(cursor, blanks);
  while (cursor.source.startsWith("\\\n", cursor.at)) {
    passBreak(cursor);
    take(cursor, blanks);
  }
  const text = take(cursor, comment);
  if (text?.endsWith("\\") === true) notPlain(shellParts.ended_comment);
  if (text !== undefined && cursor.isSubstituted && /['"`$()\\]/u.test(text)) notPlain(shellParts.inner_comment);
}

/** Bash takes it away before it looks for words: it is a blank only beside one. */
function passBreak(cursor: Cursor): void {
  const { source, at } = cursor;
  if (!(isBlank(source[at - 1]) || isBlank(source[at + 2]))) notPlain(shellParts.broken_word);
  cursor.at += 2;
}

const isBlank = (sign = "\n"): boolean => " \t\n".includes(sign);
