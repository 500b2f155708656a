import type { AgentEvent } from "../../../graph/events.ts";
import type { Session } from "../../../session/session.ts";

/** The sessions that a chat reads: the one on the screen, and those that were left and are being closed. */
export class ReadSessions {
  readonly #open = new Set<Session>();

  /** What it says, to its end. Who stops before has not heard the last. */
  async *events(session: Session): AsyncGenerator<AgentEvent, void> {
    this.#open.add(session);
    try {
      yield* session.events();
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
