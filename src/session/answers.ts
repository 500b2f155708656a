import { addressOf, type CallRef } from "../core/call-ref.ts";
import type { Offers } from "../graph/calls/offers.ts";
import type { AnswerOutcome, CallDecision } from "../graph/decisions.ts";
import type { RecoveryChoice, TurnReason } from "../graph/events.ts";
import type { Mode } from "../policy/types.ts";
import { type Journal, SessionBusy, StaleMove } from "../store/types.ts";
import { refusals } from "../words/contract/session.ts";
import type { ChildSession } from "./child.ts";
import type { OpenSession } from "./open-session.ts";
import { type lostFolder, notWaiting } from "./refusals.ts";
import type { CommandOutcome } from "./session.ts";

type Reading = Pick<Journal, "call" | "openCalls" | "publishedDigest">;

/** Tells whether something may still be said of a call: an answer, or what is to become of one that was cut off. */
const mayBeSaid = (journal: Pick<Journal, "call">, { call }: CallRef): boolean => {
  const status = journal.call(call)?.status;
  return status === "awaiting_approval" || status === "interrupted";
};

// Keeps session 1.
/**
 * The digests meant by approvals that name none: in a session that was opened again only those that an earlier process
 * showed, or that the person's own edit made of them.
 */
class ShownDigests {
  readonly #restored: boolean;
  /** By the call's address; null for a call that was never shown. */
  readonly #digests = new Map<string, string | null>();

  constructor(restored: boolean) {
    this.#restored = restored;
  }

  /** As an earlier process showed the calls that wait. */
  noteRestored(sessions: readonly { id: string; journal: Reading }[]): void {
    for (const { id, journal } of sessions)
      for (const { callId: call, status } of journal.openCalls())
        if (status === "awaiting_approval")
          this.#digests.set(addressOf({ session: id, call }), journal.publishedDigest(call) ?? null);
  }

  /** The flag that edits may be followed by one that approves the edited call. */
  noteEdited(journal: Reading, ref: CallRef): void {
    const edited = journal.call(ref.call);
    if (edited?.status === "awaiting_approval") this.#digests.set(addressOf(ref), edited.digest);
  }

  of(ref: CallRef): string | undefined {
    return this.#digests.get(addressOf(ref)) ?? undefined;
  }

  /** The refusal of a decision that means a digest which was never shown. */
  refusalOf(journal: Reading, ref: CallRef, decision: CallDecision): AnswerOutcome | undefined {
    if (!this.#restored || decision.decision !== "approve" || decision.digest !== undefined) return undefined;
    if (this.of(ref) !== undefined || journal.call(ref.call)?.status !== "awaiting_approval") return undefined;
    return { ok: false, code: "stale", message: refusals.neverShown(ref) };
  }
}

/** The session whose calls are answered, as far as an answer moves it. */
interface Answered {
  readonly id: string;
  readonly isNew: boolean;
  inOrder<T>(operation: () => Promise<T>): Promise<T>;
  /** Undefined where nothing was said in it yet. */
  open(): Promise<OpenSession | undefined>;
  opened(): Promise<OpenSession | undefined>;
  runs(): boolean;
  /** It is asked, or just about to be, what its last run ended with. */
  asks(): boolean;
  signal(): AbortSignal;
  orLost<T>(session: OpenSession, work: () => Promise<T>): Promise<T | ReturnType<typeof lostFolder>>;
  /** The person set it with an answer. */
  setMode(mode: Mode): void;
  /** No call waits any more. */
  goOn(session: OpenSession): void;
  /** Another question is asked: an answer to it may have been given elsewhere. */
  look(): void;
  /** Other plans are to be asked about. */
  askAnew(session: OpenSession): Promise<void>;
}

/** The state when something was said to a session. */
interface Before {
  ran: boolean;
  waited: TurnReason | undefined;
}

/** The answers to calls that wait, of the session and of those that its calls drive. */
export class Answers {
  readonly #of: Answered;
  readonly #shown: ShownDigests;

  constructor(of: Answered) {
    this.#of = of;
    this.#shown = new ShownDigests(!of.isNew);
  }

  noteRestored(session: OpenSession): void {
    this.#shown.noteRestored(session.all());
  }

  /** @param request by which another process decides */
  answer(ref: CallRef, decision: CallDecision, request?: number): Promise<AnswerOutcome> {
    const { orLost } = this.#of;
    return this.#ofWaiting(ref, async (session, asking) => {
      const refusal = this.#shown.refusalOf(asking.journal, ref, decision);
      return refusal ?? orLost(session, () => this.#answered(session, asking, { ref, decision, request }));
    });
  }

