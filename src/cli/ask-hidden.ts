import { Writable } from "node:stream";
import type { Io } from "./io.ts";

/** Asks for one line at the terminal, and does not show what is typed. @returns undefined where the person left */
export async function askHidden({ stdin, stderr }: Pick<Io, "stdin" | "stderr">, question: string) {
  const { createInterface } = await import("node:readline/promises");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 });
  const closed = new Promise<undefined>((resolve) => {
    lines.once("close", () => resolve(undefined));
  });
  stderr.write(question);
  try {
    lines.on("SIGINT", () => lines.close());
    return await Promise.race([lines.question("").catch(() => undefined), closed]);
  } finally {
    lines.close();
    stderr.write("\n");
  }
}
