import type { ToolCallInfo } from "../core/call.ts";
import type { ChildEnd, ChildSpec } from "../core/child-session.ts";
import type { JournalReading } from "../store/types.ts";
import type { EndedWith } from "./calls/ended-with.ts";
import type { AnswerOrigin, AnswerOutcome, CallDecision } from "./decisions.ts";
import type { RecoveryChoice, UnsettledCall, WaitingCall } from "./events.ts";
import type { WaitingChild } from "./state.ts";

/** Rejects `ctx.runChild`: the child has something to ask the person. */
export class ChildWaits extends Error {
  override readonly name = "ChildWaits";
}

/** Rejects `ctx.runChild`: what the person can mend outside, its `cause`, has stopped the child where it is, and the turn with it. */
export class ChildUnfinished extends Error {
  override readonly name = "ChildUnfinished";
}

/** A child that waits, for who brings its answers. */
export interface AnsweredChild {
  answer(
    callId: string,
    decision: CallDecision,
    origin: AnswerOrigin,
    signal: AbortSignal,
  ): Promise<{ outcome: AnswerOutcome }>;
  recover(callId: string, choice: RecoveryChoice, signal: AbortSignal): Promise<AnswerOutcome>;
}

/** The sessions that calls of one session drive, as its graph sees them: those of calls that have not come to their end. */
export interface ChildSessions {
  /**
   * Begins the child of this call that stands at this place, or goes on with it. One that ended gives its end again.
   * @param checkGoesOn asked before it begins, and each time that it would go on: throws where none of the call does any more
   * @throws ChildWaits; ChildUnfinished; TurnLeft; what stops a run
   */
  run(call: string, place: number, spec: ChildSpec, signal: AbortSignal, checkGoesOn: () => void): Promise<ChildEnd>;
  /** Resolves when none of the call's children works, whether its tool has waited for them or not. */
  atRest(call: string): Promise<void>;
  /** The call's tool has ended: none of its children begins that found no place by then. Resolves as `atRest` does. */
  leave(call: string): Promise<void>;
  /** Makes the plans anew of what its children ask, once none of them works: another one of them may have changed their files since. */
  planAgain(call: string, signal: AbortSignal): Promise<void>;
  /** The child of that id, while it is open. */
  of(session: string): AnsweredChild | undefined;
  /** Returns the journal of a child of this session, open or not. */
  journalOf(session: string): JournalReading | undefined;
  /** Tells whether the call has begun any. */
  hasBegun(call: string): boolean;
  /** Tells whether a child of it is open that has nothing to ask. */
  canGoOn(call: string): boolean;
  /** Counts the children of open calls that have not come to their end. */
  unfinished(): number;
  /** Its children that wait for the person. */
  waiting(call: string): WaitingChild[];
  /** Calls of children that are not in a final state, with whose they are. */
  openCalls(): { session: string; call: ToolCallInfo }[];
  /** Lists the questions about calls of all of them, with whose each is. Reads only. */
  approvals(): Promise<WaitingCall[]>;
  recoveries(): UnsettledCall[];
  /** Ends the call's children where they are, with all that is open in them, which says why. @returns what they came to. */
  end(call: string, cause: EndedWith): Promise<ChildEnd[]>;
  /** Ends the child of this call that stands at this place, with all that is open in it, which says why, and no other one. */
  endAt(call: string, place: number, cause: EndedWith): Promise<ChildEnd | undefined>;
  /** These digests of a child's calls were shown to the person. */
  notePublished(session: string, calls: readonly { callId: string; digest: string }[]): Promise<void>;
}
