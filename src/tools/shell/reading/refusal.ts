import { limits } from "../../../core/limits.ts";
import { shellDoubts } from "../../../words/contract/shell-doubts.ts";

const { most: maxLine } = limits.commandLine;

/** Characters that end a line for some, or do what a terminal is told by, wherever they stand; of blanks see unquoted-blanks.ts. */
const unreadable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/u;

/** @returns why a line is not even parsed, in words, or undefined. */
export function findRefusal(line: string): string | undefined {
  if (line.trim() === "") return shellDoubts.is_empty;
  if (Buffer.byteLength(line) > maxLine) return shellDoubts.too_long({ kilobytes: maxLine / 1024 });
  const found = unreadable.exec(line)?.[0];
  if (found !== undefined) {
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return shellDoubts.odd_character({ code });
  }
  return /\p{Surrogate}/u.test(line) ? shellDoubts.not_unicode : undefined;
}
