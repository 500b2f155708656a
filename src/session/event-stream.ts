import type { AgentEvent, AgentEventBody } from "../graph/events.ts";
import { type CallProgress, CallsInProgress } from "./calls-in-progress.ts";
import { Hearing } from "./hearing.ts";
import { type KeptEvent, KeptEvents } from "./kept-events.ts";

/** Whose event it is, where it is a child's. */
export interface Origin {
  readonly session: string;
  readonly parent: string;
  /** Its name. */
  readonly agent: string;
}

export interface EventsAsked {
  /** The number (`seq`) of the last event that the reader has; 0 for all. */
  readonly after: number;
}

/** The ordered events of a session, numbered from 1 without a gap, for as many readers as like. None waits for another one. */
export interface EventStream {
  /**
   * Must not throw; an event after `end` is dropped, because nobody can read it any more.
   * @param of the session whose event it is, where that is a child
   * @param heard is called once, when the first of the readers reads on: it has done with this event what it does. Never, where each stops here.
   */
  emit(body: AgentEventBody, heard?: () => void, of?: Origin): void;
  /**
   * From the first event on, all of them, however late they are read; with `after` those that follow it, for a reader that is no
   * further behind than what is kept. @throws EventsGone, the same when it reads on; TypeError
   */
  events(asked?: EventsAsked): AsyncIterable<AgentEvent>;
  /** The calls that are not over, by all that was emitted. */
  progress(): CallProgress[];
  /** Resolves once some reader has done with all events; at once where nobody reads, and for readers that do not read on after a second. */
  allHeard(): Promise<void>;
  end(): void;
}

// Keeps session 6.
export function createEventStream(session: string, clock: () => number, kept = new KeptEvents(session)): EventStream {
  const calls = new CallsInProgress();
  const hearing = new Hearing(() => kept.seq);
  let ended = false;

  async function* read(at: { place: KeptEvent }, isKept: (seq: number) => void): AsyncGenerator<AgentEvent> {
    hearing.begin();
    try {
      for (;;) {
        for (let { next } = at.place; next !== undefined; { next } = at.place) {
          isKept(next.event.seq - 1);
          at.place = next;
          yield next.event;
          const tell = next.heard;
          next.heard = undefined;
          tell?.();
          hearing.readOn(next.event.seq);
        }
        if (ended) return;
        await hearing.next();
      }
    } finally {
      hearing.end();
    }
  }

  return {
    emit(body, heard, of) {
      if (ended) return;
      calls.take(body, of?.session ?? session);
      const head = { v: 1 as const, seq: kept.seq + 1, at: new Date(clock()).toISOString(), session, ...of };
      kept.add({ ...head, ...body }, heard);
      hearing.wake();
    },
    events: (asked) =>
      asked === undefined
        ? read({ place: kept.behind(0) }, () => undefined)
        : read({ place: kept.behind(asked.after) }, (seq) => kept.check(seq)),
    progress: () => calls.all(),
    allHeard: () => hearing.all(),
    end() {
      ended = true;
      hearing.wake();
    },
  };
}
