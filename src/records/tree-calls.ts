import type { ToolCallInfo } from "../core/call.ts";
import { addressOf, nameIn, refOf } from "../core/call-ref.ts";
import type { FileChangeRow, JournalReading, Sessions, Store } from "../store/types.ts";

type Recorded = Pick<JournalReading, "session" | "allCalls" | "planOf" | "doneOf" | "bytesOf" | "fileChanges">;

/** The record of a session, and where those of the sessions that its calls drive are read. */
export interface Tree<Journal extends Recorded = Recorded> {
  store: Pick<Store, "readJournal"> & { sessions: Pick<Sessions, "children"> };
  journal: Journal;
}

/** A call of a session, or of one that a call of it drives. */
export interface TreeCall {
  /** As the person names it where the session is asked for: `c3`, or `CHILD:c3`. */
  name: string;
  /** The session's own call that it is, or that drives it. */
  own: string;
  call: ToolCallInfo;
  /** Of the session whose call it is. */
  journal: Recorded;
}

/** All calls of a session and of those that its calls drive, in the order in which they began; those of one session in its own. */
export function callsInTree({ store, journal }: Tree): TreeCall[] {
  const timed = journalsUnder(store, journal).flatMap(({ journal: of, own }) => {
    // A clock may go back, and what never began stands where it was asked for.
    let at = 0;
    return of.allCalls().map((call) => {
      at = Math.max(at, call.times.started ?? 0);
      const name = nameIn(journal.session, refOf({ session: of.session, callId: call.callId }));
      return { at, found: { name, own: own ?? call.callId, call, journal: of } };
    });
  });
  return timed.toSorted((one, other) => one.at - other.at).map(({ found }) => found);
}

interface Driven {
  journal: Recorded;
  /** The call of the first session that all this is driven by; none for itself. */
  own?: string;
}

const journalsUnder = (store: Tree["store"], journal: Recorded, own?: string): Driven[] => [
  { journal, ...(own === undefined ? {} : { own }) },
  ...store.sessions
    .children(journal.session)
    .flatMap(({ id, call }) => journalsUnder(store, store.readJournal(id), own ?? call)),
];

/** Lists the changes of these calls in files, in their order; each row has the call's name in the tree. */
export function changesInTree(calls: readonly TreeCall[]): FileChangeRow[] {
  const made = new Map<string, FileChangeRow[]>();
  for (const journal of new Set(calls.map((one) => one.journal)))
    for (const row of journal.fileChanges()) {
      const key = addressOf(refOf({ session: journal.session, callId: row.callId }));
      made.set(key, [...(made.get(key) ?? []), row]);
    }
  return calls.flatMap(({ name, call, journal }) => {
    const rows = made.get(addressOf(refOf({ session: journal.session, callId: call.callId }))) ?? [];
    return rows.map((row) => ({ ...row, callId: name }));
  });
}

/** A whole content that any session of the tree keeps. */
export function bytesInTree({ store, journal }: Tree): JournalReading["bytesOf"] {
  let journals: Recorded[] | undefined;
  return (sha) => {
    const own = journal.bytesOf(sha);
    if (own !== undefined) return own;
    journals ??= journalsUnder(store, journal).map((one) => one.journal);
    return firstOf(journals.slice(1), (one) => one.bytesOf(sha));
  };
}

function firstOf<One, Found>(all: readonly One[], find: (one: One) => Found | undefined): Found | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
