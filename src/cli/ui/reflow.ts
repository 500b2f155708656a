import { plainText, type StyledLine } from "../terminal/span.ts";
import { cells } from "../terminal/width.ts";

interface Painted {
  lines: StyledLine[];
  cursor?: { row: number; col: number };
}

/**
 * Erases a frame that the terminal has re-wrapped after it became narrower, and leaves the cursor where ink believes it to be, so
 * that ink's own erasing reaches no row of the transcript. Terminals re-wrap each row by itself and keep the cursor in its row.
 */
export function eraseReflowed(frame: Painted, columns: number): string {
  const above = frame.lines.slice(0, frame.cursor?.row ?? frame.lines.length);
  const rows = above.reduce((sum, line) => sum + Math.max(1, Math.ceil(cells(plainText(line)) / columns)), 0);
  const up = rows > 0 ? `\x1b[${rows}A` : "";
  const down = above.length > 0 ? `\x1b[${above.length}B` : "";
  return `${up}\r\x1b[J${down}`;
}
