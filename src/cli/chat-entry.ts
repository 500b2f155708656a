import type { Io } from "./io.ts";
import { main } from "./main.ts";
import type { EarlyInput } from "./terminal/first-paint.ts";

export { helpLayout } from "./command-line/help-layout.ts";
export { commandWords } from "./completion/command-words.ts";
export { buildProgram, main } from "./main.ts";

/**
 * `agent chat` and `agent resume` at a terminal whose prompt is painted already; the terminal is given back before a problem is
 * printed, and at the end where nobody took it over. @returns the exit code.
 */
export async function startChat(argv: readonly string[], early: EarlyInput | undefined, io: Io): Promise<number> {
  const { stdin, stdout, stderr, env } = io;
  const restore = () => early?.restore();
  try {
    return await main(argv, { stdin, stdout, stderr, env, cwd: () => io.cwd(), early, beforeReport: restore });
  } finally {
    restore();
  }
}
