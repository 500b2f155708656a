/**
 * The state of the background job that an output is of. `lost`: it did not come to its own end, but was ended with its session or its
 * process. `over`: it ended in these words, and no call tells of it. Of these two the person is told now, and the model with
 * its next request.
 */
export type KeptJob = "running" | "ended" | "lost" | { over: string };

/** The whole outputs of calls of this session, where their results hold a part of them. */
export interface KeptOutputs {
  /**
   * In `execute` of the call, and while a job of it runs: keeps this in the place of what was kept of the call before. `job` is for
   * what goes on in the background after the call, whose result names it as `job` of its metadata, else it is none from then on: who opens
   * the session later is told that a running one is gone. `attempt`: the one of the
   * call that the job is of, where another may have begun since; of that one nothing is replaced.
   */
  keep(callId: string, bytes: Uint8Array, job?: KeptJob, attempt?: number): Promise<void>;
  /** Returns which attempt of the call runs, or ran last, counted from 1. */
  attemptOf?(callId: string): number | undefined;
  /** Tells whether that attempt is recovered by this process: what it started is ended, for its own end could not be written. */
  isRecovered?(callId: string, attempt: number | undefined): boolean;
  /**
   * The whole of what a settled call said; undefined where the session has no such call. `job`: it was kept as one of a job, of that `attempt` of the call, which is known once
   * the call is settled.
   */
  of(callId: string): { bytes: Uint8Array; job?: "running" | "ended"; attempt?: number } | undefined;
  /** The limit that the settings name for a call's observation, as `Tool.maxObserve`; undefined where they say nothing. */
  maxObserve?: number | false | undefined;
}
