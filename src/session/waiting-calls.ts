import { answerCall } from "../graph/calls/answers.ts";
import type { Changes } from "../graph/calls/question.ts";
import { recoverCall } from "../graph/calls/recover.ts";
import { planAgain } from "../graph/calls/replan.ts";
import type { AnswerOrigin, AnswerOutcome, CallDecision } from "../graph/decisions.ts";
import type { Change, RecoveryChoice } from "../graph/events.ts";
import { InOrder } from "./in-order.ts";
import type { SessionGraph } from "./run.ts";

// Keeps session 9.
/**
 * The calls of a session that wait for the person's word, between two runs of its graph. What is said to them and what is planned anew of them is done one after
 * another: an answer means the plan that is the call's by then, or is refused.
 */
export class WaitingCalls {
  readonly #graph: SessionGraph;
  readonly #inOrder = new InOrder();
  /** Plans that were replaced since the graph asked, by callId. */
  readonly #changes = new Map<string, Change>();

  constructor(graph: SessionGraph) {
    this.#graph = graph;
  }

  /** Those that were replaced, of this run's question and since. */
  get replaced(): Changes {
    return { ...this.#graph.position.values.changes, ...Object.fromEntries(this.#changes) };
  }

  /** The graph runs, and tells itself what it replaces. */
  runs(): void {
    this.#changes.clear();
  }

  /** @returns also whether another plan is to be asked about because of it */
  answer(
    callId: string,
    decision: CallDecision,
    origin: AnswerOrigin,
    signal: AbortSignal,
  ): Promise<{ outcome: AnswerOutcome; asksAnew: boolean }> {
    return this.#inOrder.run(async () => {
      const runtime = this.#graph.runtimeUnder(signal);
      const { outcome, changes } = await answerCall(runtime, this.#graph.stepId, callId, decision, origin);
      this.#note(changes);
      return { outcome, asksAnew: changes.size > 0 };
    });
  }

  recover(callId: string, choice: RecoveryChoice, signal: AbortSignal): Promise<AnswerOutcome> {
    return this.#inOrder.run(() => recoverCall(this.#graph.runtimeUnder(signal), callId, choice));
  }

  planAgain(signal: AbortSignal): Promise<void> {
    return this.#inOrder.run(async () =>
      this.#note(await planAgain(this.#graph.runtimeUnder(signal), this.#graph.stepId)),
    );
  }

  #note(changes: ReadonlyMap<string, Change>): void {
    for (const [callId, change] of changes) this.#changes.set(callId, change);
  }
}
