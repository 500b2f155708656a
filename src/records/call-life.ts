import type { ToolCallInfo } from "../core/call.ts";
import { callWords } from "../graph/talk/call-words.ts";
import type { AnswerRow, CallEvent, ChildRow, JournalReading, Store } from "../store/types.ts";

/** One call with all that became of it. */
export interface CallLife {
  /** Whose call it is: of a call of a child, the child. */
  session: string;
  call: ToolCallInfo;
  /** One line of its plan, where it had one. */
  summary?: string;
  events: CallEvent[];
  answers: AnswerRow[];
}

/** The life of each call of a session, in the order they were proposed. */
export function callLives(journal: JournalReading): CallLife[] {
  const events = eventsByCall(journal);
  return journal.allCalls().map((call) => {
    const summary = journal.planOf(call.callId)?.summary;
    return {
      session: journal.session,
      call,
      ...(summary === undefined ? {} : { summary }),
      events: events.get(call.callId) ?? [],
      answers: journal.answersOf(call.callId),
    };
  });
}

export function eventsByCall(journal: Pick<JournalReading, "events">): ReadonlyMap<string, CallEvent[]> {
  const events = new Map<string, CallEvent[]>();
  for (const event of journal.events()) {
    const known = events.get(event.callId);
    if (known === undefined) events.set(event.callId, [event]);
    else known.push(event);
  }
  return events;
}

/** The same with the calls of its children, each behind the call that drives it. */
export function callLivesInTree(store: Pick<Store, "sessions" | "readJournal">, id: string): CallLife[] {
  const under = (row: ChildRow): CallLife[] => callLivesInTree(store, row.id);
  return callLives(store.readJournal(id)).flatMap((life) =>
    life.call.effect === "child" ? [life, ...store.sessions.children(id, life.call.callId).flatMap(under)] : [life],
  );
}

/** Words one event, with its decider and the rule. */
export function eventText(life: CallLife, index: number): string {
  const event = life.events[index];
  if (event === undefined) return "";
  const what = [whatHappened(life, index, event), ...deciderOf(event)];
  if (event.digest !== undefined) what.push(`sha ${event.digest.slice(0, 12)}`);
  const { toolName } = life.call;
  if (event.ended !== undefined)
    what.push(
      callWords.end({ toolName, ended: event.ended, ...(event.reason === undefined ? {} : { reason: event.reason }) }),
    );
  else if (event.reason !== undefined) what.push(event.reason);
  return what.join(" · ");
}

const verbs: Record<string, string> = { awaiting_approval: "asked", executing: "allowed", cancelled: "refused" };

function deciderOf({ to, by, rule }: CallEvent): string[] {
  if (by === undefined && rule === undefined) return [];
  const who = verbs[to] ?? "decided";
  return [`${who} by ${by ?? "nobody"}${rule === undefined ? "" : `, rule ${rule}`}`];
}

function whatHappened({ events, answers }: CallLife, index: number, event: CallEvent): string {
  const { from, to, attempt } = event;
  const before = events[index - 1]?.at ?? 0;
  switch (to) {
    case "pending":
      if (from === null) return "proposed";
      if (from === "awaiting_approval") return "approved";
      return from === "executing" ? `nothing was done: attempt ${attempt}` : `to be run again: attempt ${attempt}`;
    case "awaiting_approval": {
      if (from !== "awaiting_approval") return "waits for approval";
      const edited = answers.some(({ decision, at }) => decision === "edit" && at >= before && at <= event.at);
      return edited ? "edited by the person: asked about anew" : "planned anew: asked about again";
    }
    case "executing":
      return `started, attempt ${attempt}`;
    case "interrupted":
      return "its end was not seen";
    case "cancelled":
      return event.ended?.why === "denied" || event.ended?.why === "policy" ? "denied" : to;
    default:
      return to;
  }
}
