import type { Words } from "./options.ts";

/** Whether the text of awk neither writes, starts nor takes from another program, and reads no file but its operands; the text must be known. */
export function onlyPrints(words: Words): boolean {
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === null) return false;
    if (/^-[Fv]$/u.test(word)) {
      // Of what is not known, bash may make no word, and what follows would be none of the text.
      if (rest.shift() === null) return false;
    } else if (!/^-[Fv]./u.test(word)) return !word.startsWith("-") && isPrinting(word);
  }
  return false;
}

/** In what is no string, pattern or comment nothing runs, opens, pipes, names what is read, or writes (`>` behind print, over line ends too). */
function isPrinting(program: string): boolean {
  const bare = bareOf(program);
  if (bare === undefined) return false;
  if (/\b(?:system|getline|close|fflush|ARGV|ARGC|ARGIND|PROCINFO|SYMTAB|FUNCTAB)\b|@|(?<!\|)\|(?!\|)|>>/u.test(bare))
    return false;
  return !/\bprintf?\b[^;}]*>/u.test(bare);
}

/** Read at one place: a string and a comment, a pattern, what may stand before a sign of division, and what else there is. */
const pieces = /"((?:[^"\\\n]|\\[^\n])*)"|#[^\n]*|\\\n|([A-Za-z_]\w*|\d[\w.]*|\s+|[^\w\s"\\/#])|(\/)/uy;
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

/** Whether a `/` behind this begins a pattern, else divides; undefined where it can be either. */
function begins(before: string): boolean | undefined {
  if (/^[~(,{};!&|\n]?$/u.test(before)) return true;
  if (keywords.test(before)) return undefined;
  return /^(?:\w.*|\])$/u.test(before) ? false : undefined;
}
