/*
 * What a pattern would say in a few characters, and take the square of the text's length for: it is tried anew at each place
 * where blanks, or what is to be cut off, begin.
 */

/** `text` without those of these characters that it ends with. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** `text` in one line: each line end becomes one blank, with the blanks around it. */
export const inOneLine = (text: string): string => text.replace(/\s+/gu, (run) => (run.includes("\n") ? " " : run));
