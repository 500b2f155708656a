import { removeSessions } from "../../records/remove.ts";
import type { SessionRow, Store } from "../../store/types.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { sessionCommands as sessionWords } from "../../words/en/session-commands.ts";
import { saidAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import { openHistoryFile } from "../terminal/history-file.ts";
import { cleanText } from "../terminal/sanitise.ts";

/** Removes everything of these sessions, whatever they wait for. @param tell what is to be said, line by line. @throws where one is in use. */
export async function removeRows(
  composition: Composition,
  rows: readonly SessionRow[],
  tell: (text: string) => void,
): Promise<void> {
  const store = await composition.store();
  const typed = new Set<string>();
  for (const row of rows) for (const text of await typedIn(store, row.id)) typed.add(text);
  if (!(await removeSessions(store, rows, ({ id }) => tell(cellWords().removed({ what: id })))))
    tell(sessionWords().remainders);
  await forgetTyped(composition, typed, tell);
}

/** Lists the person's messages in it; none where its records are broken. */
async function typedIn(store: Store, id: string): Promise<string[]> {
  const { historyOf } = await import("../../records/history.ts");
  try {
    const { transcript } = historyOf(store.readJournal(id));
    return transcript.flatMap((entry) => (entry.role === "user" ? [entry.text] : []));
  } catch {
    return [];
  }
}

/** The chat's input history, which is brought back by the arrow keys, holds each message once more. */
async function forgetTyped(
  { places }: Composition,
  typed: ReadonlySet<string>,
  tell: (text: string) => void,
): Promise<void> {
  try {
    const count = await openHistoryFile(places.history).forget(typed);
    if (count > 0) tell(sessionWords().lines({ count }));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    tell(cleanText(sessionWords().mayStill({ file: places.history, why: saidAgain(why) })));
  }
}
