import type { Tty } from "./tty.ts";

/** One row of the screen as text for the terminal, and where the cursor stands, if it is to be seen. */
export interface Painted {
  rows: readonly string[];
  cursor?: { row: number; col: number };
}

const begin = "\x1b[?2026h\x1b[?25l";
const end = "\x1b[?2026l";

const at = (row: number, col = 0): string => `\x1b[${row + 1};${col + 1}H`;

/** The terminal's other screen, for as long as it is open: what was on the first one comes back when it is closed. */
export class FullScreen {
  readonly #tty: Pick<Tty, "fullScreen">;
  readonly #write: (text: string) => void;
  #shown: readonly string[] = [];

  constructor(tty: Pick<Tty, "fullScreen">, write: (text: string) => void) {
    this.#tty = tty;
    this.#write = write;
    tty.fullScreen(true);
  }

  /** Draws what has changed since the last time. */
  paint({ rows, cursor }: Painted): void {
    // Erased first: behind a row that fills the terminal some would erase its last character.
    const changed = rows.map((text, row) => (this.#shown[row] === text ? "" : `${at(row)}\x1b[2K${text}`)).join("");
    const shown = cursor === undefined ? "" : `${at(cursor.row, cursor.col)}\x1b[?25h`;
    const hidden = changed === "" && cursor === undefined;
    this.#shown = [...rows];
    if (!hidden) this.#write(`${begin}${changed}${shown}${end}`);
  }

  /** Another program had the terminal, or its size is another one: all is drawn again. */
  forget(): void {
    this.#shown = [];
    this.#write("\x1b[2J");
  }

  close(): void {
    this.#tty.fullScreen(false);
  }
}
