import type { AgentEvent } from "../../../graph/events.ts";
import type { Session } from "../../../session/session.ts";
import type { AskedCall } from "../view/view.ts";

/** What may be granted stands on the screen with the question, and not a moment later. */
async function withOffers(session: Session, event: AgentEvent): Promise<AgentEvent> {
  if (event.type !== "approval_requested") return event;
  const asked = event.calls.map(async (call): Promise<AskedCall> => {
    const ref = { session: call.session ?? event.session, call: call.callId };
    // Where the rules are broken by now the run itself says so.
    const offers = await session.offersOf(ref).catch(() => ({}));
    return { ...call, ...offers };
  });
  return { ...event, calls: await Promise.all(asked) };
}

/** The sessions that a chat reads: the one on the screen, and those that were left and are being closed. */
export class ReadSessions {
  readonly #open = new Set<Session>();

  /** What it says, to its end. Who stops before has not heard the last. */
  async *events(session: Session): AsyncGenerator<AgentEvent, void> {
    this.#open.add(session);
    try {
      for await (const event of session.events()) yield await withOffers(session, event);
    } finally {
      this.#open.delete(session);
    }
  }

  /** Closes all of them: the chat is over when each has said its last. @param last the one on the screen @throws what its close throws. */
  async close(last: Session): Promise<void> {
    const before = [...this.#open].filter((session) => session !== last);
    await Promise.allSettled(before.map((session) => session.close()));
    await last.close();
  }
}
