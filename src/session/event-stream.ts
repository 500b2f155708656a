import type { AgentEvent, AgentEventBody } from "../graph/events.ts";
import { type CallProgress, CallsInProgress } from "./calls-in-progress.ts";

/** The one ordered stream of a session: numbered from 1 without a gap, one consumer. */
export interface EventStream {
  /** Must not throw; an event after `end` is dropped, because nobody can read it any more. */
  emit(body: AgentEventBody): void;
  events(): AsyncIterable<AgentEvent>;
  /** The calls that are not over, by all that was emitted. */
  progress(): CallProgress[];
  end(): void;
}

export function createEventStream(session: string, clock: () => number): EventStream {
  const waiting: AgentEvent[] = [];
  const calls = new CallsInProgress();
  let seq = 0;
  let ended = false;
  let wake: (() => void) | undefined;

  const signal = () => {
    wake?.();
    wake = undefined;
  };

  async function* read(): AsyncGenerator<AgentEvent> {
    for (;;) {
      const batch = waiting.splice(0);
      for (const event of batch) yield event;
      if (waiting.length > 0) continue;
      if (ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    emit(body) {
      if (ended) return;
      calls.take(body);
      seq += 1;
      waiting.push({ v: 1, seq, at: new Date(clock()).toISOString(), session, ...body });
      signal();
    },
    events: read,
    progress: () => calls.all(),
    end() {
      ended = true;
      signal();
    },
  };
}
