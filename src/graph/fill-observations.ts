import type { JournalReading, Store } from "../store/types.ts";
import { observationOf } from "./talk/observation-text.ts";

// Keeps store 8.
/** Tells the store's saver what its tool messages say: what came of a call is stored once, in the journal. */
export function fillObservations(store: Store): void {
  const journals = new Map<string, JournalReading>();
  const journalOf = (thread: string): JournalReading | undefined => {
    const known = journals.get(thread);
    if (known !== undefined || store.sessions.get(thread) === undefined) return known;
    const journal = store.readJournal(thread);
    journals.set(thread, journal);
    return journal;
  };
  store.saver.fillObservations((thread, callId) => {
    const journal = journalOf(thread);
    const call = journal?.call(callId);
    return call && observationOf(call, journal?.askedArguments(callId));
  });
}
