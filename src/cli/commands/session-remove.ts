import type { Store } from "../../store/types.ts";
import type { Composition } from "../composition.ts";
import { findSession } from "../find-session.ts";
import { CliProblem } from "../problem.ts";
import { openHistoryFile } from "../terminal/history-file.ts";
import { cleanText } from "../terminal/sanitise.ts";

const remainders =
  "another process uses the store, or the disk is full: parts of what was removed may stay in its file until sessions are removed again";

/** `agent sessions rm`: everything of these sessions, except those that wait or run (unless forced). */
export async function removeSessions(
  composition: Composition,
  ids: readonly string[],
  force: boolean,
): Promise<number> {
  const rows = await Promise.all(ids.map((id) => findSession(composition, id)));
  const store = await composition.store();
  for (const row of rows) {
    if (row.state !== "idle" && !force) {
      throw new CliProblem("failed", `session ${row.id} is ${row.state}: nothing was removed`, {
        hint: "--force removes it anyway",
      });
    }
  }
  const typed = new Set<string>();
  for (const row of rows) for (const text of await typedIn(store, row.id)) typed.add(text);
  for (const row of rows) {
    const lease = await store.acquire(row.id);
    try {
      await store.sessions.remove(row.id);
    } finally {
      lease.release();
    }
    composition.io.stderr.write(`removed ${row.id}\n`);
  }
  if (!store.shrink()) composition.io.stderr.write(`${remainders}\n`);
  await forgetTyped(composition, typed);
  return 0;
}

/** What the person said in it; nothing where its records are broken. */
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
async function forgetTyped({ io, places }: Composition, typed: ReadonlySet<string>): Promise<void> {
  try {
    const count = await openHistoryFile(places.history).forget(typed);
    if (count > 0) io.stderr.write(`and ${count} ${count === 1 ? "line" : "lines"} of the chat's input history\n`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    io.stderr.write(cleanText(`${places.history} may still hold what was typed: it could not be written (${why})\n`));
  }
}
