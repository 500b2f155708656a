import { plainText, type StyledLine } from "../../terminal/span.ts";
import { cells } from "../../terminal/width.ts";

interface Painted {
  lines: StyledLine[];
  cursor?: { row: number; col: number };
}

/** The differences between terminals when they re-wrap. */
export interface Reflow {
  /** Of the window, as it is now. */
  columns: number;
  rows: number;
  /** The cursor keeps its row of the screen, not its character: rows that are added below it push it down (xterm.js). */
  pushesCursor: boolean;
  /** The window became lower too: such a terminal drops rows below the cursor first, and nobody can tell how many were the frame's. */
  lower?: boolean;
}

const wrappedRows = (lines: StyledLine[], columns: number): number =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(cells(plainText(line)) / columns)), 0);

/**
 * Erases a frame that the terminal has re-wrapped after it became narrower, and leaves the cursor where ink believes it to be, so
 * that ink's own erasing reaches no row of the transcript. Terminals re-wrap each row by itself; most keep the cursor in its row.
 * Row by row: some terminals keep what "erase all below" takes from a whole screen, and would show a second copy of the frame.
 */
export function eraseReflowed(frame: Painted, { columns, rows, pushesCursor, lower = false }: Reflow): string {
  const above = frame.lines.slice(0, frame.cursor?.row ?? frame.lines.length);
  // Rather too few than too many: a row of the old frame that stays is less than one of the transcript that goes.
  const below = frame.lines.slice(above.length);
  const pushed = pushesCursor && !lower ? wrappedRows(below, columns) - below.length : 0;
  const up = wrappedRows(above, columns) + pushed;
  const old = wrappedRows(frame.lines, columns) + 1;
  const top = up > 0 ? `\x1b[${up}A\r` : "\r";
  // Rows that the terminal dropped with a lower window are made anew, or ink's erasing upwards would reach above the frame.
  const back = frame.lines.length - above.length;
  const down = `${"\n".repeat(Math.min(frame.lines.length, rows - 1))}${back > 0 ? `\x1b[${back}A` : ""}`;
  return `${top}\x1b7${"\x1b[2K\x1b[1B".repeat(old)}\x1b8${down}`;
}

/**
 * The stream that ink draws to. Where ink erases all below the cursor it is done row by row: some terminals keep what that takes from a
 * whole screen, and would show a second copy of it above.
 */
export function keptOnScreen(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
  const write = (text: string | Uint8Array, ...rest: []): boolean =>
    stdout.write(typeof text === "string" ? text.replaceAll("\x1b[J", rowByRow(stdout.rows || 24)) : text, ...rest);
  return new Proxy(stdout, {
    get(target, name) {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const rowByRow = (rows: number): string => `\x1b7\x1b[0K${"\x1b[1B\x1b[2K".repeat(rows - 1)}\x1b8`;
