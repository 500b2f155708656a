import type { CertainWord } from "../../../core/command.ts";
import type { Words } from "./options.ts";

/** A word as it is, or what is sure of it. */
type Given = string | Omit<CertainWord, "at"> | null;

/**
 * Tells whether the text of awk neither writes, starts nor takes from another program, and reads no file but its operands; the text must be known.
 * @param certain what is sure of words that are not known, by their places among these
 */
export const onlyPrints = (words: Words, certain: readonly CertainWord[] = []): boolean =>
  printsBehind(words.map((word, at) => word ?? certain.find((one) => one.at === at) ?? null));

/** Places of words that are options of awk, or their values, and no files: they stand before its text. */
export function optionPlaces(words: Words, certain: readonly CertainWord[], from = 0): number[] {
  const word = words[from] ?? null;
  const isSure = (place: number): boolean => certain.some(({ at }) => at === place);
  const head = word ?? certain.find(({ at }) => at === from)?.head;
  if (head === undefined || !/^-[Fv]/u.test(head)) return [];
  const own = word === "-F" || word === "-v" ? [from, from + 1] : [from];
  return [...own.filter(isSure), ...optionPlaces(words, certain, from + own.length)];
}

/** Words behind its options and its text: files, and values that it gives variables. */
export function behindText(words: Words): string[] {
  const [word = null, ...rest] = words;
  if (words.length === 0) return [];
  if (word === null || !word.startsWith("-")) return rest.filter((one) => one !== null);
  return behindText(word === "-F" || word === "-v" ? rest.slice(1) : rest);
}

function printsBehind(words: readonly Given[]): boolean {
  const [word, ...rest] = words;
  if (word === undefined || word === null) return false;
  if (typeof word !== "string")
    return isGiven(word) && printsBehind(rest) && (word.head !== "-F" || printsWithout(rest));
  if (word !== "-F" && word !== "-v") return /^-[Fv]./u.test(word) ? printsBehind(rest) : isText(word);
  const [value = null, ...more] = rest;
  // Of what is not sure to be a word bash may make none, and what follows would be none of the text.
  if (value === null || (typeof value !== "string" && word === "-v" && !isNamed(value.head))) return false;
  return printsBehind(more);
}

const isText = (word: string): boolean => !word.startsWith("-") && isPrinting(word);
const isGiven = ({ head }: Omit<CertainWord, "at">): boolean =>
  head.startsWith("-v") ? isNamed(head.slice(2)) : head.startsWith("-F");

/** `-F"$x"`, where x is empty: then the word behind it is what parts, and the next one the text. */
const printsWithout = ([, ...rest]: readonly Given[]): boolean => rest.length === 0 || printsBehind(rest);

/** Names that awk itself goes by: what is printed, or read, hangs on them. */
const obeyed =
  /^(?:ARG\w*|BINMODE|CONVFMT|ENVIRON|ERRNO|FIELDWIDTHS|FILENAME|FNR|FPAT|FUNCTAB|IGNORECASE|LINT|NF|NR|OFMT|PROCINFO|RLENGTH|RSTART|RT|SUBSEP|SYMTAB|TEXTDOMAIN)$/u;

/** A value that is not known is given to a variable that is. */
function isNamed(head: string): boolean {
  const [, name] = /^([A-Za-z]\w*)=/u.exec(head) ?? [];
  return name !== undefined && !obeyed.test(name);
}

/** `extension` loads a library in gawk before 5, `bindtextdomain` and the like read a file of texts. */
const doesMore =
  /\b(?:system|getline|close|fflush|ARGV|ARGC|ARGIND|PROCINFO|SYMTAB|FUNCTAB|TEXTDOMAIN)\b|\b(?:extension|bindtextdomain|dcn?gettext)\s*\(|@|(?<!\|)\|(?!\|)|>>/u;

/** In what is no string, pattern or comment nothing runs, opens, pipes, names what is read, or writes (`>` behind print, over line ends too). */
function isPrinting(program: string): boolean {
  const bare = bareOf(program);
  if (bare === undefined) return false;
  if (doesMore.test(bare)) return false;
  return !/\bprintf?\b[^;}]*>/u.test(bare);
}

/**
 * Read at one place: a string and a comment, a pattern, what may stand before a sign of division, and what else there is. A number with a letter right
 * behind it (`$1system("x")`) is none: where it ends, programs say differently, and what is behind it is a word.
 */
const pieces =
  /"((?:[^"\\\n]|\\[^\n])*)"|#[^\n]*|\\\n|([A-Za-z_]\w*|\d[\d.]*(?:[eE][-+]?\d+)?(?![\w.])|\s+|[^\w\s"\\/#])|(\/)/uy;
const pattern = /\/(?:[^/\\\n]|\\[^\n])+\//uy;

/** Words of the language, behind which a pattern may stand. */
const keywords =
  /^(?:BEGIN|END|BEGINFILE|ENDFILE|function|func|if|else|while|for|do|in|return|print|printf|exit|delete|case|switch|default|next|nextfile|break|continue|getline|length)$/u;

/**
 * The program with its strings, patterns and comments emptied. Whether a `/` begins a pattern or divides hangs on the whole grammar of awk, and
 * programs differ: where it is not plain from what stands before it, nothing is said.
 * @returns undefined where it is not plain what each sign belongs to
 */
function bareOf(program: string): string | undefined {
  let bare = "";
  let before = "";
  for (let at = 0; at < program.length; ) {
    const piece = pieceAt(program, at, before);
    if (piece === undefined) return undefined;
    bare += piece.bare;
    if (!/^[^\S\n]+$/u.test(piece.bare)) before = piece.bare.trim() === "" ? "\n" : piece.bare;
    at += piece.length;
  }
  return bare;
}

/** @param before what stands before it, blanks left out */
function pieceAt(program: string, at: number, before: string): { bare: string; length: number } | undefined {
  pieces.lastIndex = at;
  const [whole, string, sign, slash] = pieces.exec(program) ?? [];
  if (whole === undefined) return undefined;
  if (string !== undefined) return { bare: '""', length: whole.length };
  if (slash === undefined) return { bare: sign ?? " ", length: whole.length };
  const isPattern = begins(before);
  return isPattern === false ? { bare: "/", length: 1 } : isPattern && patternAt(program, at);
}

function patternAt(program: string, at: number): { bare: string; length: number } | undefined {
  pattern.lastIndex = at;
  const [whole] = pattern.exec(program) ?? [];
  // Within brackets a `/` ends it for some programs, and for others it does not.
  return whole === undefined || /\[[^\]]*$/u.test(whole) ? undefined : { bare: "//", length: whole.length };
}

/** Tells whether a `/` behind this begins a pattern or divides; undefined where it can be either. */
function begins(before: string): boolean | undefined {
  if (/^[~(,{};!&|\n]?$/u.test(before)) return true;
  if (keywords.test(before)) return undefined;
  return /^(?:\w.*|\])$/u.test(before) ? false : undefined;
}
