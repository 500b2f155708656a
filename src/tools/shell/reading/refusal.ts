import { limits } from "../../../core/limits.ts";

const { most: maxLine } = limits.commandLine;

/** Characters that end a line for some, or do what a terminal is told by, wherever they stand; of blanks see unquoted-blanks.ts. */
const unreadable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/u;

/** @returns why a line is not even parsed, in words, or undefined. */
export function findRefusal(line: string): string | undefined {
  if (line.trim() === "") return "the command is empty";
  if (Buffer.byteLength(line) > maxLine) return `the command is longer than ${maxLine / 1024} kB`;
  const found = unreadable.exec(line)?.[0];
  if (found !== undefined) {
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `the command holds the character U+${code}, which bash and a reader may take for different things`;
  }
  return /\p{Surrogate}/u.test(line) ? "the command is not well-formed Unicode" : undefined;
}
