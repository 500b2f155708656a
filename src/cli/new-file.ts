import { ToolRefusal } from "../core/codes.ts";
import { writeNewFile } from "../files/bytes/atomic-write.ts";
import { cells as cellWords } from "../words/en/cells.ts";
import { sessionCommands as sessionWords } from "../words/en/session-commands.ts";
import { saidAgain } from "../words/said-again.ts";
import { CliProblem } from "./problem.ts";

/**
 * Makes a file that its owner alone reads, whole or not at all. @param hint what else may be done where there is one @throws CliProblem where there is something already, or it cannot be written.
 */
export async function writeNew(path: string, content: string | Iterable<Uint8Array>, hint?: string): Promise<void> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const isWritten = await writeNewFile(path, bytes, 0o600).catch((cause: unknown) => {
    if (!(cause instanceof ToolRefusal)) throw cause;
    throw new CliProblem("failed", cellWords().cannotWrite({ path, why: saidAgain(cause.message) }), { cause });
  });
  if (!isWritten)
    throw new CliProblem("failed", sessionWords().isThere({ file: path }), hint === undefined ? {} : { hint });
}
