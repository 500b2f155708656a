import { setImmediate } from "node:timers/promises";

/** Milliseconds that work may hold the thread. */
const longest = 15;

/** Lets other work have its turn between the steps of a long one, so that a stop is heard. */
export interface Breath {
  /** Tells whether it is time for `take`. */
  isDue(): boolean;
  /** @throws the signal's reason where it was aborted. */
  take(): Promise<void>;
}

export function createBreath(signal: AbortSignal): Breath {
  let since = performance.now();
  return {
    isDue: () => performance.now() - since > longest,
    take: async () => {
      await setImmediate();
      signal.throwIfAborted();
      since = performance.now();
    },
  };
}
