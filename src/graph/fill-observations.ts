import type { JournalReading, Store } from "../store/types.ts";
import { observationText } from "./talk/observation-text.ts";

/** A saver that keeps only the callId of a tool message, and asks for its text when it loads one. */
interface FillsObservations {
  fillObservations(textOf: (thread: string, callId: string) => string | undefined): void;
}

const fills = (saver: object): saver is FillsObservations => "fillObservations" in saver;

/** Tells the store's saver what its tool messages say: each result is stored once, in the journal. */
export function fillObservations(store: Store): void {
  if (!fills(store.saver)) return;
  const journals = new Map<string, JournalReading>();
  const journalOf = (thread: string): JournalReading | undefined => {
    const known = journals.get(thread);
    if (known !== undefined || store.sessions.get(thread) === undefined) return known;
    const journal = store.readJournal(thread);
    journals.set(thread, journal);
    return journal;
  };
  store.saver.fillObservations((thread, callId) => {
    const call = journalOf(thread)?.call(callId);
    return call === undefined ? undefined : observationText(call);
  });
}
