import type { CallStatus, ToolCallInfo } from "../core/call.ts";
import { addressOf, type CallRef, refOf } from "../core/call-ref.ts";
import { answerCall } from "../graph/calls/answers.ts";
import { type Changes, childrenQuestion, publish, type Question, stillAsked } from "../graph/calls/question.ts";
import { recoverCall } from "../graph/calls/recover.ts";
import { planAgain } from "../graph/calls/replan.ts";
import type { AnswerOrigin, AnswerOutcome, CallDecision } from "../graph/decisions.ts";
import type { Change, RecoveryChoice, TurnReason } from "../graph/events.ts";
import type { Runtime } from "../graph/runtime.ts";
import type { Children } from "./children.ts";
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

// Keeps session 9.
/** The questions that children ask while others of their call work: the graph of the session that drives them runs. */
export class AskedMeanwhile {
  readonly #runtime: Pick<Runtime, "emit" | "journal">;
  readonly #children: Children | undefined;
  /** By the call's address: its digest as it was shown; of a call whose end was not seen there is none to be shown. */
  #shown = new Map<string, { ref: CallRef; digest: string | undefined }>();
  /** The same of what was asked at rest, and waits while this run goes on with others. */
  #before = new Map<string, { ref: CallRef; digest: string | undefined }>();

  constructor(runtime: Pick<Runtime, "emit" | "journal">, children: Children | undefined) {
    this.#runtime = runtime;
    this.#children = children;
  }

  /** Asks all that children ask now, if it was not asked yet. Where none of them works any more the graph asks it, at rest. */
  async ask(): Promise<void> {
    const children = this.#children?.askBeside() === true ? this.#children : undefined;
    const found = children && (await childrenQuestion(children));
    const runtime = { ...this.#runtime, ...(children && { children }) };
    const question = found && stillAsked(runtime, found);
    if (question === undefined || this.isAsked(question)) return;
    await publish(runtime, question);
    for (const call of question.calls) {
      const ref = refOf(call);
      this.#shown.set(addressOf(ref), { ref, digest: digestOf(call) });
    }
  }

  /** All of it was asked in this run of the graph, as it is asked now. */
  readonly isAsked = ({ calls }: Question): boolean =>
    calls.every((call) => {
      const shown = this.#shown.get(addressOf(refOf(call)));
      return shown !== undefined && shown.digest === digestOf(call);
    });

  /** Tells whether this call was asked about and waits: an answer to it means the call as it was shown. */
  waits(ref: CallRef): boolean {
    if (this.#children?.works(ref.session) || this.#shownOf(ref) === undefined) return false;
    const status = this.#children?.of(ref.session)?.journal.call(ref.call)?.status;
    return status === "awaiting_approval" || status === "interrupted";
  }

  /** Returns the digest meant by an approval that names none. */
  readonly asShown = (ref: CallRef): string | undefined => this.#shownOf(ref)?.digest;

  readonly #shownOf = (ref: CallRef) => this.#shown.get(addressOf(ref)) ?? this.#before.get(addressOf(ref));

  /** Something was said to a child: where it has nothing more to ask of that kind it goes on, and what was behind its question is asked. */
  async said(child: string, waited: TurnReason | undefined): Promise<void> {
    // What waits no more, by a grant too, is shown anew where it comes to wait again.
    for (const known of [this.#shown, this.#before])
      for (const [address, { ref }] of known) if (!this.waits(ref)) known.delete(address);
    this.#children?.said(child, waited);
    await this.ask();
  }

  /** Finds the status of a call of this session, or of one that a call of it has driven; undefined where there is none. */
  statusOf({ session, call }: CallRef): CallStatus | undefined {
    const { journal } = this.#runtime;
    return (session === journal.session ? journal : this.#children?.journalOf(session))?.call(call)?.status;
  }

  readonly #wasShown = ({ session, call }: { session: string; call: ToolCallInfo }): boolean =>
    call.status !== "awaiting_approval" ||
    this.#children?.of(session)?.journal.publishedDigest(call.callId) === call.digest;

  /** Another run begins, or all that waits is asked. @param standing calls that wait still, of what was asked at rest */
  forget(standing: readonly { session: string; call: ToolCallInfo }[] = []): void {
    this.#shown = new Map();
    this.#before = new Map(
      standing
        .filter(this.#wasShown)
        .map((one) => [addressOf(refOf(one)), { ref: refOf(one), digest: shownDigest(one.call) }]),
    );
  }
}

const shownDigest = (call: ToolCallInfo): string | undefined =>
  call.status === "awaiting_approval" ? call.digest : undefined;

const digestOf = (call: Question["calls"][number]): string | undefined => ("digest" in call ? call.digest : undefined);
