import type { AgentEvent } from "../../../graph/events.ts";
import type { Session } from "../../../session/session.ts";

/** How long events are gathered before the screen takes a step, in milliseconds. */
const gatherMs = 50;

/** Events of the session that is followed now, handed on in batches: a fast model costs twenty steps a second, no more. */
export class EventFeed {
  readonly #take: (events: AgentEvent[]) => void;
  readonly #failed: (error: unknown) => void;
  #session: Session | undefined;
  #waiting: AgentEvent[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(take: (events: AgentEvent[]) => void, failed: (error: unknown) => void) {
    this.#take = take;
    this.#failed = failed;
  }

  /** From now on only this session's events count. */
  follow(session: Session): void {
    this.#session = session;
    void this.#pump(session).catch((error: unknown) => {
      if (session === this.#session) this.#failed(error);
    });
  }

  /** Hands on what has been gathered. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length > 0) this.#take(events);
  }

  stop(): void {
    this.flush();
    this.#session = undefined;
  }

  async #pump(session: Session): Promise<void> {
    for await (const event of session.events()) {
      if (session !== this.#session) return;
      this.#waiting.push(event);
      this.#timer ??= setTimeout(() => this.#tick(), gatherMs);
    }
  }

  #tick(): void {
    try {
      this.flush();
    } catch (error) {
      this.#failed(error);
    }
  }
}
