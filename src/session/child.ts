import type { EndedWith } from "../graph/calls/ended-with.ts";
import type { Offers } from "../graph/calls/offers.ts";
import type { AnswerOrigin, AnswerOutcome, CallDecision } from "../graph/decisions.ts";
import type { AgentEventBody, RecoveryChoice, TurnReason, UnsettledCall, WaitingCall } from "../graph/events.ts";
import type { Journal } from "../store/types.ts";
import type { RunEnd } from "./position.ts";

/** An open session, as far as the one uses it that drives it. */
export interface ChildSession {
  readonly id: string;
  readonly journal: Journal;
  /** From where it stands, to its end or until it asks. Never throws. */
  goOn(signal: AbortSignal): Promise<RunEnd>;
  waitsFor(): TurnReason | undefined;
  offers(callId: string, signal: AbortSignal): Promise<Offers>;
  approvals(): Promise<WaitingCall[]>;
  recoveries(): UnsettledCall[];
  planAgain(signal: AbortSignal): Promise<void>;
  answer(
    callId: string,
    decision: CallDecision,
    origin: AnswerOrigin,
    signal: AbortSignal,
  ): Promise<{ outcome: AnswerOutcome; asksAnew: boolean }>;
  recover(callId: string, choice: RecoveryChoice, signal: AbortSignal): Promise<AnswerOutcome>;
  leaveTurns(signal: AbortSignal, cause: EndedWith): Promise<void>;
  turnEnded(end: { reason: TurnReason; exitCode?: number | undefined; leaving: boolean }): AgentEventBody;
  close(): Promise<void>;
}
