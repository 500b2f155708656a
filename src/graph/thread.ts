import type { Run, SessionRuntime } from "./runtime.ts";

/** The session of a run and, where its driver says it, how it is to run. */
export interface Thread {
  session: SessionRuntime;
  run: Run;
  /** Does a node's work: what the session tells meanwhile is heard where the run is. */
  within?<T>(work: () => Promise<T>): Promise<T>;
}
