import { room } from "../room.ts";

/** The texts that a question shows, whichever it is. */
export const question = room("question", {
  /** From 1. */
  rows: ({ from, to }: { from: number; to: number }) => (from === to ? `line ${from}` : `lines ${from}-${to}`),
  /** Rows, and parts behind them. */
  rowsAndMore: ({ rows, more }: { rows: string; more: number }) =>
    `${rows} and ${more === 1 ? "1 more part" : `${more} more parts`}`,
  /** Before a line of the plan shown before, and one of the plan now: equally wide. */
  now: "now  ",
  was: "was  ",
  moreDiffer: ({ lines }: { lines: number }) => `… ${lines} more lines differ`,
  different: "what is different now",
  whole: "the whole change now",
  goals: "goals of the session, once it is approved",
  arguments: "arguments",
  parts: ({ parts }: { parts: number }) => `its ${parts} parts`,
  /** The place of a window in text that has more rows, counted from 1. */
  position: ({ from, to, of }: { from: number; to: number; of: number }) => `${from}-${to} of ${of}`,
  scrolls: ({ position }: { position: string }) => `lines ${position} · pgup/pgdn`,
});
