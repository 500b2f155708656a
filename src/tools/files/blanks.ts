/** The blanks that a line begins with. */
export const indentOf = (line: string): string => /^[ \t]*/u.exec(line)?.[0] ?? "";

/** By hand: a pattern for the end of a line takes the square of its length where blanks stand inside. */
export function withoutTrail(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t")) end -= 1;
  return line.slice(0, end);
}

/** A line without its indentation and its trailing blanks. */
export const bare = (line: string): string => withoutTrail(line).slice(indentOf(line).length);

export const isBlank = (line: string): boolean => withoutTrail(line) === "";

/** All lines but blank ones stand at one depth. */
export const isFlat = (lines: readonly string[]): boolean =>
  new Set(lines.filter((line) => !isBlank(line)).map(indentOf)).size <= 1;
