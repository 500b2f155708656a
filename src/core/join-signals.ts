/** One signal in the place of several. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Listens no more; to be called once the signal is not needed. */
  release(): void;
}

/**
 * Aborts with the first of these signals, for its reason, and where a time is given after that many milliseconds with a `TimeoutError`. In
 * the place of `AbortSignal.any`, which holds its sources weakly: a timeout that nobody else holds is collected before its time, and never
 * heard (nodejs/node 57736), and so is a controller's abort (65995).
 */
export function joinSignals(sources: readonly AbortSignal[], ms?: number): JoinedSignal {
  const joined = new AbortController();
  const stops = sources.map((source) => {
    const follow = (): void => joined.abort(source.reason);
    if (source.aborted) follow();
    source.addEventListener("abort", follow, { once: true });
    return () => source.removeEventListener("abort", follow);
  });
  if (ms !== undefined) {
    const late = (): void => joined.abort(new DOMException(`it took longer than ${ms} ms`, "TimeoutError"));
    const timer = setTimeout(late, ms);
    timer.unref();
    stops.push(() => clearTimeout(timer));
  }
  return {
    signal: joined.signal,
    release: () => {
      for (const stop of stops) stop();
    },
  };
}
