import type { EarlyInput } from "./terminal/first-paint.ts";

/** The process as the command sees it; tests bring their own. */
export interface Io {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
  /** A prompt that was painted before anything else was loaded, and what was typed at it. */
  early?: EarlyInput | undefined;
  /** Called before a problem is printed: gives the terminal back. */
  beforeReport?: () => void;
}

/** Both ends of the conversation are a terminal. */
export const atTerminal = (io: Io): boolean => io.stdin.isTTY === true && io.stdout.isTTY === true;

/** Tells whether the terminal, or whoever listens to it, wants plain lines: a dumb terminal or a screen reader. */
export const wantsLines = (env: Readonly<Record<string, string | undefined>>): boolean =>
  env["TERM"] === "dumb" || env["INK_SCREEN_READER"] === "true" || env["HOLDFAST_SCREEN_READER"] === "1";

/** Asks the person for one line at the terminal. @returns undefined where they left without an answer, by Ctrl-C or Ctrl-D. */
export async function askLine(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  question: string,
): Promise<string | undefined> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input, output });
  lines.on("SIGINT", () => lines.close());
  const closed = new Promise<undefined>((resolve) => {
    lines.once("close", () => resolve(undefined));
  });
  try {
    const line = await Promise.race([lines.question(question).catch(() => undefined), closed]);
    if (line === undefined) output.write("\n");
    return line;
  } finally {
    lines.close();
  }
}
