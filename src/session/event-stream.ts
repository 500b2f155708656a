import type { AgentEvent, AgentEventBody } from "../graph/events.ts";
import { type CallProgress, CallsInProgress } from "./calls-in-progress.ts";

/** Whose event it is, where it is a child's. */
export interface Origin {
  readonly session: string;
  readonly parent: string;
}

/** The one ordered stream of a session: numbered from 1 without a gap, one consumer. */
export interface EventStream {
  /**
   * Must not throw; an event after `end` is dropped, because nobody can read it any more.
   * @param of the session whose event it is, where that is a child
   * @param heard is called when the consumer reads on: it has done with this event what it does. Never, where it stops reading here.
   */
  emit(body: AgentEventBody, heard?: () => void, of?: Origin): void;
  events(): AsyncIterable<AgentEvent>;
  /** The calls that are not over, by all that was emitted. */
  progress(): CallProgress[];
  /** Resolves once the consumer has done with all events; at once where nobody reads, and for one that does not read on after a second. */
  allHeard(): Promise<void>;
  end(): void;
}

const hearsWithinMs = 1_000;

export function createEventStream(session: string, clock: () => number): EventStream {
  const waiting: { event: AgentEvent; heard: (() => void) | undefined }[] = [];
  const calls = new CallsInProgress();
  let seq = 0;
  let ended = false;
  let wake: (() => void) | undefined;
  /** Somebody reads, and is not waiting for the next event. */
  let busy = false;
  const whenRead: (() => void)[] = [];

  const signal = () => {
    wake?.();
    wake = undefined;
  };

  const allRead = () => {
    busy = false;
    for (const tell of whenRead.splice(0)) tell();
  };

  async function* read(): AsyncGenerator<AgentEvent> {
    busy = true;
    try {
      for (;;) {
        for (const { event, heard } of waiting.splice(0)) {
          yield event;
          heard?.();
        }
        if (waiting.length > 0) continue;
        if (ended) return;
        allRead();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        busy = true;
      }
    } finally {
      allRead();
    }
  }

  return {
    emit(body, heard, of) {
      if (ended) return;
      calls.take(body, of?.session);
      seq += 1;
      const head = { v: 1 as const, seq, at: new Date(clock()).toISOString(), session, ...of };
      waiting.push({ event: { ...head, ...body }, heard });
      busy ||= wake !== undefined;
      signal();
    },
    events: read,
    progress: () => calls.all(),
    async allHeard() {
      if (!busy) return;
      let late: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        whenRead.push(resolve);
        late = setTimeout(resolve, hearsWithinMs);
      });
      clearTimeout(late);
    },
    end() {
      ended = true;
      signal();
    },
  };
}
