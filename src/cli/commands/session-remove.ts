import { checkIdle, type SessionInUse } from "../../records/remove.ts";
import { sessionCommands as sessionWords } from "../../words/en/session-commands.ts";
import type { Composition } from "../composition.ts";
import { findRoot } from "../find-session.ts";
import { CliProblem } from "../problem.ts";
import { removeRows } from "../services/remove-sessions.ts";

/** `agent sessions rm`: everything of these sessions, except those that wait or run (unless forced). */
export async function removeSessions(
  composition: Composition,
  ids: readonly string[],
  force: boolean,
): Promise<number> {
  const rows = await Promise.all(ids.map((id) => findRoot(composition, id)));
  try {
    if (!force) checkIdle(rows);
  } catch (cause) {
    const { message } = cause as SessionInUse;
    throw new CliProblem("failed", message, { hint: sessionWords().forceHint, cause });
  }
  await removeRows(composition, rows, (text) => composition.io.stderr.write(`${text}\n`));
  return 0;
}
