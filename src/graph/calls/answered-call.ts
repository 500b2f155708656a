import { namedIn, readCallName } from "../../core/call-ref.ts";
import type { Journal, JournalReading } from "../../store/types.ts";
import type { AnsweredChild, ChildSessions } from "../child-sessions.ts";

/** Where an answer belongs that came with the graph's resume value. */
export interface AnsweredCall {
  callId: string;
  journal: Pick<JournalReading, "call" | "answersOf">;
  /** Whose call it is, where it is a child's that has not come to its end. */
  child?: AnsweredChild | undefined;
  isOwn: boolean;
}

/** A call of the session by its id, or one of a session that it drives, by its whole address; undefined where there is none. */
export function answeredCall(
  { journal, children }: { journal: Pick<Journal, "session" | "call" | "answersOf">; children?: ChildSessions },
  name: string,
): AnsweredCall | undefined {
  const read = readCallName(name);
  if (read === undefined || read.digest !== undefined) return undefined;
  const { session, call: callId } = namedIn(journal.session, read);
  const isOwn = session === journal.session;
  const of = isOwn ? journal : children?.journalOf(session);
  if (of?.call(callId) === undefined) return undefined;
  return { callId, journal: of, child: isOwn ? undefined : children?.of(session), isOwn };
}
