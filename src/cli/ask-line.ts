import { createInterface } from "node:readline/promises";

/** Asks the person for one line at the terminal. @returns undefined where they left without an answer, by Ctrl-C or Ctrl-D. */
export async function askLine(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  question: string,
): Promise<string | undefined> {
  const lines = createInterface({ input, output });
  lines.on("SIGINT", () => lines.close());
  const closed = new Promise<undefined>((resolve) => {
    lines.once("close", () => resolve(undefined));
  });
  try {
    return await Promise.race([lines.question(question).catch(() => undefined), closed]);
  } finally {
    lines.close();
  }
}
