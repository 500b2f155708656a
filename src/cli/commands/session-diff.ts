import { jsonLine } from "../../core/json-line.ts";
import { diffText, isStructured, totalOf } from "../../files/diff-text.ts";
import { sessionDiff } from "../../records/session-diff.ts";
import type { Composition } from "../composition.ts";
import { findSession } from "../find-session.ts";
import { cleanText } from "../terminal/sanitise.ts";

/** `agent sessions show --diff`: all that the session changed, a diff a file; what was taken back does not show. */
export async function showDiff(composition: Composition, id: string): Promise<number> {
  const { io } = composition;
  const row = await findSession({ store: composition.reading }, id);
  for (const { path, changes } of sessionDiff((await composition.reading()).readJournal(row.id), row.workspace)) {
    const diff = diffText(changes);
    const line = { path, ...(changes.every(isStructured) ? totalOf(changes) : {}), diff };
    io.stdout.write(composition.flags.json === true ? jsonLine(line) : cleanText(diff));
  }
  return 0;
}
