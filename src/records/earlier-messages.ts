import { personCallOf } from "../graph/talk/person-call.ts";
import { typedOf } from "../graph/talk/typed-text.ts";
import type { JournalReading, SessionRow, Store } from "../store/types.ts";

/** Nobody searches further back than these sessions, and these messages. */
const mostSessions = 200;
const mostMessages = 2_000;

/** Lists the messages that the person typed in the sessions of a folder, each text once, newest first. A damaged session is passed over. */
export function earlierMessages(store: Pick<Store, "sessions" | "readJournal">, workspace: string): string[] {
  const texts = new Set<string>();
  for (const { id } of store.sessions.list({ workspace }).filter(isRoot).slice(0, mostSessions)) {
    for (const text of saidIn(store.readJournal(id)).reverse()) texts.add(text);
    if (texts.size >= mostMessages) break;
  }
  return [...texts].slice(0, mostMessages);
}

/** In the order in which it was said, a command of a file as it was typed; commands of the person are no words for the model. */
function saidIn(journal: JournalReading): string[] {
  try {
    const steers = journal.steers();
    return journal.turns().flatMap(({ turn, text }) => {
      const told = steers.filter(({ step }) => step?.turn === turn).map((steer) => typedOf(steer.message, steer.text));
      const message = journal.turnMessage(turn);
      return personCallOf(message) === undefined ? [typedOf(message, text), ...told] : told;
    });
  } catch {
    return [];
  }
}

/** Tells whether no call drives the session: no person said the messages of one that a call drives. */
const isRoot = ({ parent }: SessionRow): boolean => parent === undefined;
