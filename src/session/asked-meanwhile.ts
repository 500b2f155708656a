import type { CallStatus, ToolCallInfo } from "../core/call.ts";
import { addressOf, type CallRef, refOf } from "../core/call-ref.ts";
import { childrenQuestion, publish, type Question, stillAsked } from "../graph/calls/question.ts";
import type { TurnReason } from "../graph/events.ts";
import type { Runtime } from "../graph/runtime.ts";
import type { Children } from "./children.ts";

// Keeps session 9.
/** What children ask while others of their call work: the graph of the session that drives them runs. */
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

  /** Whether this call was asked about and waits: what is said of it means what was shown. */
  waits(ref: CallRef): boolean {
    if (this.#children?.works(ref.session) || this.#shownOf(ref) === undefined) return false;
    const status = this.#children?.of(ref.session)?.journal.call(ref.call)?.status;
    return status === "awaiting_approval" || status === "interrupted";
  }

  /** What an approval means that names no digest. */
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

  /** How a call of this session stands, or of one that a call of it has driven; undefined where there is none. */
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
