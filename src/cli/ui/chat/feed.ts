import type { AgentEvent } from "../../../graph/events.ts";
import type { Session } from "../../../session/session.ts";
import { ReadSessions } from "./read-sessions.ts";

/** The time that events are gathered before the screen takes a step, in milliseconds; events of a session before it is followed are there at once. */
const gatherMs = 50;

/** Events of the session that is followed now, handed on in batches: a fast model costs twenty steps a second, no more. */
export class EventFeed {
  readonly #take: (events: AgentEvent[]) => void;
  readonly #failed: (error: unknown) => void;
  readonly #left: (event: AgentEvent) => Promise<boolean>;
  readonly #sessions = new ReadSessions();
  #session: Session | undefined;
  #waiting: AgentEvent[] = [];
  #isFirst = true;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param left gets what a session still says that is followed no more, while it is closed; false where nobody is there to be told: then
   * no more of it is read, and the session knows that this was not heard
   */
  constructor(
    take: (events: AgentEvent[]) => void,
    failed: (error: unknown) => void,
    left: (event: AgentEvent) => Promise<boolean>,
  ) {
    this.#take = take;
    this.#failed = failed;
    this.#left = left;
  }

  /** From now on only this session's events count. */
  follow(session: Session): void {
    this.#session = session;
    this.#isFirst = true;
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
    if (events.length === 0) return;
    this.#isFirst = false;
    this.#take(events);
  }

  stop(): void {
    this.flush();
    this.#session = undefined;
  }

  /** As `ReadSessions.close`. */
  close(last: Session): Promise<void> {
    return this.#sessions.close(last);
  }

  async #pump(session: Session): Promise<void> {
    for await (const event of this.#sessions.events(session)) {
      if (session === this.#session) {
        this.#waiting.push(event);
        this.#timer ??= setTimeout(() => this.#tick(), this.#isFirst ? 0 : gatherMs);
      } else if (!(await this.#left(event))) return;
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
