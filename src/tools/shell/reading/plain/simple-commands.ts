import { shellParts } from "../../../../words/contract/shell-doubts.ts";
import { type Cursor, matchAt, notPlain, skipBlanks, take } from "./cursor.ts";
import { checkBehind, isAtWord, readWord } from "./words.ts";

/** Words of the shell, where a command begins with them. */
export const opening =
  /(?:if|while|until|for|case|select|function|coproc|time|in|then|do|done|fi|elif|else|esac|!|\{|\}|\[\[|\]\])(?![^ \t\n;&|()<>])/y;

const listed = /[A-Za-z_]\w*\+?=\(/y;
const assigned = /[A-Za-z_]\w*\+?=/y;
/** `a[…]`: where it may be one of a list, bash reads on to the bracket. */
const indexed = /[A-Za-z_]\w*\[/y;
const plainIndex = /[A-Za-z_]\w*\[[^\s'"\\$`(){}<>|&;\]]*\]/y;

export function simpleCommand(cursor: Cursor): string {
  let [pieces, isNamed] = ["", false];
  for (skipBlanks(cursor); ; skipBlanks(cursor)) {
    const redirect = redirection(cursor);
    if (redirect !== undefined) {
      pieces += redirect;
      continue;
    }
    if (!isAtWord(cursor)) break;
    const isAssigned = !isNamed && matchAt(cursor, assigned) !== undefined;
    pieces += isAssigned ? `=${assignment(cursor)}` : isNamed ? argument(cursor) : commandName(cursor);
    isNamed ||= !isAssigned;
  }
  if (pieces === "") notPlain(shellParts.begin);
  return `c(${pieces})`;
}

const assignment = (cursor: Cursor): string =>
  matchAt(cursor, listed) === undefined ? readWord(cursor) : readList(cursor);

function commandName(cursor: Cursor): string {
  if (matchAt(cursor, opening) !== undefined || matchAt(cursor, indexed) !== undefined) notPlain(shellParts.first_word);
  return readWord(cursor);
}

function argument(cursor: Cursor): string {
  if (matchAt(cursor, indexed) !== undefined && matchAt(cursor, plainIndex) === undefined) notPlain(shellParts.index);
  return readWord(cursor);
}

/** `a=(b c)`, in one line. */
function readList(cursor: Cursor): string {
  const from = cursor.at;
  take(cursor, listed);
  let elements = "";
  for (take(cursor, /[ \t]+/y); take(cursor, /\)/y) === undefined; take(cursor, /[ \t]+/y)) {
    if (matchAt(cursor, /[^\s;&|()<>[#]/y) === undefined) notPlain(shellParts.list);
    elements += readWord(cursor);
  }
  // In a substitution bash goes through its text twice, once without the backslashes.
  const isEscaped = cursor.isSubstituted && cursor.source.slice(from, cursor.at).includes("\\");
  if (isEscaped || matchAt(cursor, /[^\s;&|)]/y) !== undefined) notPlain(shellParts.list);
  return `W${from}-${cursor.at}(${elements})`;
}

export function redirections(cursor: Cursor): string {
  let reading = "";
  for (skipBlanks(cursor); ; skipBlanks(cursor)) {
    const one = redirection(cursor);
    if (one === undefined) return reading;
    reading += one;
  }
}

const operators = /(\d{0,3})(<<<|<<-|<<|<>|<&|>&|>>|>\||<|>)|&>>?/y;
/** A file that takes both outputs. */
const plainName = /[A-Za-z_./](?:[\w./-]*[\w./])?(?![^\s;&|)])/y;
const descriptor = /(?:\d{1,3}|-)(?![^\s;&|)])/y;
/** By which it is sure where a here-document ends. */
const mark = /(?:[\w.-]+|'[\w .-]+'|"[\w .-]+")(?![^\s;&|)<>])/y;

function redirection(cursor: Cursor): string | undefined {
  const [text, number = "", sign] = matchAt(cursor, operators) ?? [];
  if (text === undefined) return undefined;
  const operator = sign ?? text;
  if (/^[<>]$/u.test(operator) && cursor.source[cursor.at + text.length] === "(")
    return number === "" ? undefined : notPlain(shellParts.number);
  const at = cursor.at;
  cursor.at += text.length;
  skipBlanks(cursor);
  const head = `r(${number === "" ? "" : Number(number)}${operator}`;
  if (operator === "<<" || operator === "<<-") {
    owe(cursor, at, operator === "<<-");
    return `${head})`;
  }
  if (/^[<>]&$/u.test(operator)) checkDescriptor(cursor, operator === ">&" && number === "");
  if (!isAtWord(cursor)) notPlain(shellParts.redirection);
  return `${head}${readWord(cursor)})`;
}

/** At the word that ends a here-document. */
function owe(cursor: Cursor, operator: number, isTabbed: boolean): void {
  const from = cursor.at;
  if (take(cursor, mark) === undefined) notPlain(shellParts.document_end);
  checkBehind(cursor, from, false);
  cursor.pending.push({ operator, from, to: cursor.at, isTabbed });
}

function checkDescriptor(cursor: Cursor, mayBeFile: boolean): void {
  const isKnown = matchAt(cursor, descriptor) !== undefined || (mayBeFile && matchAt(cursor, plainName) !== undefined);
  if (!isKnown) notPlain(shellParts.behind_descriptor);
}