  async #answered(
    session: OpenSession,
    asking: ChildSession,
    { ref, decision, request }: { ref: CallRef; decision: CallDecision; request: number | undefined },
  ): Promise<AnswerOutcome> {
    const { signal, setMode, runs } = this.#of;
    const meanwhile = runs() ? session.meanwhile.asShown(ref) : undefined;
    const origin = { published: this.#shown.of(ref) ?? meanwhile, request };
    const before = this.#before(asking);
    const { outcome, asksAnew } = await asking.answer(ref.call, decision, origin, signal());
    if (!outcome.ok) return outcome;
    if (outcome.mode !== undefined) setMode(outcome.mode);
    if (decision.decision === "edit") this.#shown.noteEdited(asking.journal, ref);
    await this.#said(session, asking, before, async () => {
      if (!session.needsPerson() || session.goesOnBeside()) this.#of.goOn(session);
      else if (asksAnew) await this.#of.askAnew(session);
    });
    return outcome;
  }

  readonly #before = (asking: ChildSession): Before => ({ ran: this.#of.runs(), waited: asking.waitsFor() });

  /** Follows up an answer: a run that is under way has its child go on, and one that ended meanwhile without a question is not gone on with. */
  async #said(session: OpenSession, { id }: ChildSession, { ran, waited }: Before, atRest: () => Promise<void>) {
    const { open, runs, asks } = this.#of;
    // Behind a question that is just being asked.
    if (ran) await open();
    if (!runs()) return !ran || asks() ? atRest() : undefined;
    await session.meanwhile.said(id, waited);
  }

  /** Takes back the messages that wait. @param atWork not where a question stays asked, behind the answers that are under way */
  takeBack(atWork: boolean): Promise<string[]> {
    const { inOrder, open, asks } = this.#of;
    return inOrder(async () => {
      const session = await open();
      return session === undefined || (atWork && asks()) ? [] : session.takeBack();
    });
  }

  /** A child asks while others of its call work. That a store fails is told by the run. */
  askMeanwhile(): void {
    const { inOrder, opened, look } = this.#of;
    const ask = async (): Promise<void> => {
      await (await opened())?.meanwhile.ask();
      look();
    };
    inOrder(ask).catch(() => undefined);
  }

  async offersOf(ref: CallRef): Promise<Offers> {
    const session = await this.#of.opened();
    return (await session?.of(ref.session)?.offers(ref.call, this.#of.signal())) ?? { grants: [] };
  }

  recover(ref: CallRef, choice: RecoveryChoice): Promise<AnswerOutcome> {
    return this.#ofWaiting(ref, async (session, asking) => {
      const before = this.#before(asking);
      const outcome = await asking.recover(ref.call, choice, this.#of.signal());
      if (!outcome.ok) return outcome;
      await this.#said(session, asking, before, async () => {
        if (session.waitsFor() !== "awaiting_recovery" || session.goesOnBeside()) this.#of.goOn(session);
      });
      return outcome;
    });
  }

  /** Stops a child: its questions are asked no more; the turn goes on where nothing else waits, also where it came to wait meanwhile. */
  stopChild(child: string): Promise<CommandOutcome> {
    const { inOrder, open, orLost } = this.#of;
    return inOrder(async () => {
      const session = await open();
      return session === undefined
        ? { ok: false, message: refusals.nothingSaid }
        : orLost(session, () => this.#childStopped(session, child));
    });
  }

  async #childStopped(session: OpenSession, child: string): Promise<CommandOutcome> {
    const { open, runs, asks, goOn } = this.#of;
    const [ran, waited] = [runs(), session.waitsFor()];
    const refused = await session.stopChild(child);
    if (refused !== undefined) return { ok: false, message: refused };
    // Behind a question that is just being asked. Of a run that is under way its end sees what is asked no more.
    await open();
    const isEnded = session.unfinished().kind === "nothing";
    // A run that ended meanwhile without a question has failed, or was stopped.
    const mayGoOn = !runs() && (!ran || asks()) && !isEnded;
    if (mayGoOn && session.waitsFor() !== waited) goOn(session);
    // What was behind its question is asked now.
    else if (runs()) await session.meanwhile.ask();
    return { ok: true };
  }

  /** Runs the work on a call that waits: while nothing runs, or of a child that asks while others work. */
  #ofWaiting(ref: CallRef, work: (whole: OpenSession, asking: ChildSession) => Promise<AnswerOutcome>) {
    const { id, inOrder, open, runs } = this.#of;
    return inOrder(async () => {
      const session = await open();
      const asking = session?.of(ref.session);
      const mayBeTold = !runs() || session?.meanwhile.waits(ref) === true;
      const none = () => notWaiting(ref, id, session?.meanwhile.statusOf(ref));
      if (!session || !asking || !mayBeTold) return none();
      return work(session, asking).catch((error: unknown) => {
        // A stop has ended its session meanwhile, or the call itself, whose session has not ended yet.
        const isEnded = error instanceof SessionBusy && session.of(ref.session) === undefined;
        if (isEnded || (error instanceof StaleMove && !mayBeSaid(asking.journal, ref))) return none();
        throw error;
      });
    });
  }
}
