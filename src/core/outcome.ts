import type { CallResult } from "./call.ts";
import { type ErrorCode, ToolRefusal } from "./codes.ts";
import type { PathFact } from "./path-fact.ts";
import type { FilePlan, ImageRef, ToolResult } from "./tool.ts";

/** A result that was read: each picture is named by a kind too, be it none. */
export interface ReadResult extends ToolResult {
  images?: ImageRef[];
}

// Keeps core 2.
/** The ending of one run of a call. Closed: no other code reads an ending out of words or free metadata. */
export type Outcome =
  /** `changed`: files that were found changed by it, where no plan could name them before. */
  | { kind: "done"; result: CallResult; changed?: readonly FilePlan[] }
  /**
   * `result` holds what came until then; `changed` the files that were changed as planned before it failed. `begun: false`: its tool was asked
   * for nothing, as far as that is known.
   */
  | {
      kind: "failed";
      code: ErrorCode;
      message: string;
      result?: CallResult;
      changed?: readonly FilePlan[];
      begun?: false;
    }
  /** The bytes are not those of the plan: nothing was done. */
  | { kind: "drifted"; message: string }
  /** Another program saved the file in the last instant: its bytes are in place, and the change is not. */
  | { kind: "raced"; message: string; changed?: readonly FilePlan[] }
  /** It was started, and its end was not seen. */
  | { kind: "unknown"; message: string };

/**
 * Thrown by an `execute` that was held up on its way through files: a refusal that also says what became of the plan.
 * `code` is STALE for `drifted` and `raced`.
 */
export class EffectStopped extends ToolRefusal {
  override readonly name = "EffectStopped";
  /** `unknown`: it was begun, and what came of it is not known. */
  readonly as: "drifted" | "raced" | "failed" | "unknown";
  /** Files of the plan that were changed before. */
  readonly changed: readonly FilePlan[];
  constructor(
    as: EffectStopped["as"],
    message: string,
    more: { code?: ErrorCode; changed?: readonly FilePlan[] } = {},
  ) {
    super(more.code ?? "STALE", message);
    this.as = as;
    this.changed = more.changed ?? [];
  }
}

/** Thrown by an `execute` that was stopped before anything of the call was begun. */
export class NotBegun extends Error {
  override readonly name = "NotBegun";
}

/** @throws NotBegun where it is stopped by now */
export function unstopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new NotBegun("it was stopped before it began");
}

/** Work by which nothing of the call is begun where it throws because of the stop. @throws NotBegun then, else what it throws */
export const unlessStopped = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    throw signal.aborted && cause === signal.reason ? new NotBegun("it was stopped before it began", { cause }) : cause;
  });

/** A refusal of a plan that had come as far as knowing the files it is about: policy judges them all the same. */
export class RefusedAt extends ToolRefusal {
  override readonly name = "RefusedAt";
  readonly paths: readonly PathFact[];
  constructor(refusal: ToolRefusal, paths: readonly PathFact[]) {
    super(refusal.code, refusal.message, { cause: refusal });
    this.paths = paths;
  }
}

/** Work of a plan on known paths: a refusal within it carries them. */
export async function about<T>(paths: readonly PathFact[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ToolRefusal) || error instanceof RefusedAt) throw error;
    throw new RefusedAt(error, paths);
  }
}
