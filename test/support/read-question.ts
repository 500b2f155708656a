import { setTimeout as sleep } from "node:timers/promises";
import { breathMs } from "../../src/cli/ui/question/arming.ts";
import type { Pty } from "./pty.ts";

/** As long as a person reads a question before they answer it, on a machine that may be busy: keys that come at once decide nothing. */
export const readQuestion = (): Promise<void> => sleep(2 * breathMs);

/** The rows from the last that is not blank up to the first that is. */
export const lastBlock = (pty: Pty): string[] => {
  const rows = pty.screen();
  while (rows.at(-1)?.trim() === "") rows.pop();
  return rows.slice(rows.findLastIndex((row) => row.trim() === "") + 1);
};
