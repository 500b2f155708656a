import { renameSession as rename } from "../../records/title.ts";
import { sessionCommands as sessionWords } from "../../words/en/session-commands.ts";
import type { Composition } from "../composition.ts";
import { findSession } from "../find-session.ts";
import { CliProblem } from "../problem.ts";
import { cleanText } from "../terminal/sanitise.ts";

/** `agent sessions rename ID TITLE`. @throws CliProblem usage for a title with nothing in it. */
export async function renameSession(composition: Composition, id: string, title: string): Promise<number> {
  const row = await findSession(composition, id);
  const kept = await rename(await composition.store(), row.id, title.replace(/\s+/g, " "));
  if (kept === undefined) throw new CliProblem("usage", sessionWords().emptyTitle);
  composition.io.stderr.write(cleanText(`${sessionWords().called({ session: row.id, title: kept })}\n`));
  return 0;
}
