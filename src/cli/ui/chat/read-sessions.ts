import { refOf } from "../../../core/call-ref.ts";
import type { AgentEvent } from "../../../graph/events.ts";
import type { Session } from "../../../session/session.ts";
import type { AskedCall } from "../view/view.ts";

type Asks = Extract<AgentEvent, { type: "approval_requested" }>;

/** Adds to each call its offers of a grant: they stand on the screen with the question, and not a moment later. */
async function withOffers(session: Session, event: Asks): Promise<Asks> {
  const asked = event.calls.map(async (call): Promise<AskedCall> => {
    // Where the rules are broken by now the run itself says so.
    const offers = await session.offersOf(refOf(call)).catch(() => ({}));
    return { ...call, ...offers };
  });
  return { ...event, calls: await Promise.all(asked) };
}

/** The sessions that a chat reads: the one on the screen, and those that were left and are being closed. */
export class ReadSessions {
  readonly #open = new Set<Session>();

  /**
   * Yields the session's events, to its end. A reader that stops before has not heard the last. Nothing is told later than the session told
   * it but a question.
   */
  events(session: Session): AsyncIterable<AgentEvent> {
    this.#open.add(session);
    const said = session.events()[Symbol.asyncIterator]();
    const over = (): boolean => this.#open.delete(session);
    const next = async (): Promise<IteratorResult<AgentEvent>> => {
      try {
        const step = await said.next();
        if (step.done === true) over();
        else if (step.value.type === "approval_requested")
          return { value: await withOffers(session, step.value), done: false };
        return step;
      } catch (error) {
        over();
        throw error;
      }
    };
    const stop = async (): Promise<IteratorResult<AgentEvent>> => {
      over();
      await said.return?.();
      return { value: undefined, done: true };
    };
    return { [Symbol.asyncIterator]: () => ({ next, return: stop }) };
  }

  /** Closes all of them: the chat is over when each has said its last. @param last the one on the screen @throws what its close throws. */
  async close(last: Session): Promise<void> {
    const before = [...this.#open].filter((session) => session !== last);
    await Promise.allSettled(before.map((session) => session.close()));
    await last.close();
  }
}
