import type { CallRef } from "../core/call-ref.ts";
import { faultPoint } from "../core/fault-point.ts";
import type { Offers } from "../graph/calls/offers.ts";
import type { Question } from "../graph/calls/question.ts";
import type { AnswerOutcome, CallDecision } from "../graph/decisions.ts";
import type { AgentEvent, RecoveryChoice } from "../graph/events.ts";
import { Leaving } from "../graph/runtime.ts";
import type { Mode } from "../policy/types.ts";
import type { UndoTarget } from "../records/undo/changes.ts";
import { endings, refusals } from "../words/contract/session.ts";
import type { AgentParts } from "./agent-parts.ts";
import { Answers } from "./answers.ts";
import type { CallProgress } from "./calls-in-progress.ts";
import { createEventStream, type EventStream, type EventsAsked } from "./event-stream.ts";
import { InOrder, untilDone } from "./in-order.ts";
import { ModelAndMode } from "./model-and-mode.ts";
import type { OpenSession } from "./open-session.ts";
import { type Named, Opener } from "./opener.ts";
import { OutsideRequests } from "./outside.ts";
import { type OwnTurn, ownCommandTurn, stopJobTurn } from "./own-turn.ts";
import { isLeaving, type Move, moved, openPhase, type Phase, questionShown, turnIsOpen, untilQuiet } from "./phase.ts";
import type { RunEnd, Start } from "./position.ts";
import { notAnswered, notItsJob, orLost, type Refusal, sentAside, working } from "./refusals.ts";
import { runToQuestion } from "./run-to-question.ts";
import type { Pictures, SentMessage } from "./sent-message.ts";
import type { CommandOutcome, CompactOutcome, Session, UndoOutcome } from "./session.ts";
import { sayIfHeldUp } from "./slow-end.ts";
import { TypedOrder } from "./typed-order.ts";
import { withTaken } from "./withdrawn-messages.ts";

/** Operations one after another, one run of the graph at a time; where it is between them says its phase. */
export class DrivenSession implements Session {
  readonly id: string;
  readonly workspace: string;
  readonly #parts: AgentParts;
  readonly #named: Named;
  readonly #stream: EventStream;
  readonly #chosen: ModelAndMode;
  readonly #opener: Opener;
  readonly #answering: Answers;
  readonly #outside: OutsideRequests;
  #phase: Phase = { at: "idle", work: new AbortController() };
  readonly #operations = new InOrder();
  readonly #typed: TypedOrder;
  #closing: Promise<void> | undefined;
  #introduced: boolean;
  readonly events = (asked?: EventsAsked): AsyncIterable<AgentEvent> => this.#stream.events(asked);
  readonly progress = (): CallProgress[] => this.#stream.progress();

  constructor(parts: AgentParts, named: Named) {
    this.#parts = parts;
    this.#named = named;
    this.id = named.id;
    this.workspace = named.workspace;
    this.#chosen = new ModelAndMode(named);
    this.#introduced = !named.isNew;
    this.#stream = createEventStream(named.id, parts.clock);
    this.#typed = new TypedOrder(this.#operations, this.#stream);
    const opened = (session: OpenSession): void => {
      session.lease.lost.addEventListener("abort", () => void this.#taken(session), { once: true });
      this.#outside.begin(session);
    };
    this.#opener = new Opener({
      ...{ parts, named, chosen: this.#chosen, stream: this.#stream },
      ...{ stored: () => this.#introduce(), opened, asksMeanwhile: () => this.#answering.askMeanwhile() },
    });
    this.#answering = this.#answeringOf();
    this.#outside = new OutsideRequests({
      ...{ phase: () => this.#phase, stop: () => this.stop(), stopChild: this.stopChild },
      emit: (body) => this.#stream.emit(body),
      answer: (...given) => this.#answering.answer(...given),
    });
  }

  #answeringOf(): Answers {
    return new Answers({
      ...{ id: this.id, isNew: this.#named.isNew, open: () => this.#openIfBegun() },
      opened: async () => this.#opener.opened?.catch(() => undefined),
      inOrder: (operation) => this.#operations.run(operation),
      ...{ runs: () => this.#isAtWork, asks: () => turnIsOpen(this.#phase) && !this.#isAtWork },
      signal: () => this.#signal,
      orLost: (session, work) => this.#orLost(session, work),
      ...{ setMode: this.setMode, look: () => this.#outside.look(true) },
      goOn: (session) => this.#begin(session, { from: "position" }),
      askAnew: async (session) => this.#ask(session, await session.question(this.#signal)),
    });
  }

  readonly submit = (text: string, pictures?: Pictures, unasked = false): Promise<void> => {
    const shown = openPhase(this.#phase);
    // What is asked since then is not what it was meant for.
    const isAnother = () => openPhase(this.#phase) !== shown;
    return this.#typed.say(text, pictures, (said, late) => this.#take(said, unasked || (late && isAnother())));
  };

  readonly steer = (text: string, pictures?: Pictures): Promise<void> =>
    this.#typed.say(text, pictures, async (said) => {
      const session = await this.#openIfBegun();
      const isOpen = turnIsOpen(this.#phase) || session?.needsPerson() === true;
      if (session === undefined || !isOpen || (said.calls?.length ?? 0) > 0) return this.#take(said, true);
      const id = await session.addSteer(said);
      this.#stream.emit({ type: "user_message", id, text: said.text, queued: true, steer: true });
    });

  readonly takeBack = (asked: { atWork?: boolean } = {}): Promise<string[]> =>
    withTaken(this.#typed.takeBack(), () => this.#answering.takeBack(asked.atWork === true));

  async #take(said: SentMessage, unasked = false): Promise<void> {
    const { text } = said;
    const session = await this.#open(said);
    await questionShown(this.#phase);
    const goesOn = this.#isAtWork || (unasked && turnIsOpen(this.#phase));
    // Messages are answered in their order: what was said for a turn that was cut off comes before.
    if (!turnIsOpen(this.#phase)) await session.steersToTurns();
    // It is durable before an older turn is given up for it.
    const turn = await session.addMessage(said);
    const waits = goesOn || session.journal.turns().some((one) => one.state === "queued" && one.turn < turn.turn);
    this.#introduce();
    if (waits) this.#stream.emit({ type: "user_message", id: turn.messageId, text, queued: true });
    if (!goesOn) await this.#startQueued(session);
  }

  answer(ref: CallRef, decision: CallDecision): Promise<AnswerOutcome> {
    return this.#answering.answer(ref, decision);
  }

  readonly offersOf = (ref: CallRef): Promise<Offers> => this.#answering.offersOf(ref);
  readonly fill: Session["fill"] = async (ref, answer) => this.#opener.forms.reply(ref, answer);
  recover(ref: CallRef, choice: RecoveryChoice): Promise<AnswerOutcome> {
    return this.#answering.recover(ref, choice);
  }

  /** A folder that is lost between two runs ends the turn too; a run sees it by itself. */
  readonly #orLost = <T>(session: OpenSession, work: () => Promise<T>) =>
    orLost(work, async (lost) => this.#isAtWork || this.#sayEnded(session, await session.failed(lost)));

  undo(target: UndoTarget): Promise<UndoOutcome> {
    return this.#atRest(async (session) => {
      const chosen = await session.chooseUndo(target);
      if (!chosen.ok) return chosen;
      if (chosen.isUnderWay === true) await this.#goOn(session);
      else if (session.hasUnheardTurn()) return notAnswered;
      else await this.#beginOwn(session, chosen);
      return { ok: true, calls: chosen.calls, ...(chosen.left.length === 0 ? {} : { left: chosen.left }) };
    }, refusals.nothingChanged);
  }

  readonly runCommand = (command: string): Promise<CommandOutcome> => this.#ownTurn(ownCommandTurn(command));

  readonly stopJob = async (job: CallRef): Promise<CommandOutcome> =>
    job.session === this.id ? this.#ownTurn(stopJobTurn(job.call), this.#operations.run) : notItsJob(job, this.id);

  readonly #ownTurn = (turn: OwnTurn, inOrder?: InOrder["run"]): Promise<CommandOutcome> => {
    const begin = async (session: OpenSession): Promise<CommandOutcome> => {
      const asked = session.ownCommand(turn);
      return asked.ok ? this.#beginOwn(session, asked).then(() => ({ ok: true })) : asked;
    };
    return this.#atRest(begin, refusals.nothingSaid, inOrder);
  };

  readonly sendAside = (call: CallRef): Promise<CommandOutcome> => sentAside(call, this.id, this.#opener.opened);
  readonly stopChild = (child: string): Promise<CommandOutcome> => this.#answering.stopChild(child);
  readonly compact = (keep?: string): Promise<CompactOutcome> =>
    this.#atRest((session) => session.compact(keep, this.#signal));
  readonly undoCompaction = (): Promise<CompactOutcome> => this.#atRest((session) => session.undoCompaction());

  /** While no turn runs. @param nothing why it is refused where nothing was said in the session */
  #atRest<T>(work: (session: OpenSession) => Promise<T>, nothing = refusals.nothingSaid, inOrder = this.#typed.behind) {
    return inOrder(async (): Promise<T | Refusal> => {
      const session = await this.#openIfBegun();
      if (session === undefined) return { ok: false, message: nothing };
      return this.#isAtWork ? working : this.#orLost(session, () => work(session));
    });
  }

  /** A turn of the one call that the person's message carries. */
  async #beginOwn(session: OpenSession, command: Parameters<OpenSession["addCommand"]>[0]): Promise<void> {
    await this.#leaveTurns(session);
    const turn = await session.addCommand(command);
    this.#introduce();
    this.#stream.emit({ type: "user_message", id: turn.messageId, text: turn.text });
    this.#begin(session, { from: "message", turn });
  }

  async stop(): Promise<void> {
    if (this.#phase.at === "closed") return;
    const stopping = this.#halt("stop", new Error(endings.stopped));
    await sayIfHeldUp(stopping, this.#opener.opened, (body) => this.#stream.emit(body));
    const session = await this.#opener.opened?.catch(() => undefined);
    if (this.#phase.at !== "halting" || this.#phase.to !== "stop") return;
    if (session !== undefined) this.#sayWaiting(session);
    this.#move({ do: "release", work: new AbortController() });
    // A question that is kept waiting is not given up for what was queued behind it.
    if (session !== undefined && !turnIsOpen(this.#phase)) this.#startQueuedNext(session);
  }

  readonly setMode = (mode: Mode): void => this.#chosen.setMode(mode);

  readonly setModel = (spec: string): Promise<void> =>
    this.#typed.behind(async () => {
      const model = await this.#parts.openModel(spec);
      if (this.#opener.opened !== undefined) await (await this.#opener.opened).journal.setModel(spec);
      this.#chosen.take(model);
    });

  async settled(): Promise<void> {
    do await untilDone([this.#typed, this.#operations], this.#quiet);
    while (this.#isAtWork);
  }

  close(): Promise<void> {
    // The end is behind what was asked for meanwhile, which may have begun a run; nothing comes after it.
    const why = new Leaving(endings.closing);
    this.#closing ??= Promise.all([this.#halt("close", why), this.#typed.close(why)]).then(() =>
      this.#operations.run(() => this.#end()),
    );
    return this.#closing;
  }

  async #end(): Promise<void> {
    try {
      await this.#quiet();
      const session = await this.#opener.opened?.catch(() => undefined);
      this.#outside.end();
      if (session !== undefined) this.#sayWaiting(session);
      faultPoint("before session closed");
      await session?.close();
      faultPoint("after session closed");
    } finally {
      this.#move({ do: "closed" });
      this.#stream.end();
      this.#opener.close();
      this.#parts.sessionClosed?.(this);
    }
  }

  get mode(): Mode {
    return this.#chosen.mode;
  }

  /** Says what was; `proceed` goes on with it. @param isModeOpen nobody has named one: while a plan is to be approved it is that of planning */
  readonly restore = (most?: number, isModeOpen = false): Promise<void> =>
    this.#operations.run(async () => {
      const session = await this.#open();
      if (isModeOpen && session.presentsPlan()) this.setMode("plan");
      this.#answering.noteRestored(session);
      await session.sayRestored(most);
    });

  /** Goes on with what `restore` found: the question that waits, the work that was cut off, what was queued. */
  readonly proceed = (): Promise<boolean> => this.#operations.run(async () => this.#goOn(await this.#open()));

  async #goOn(session: OpenSession): Promise<boolean> {
    if (this.#isAtWork) return true;
    try {
      const unfinished = session.unfinished();
      if (unfinished.kind === "nothing") return await this.#nothingToDo(session);
      const question = unfinished.kind === "question" ? await session.questionAgain(this.#signal) : undefined;
      if (question !== undefined && !session.goesOnBeside()) await this.#ask(session, question);
      else this.#begin(session, unfinished.kind === "run" ? unfinished.start : { from: "position" });
      return true;
    } catch (error) {
      this.#sayEnded(session, await session.failed(error));
      return false;
    }
  }

  async #nothingToDo(session: OpenSession): Promise<boolean> {
    const reason = await session.wasOver(this.#signal);
    if (await this.#startQueued(session)) return true;
    this.#sayEnded(session, { kind: "ended", reason });
    return false;
  }

  get #isAtWork(): boolean {
    return openPhase(this.#phase)?.at === "running";
  }

  /** Of the run, or of plans that are made between runs. */
  get #signal(): AbortSignal {
    return openPhase(this.#phase)?.work.signal ?? AbortSignal.abort(new Leaving(endings.closed));
  }

  #move(move: Move): void {
    this.#phase = moved(this.#phase, move);
  }

  #begin(session: OpenSession, start: Start): void {
    const work = new AbortController();
    // In its own tick: by then the session is running.
    const over = Promise.resolve().then(() => this.#run(session, start, work.signal));
    const before = this.#phase;
    this.#move({ do: "begin", work, over });
    if (before.at === "halting") work.abort(before.during.work.signal.reason);
  }

  async #run(session: OpenSession, start: Start, signal: AbortSignal): Promise<void> {
    const end = await runToQuestion(session, start, signal, (question) => void this.#ask(session, question));
    if (end.kind === "asks") return;
    this.#sayEnded(session, end);
    this.#startQueuedNext(session);
  }

  async #ask(session: OpenSession, question: Question | undefined): Promise<void> {
    if (question === undefined) return;
    const over = session.publish(question).then(
      () => this.#outside.look(true),
      async (error: unknown) => {
        this.#sayEnded(session, await session.failed(error));
        this.#startQueuedNext(session);
      },
    );
    this.#move({ do: question.kind === "approval" ? "ask_approval" : "ask_recovery", over });
    await over;
  }

  /** Behind the operations that were asked for by now. */
  readonly #startQueuedNext = (session: OpenSession): void =>
    void this.#operations.run(() => this.#startQueued(session)).catch(() => undefined);

  async #startQueued(session: OpenSession): Promise<boolean> {
    if (this.#isAtWork || this.#phase.at === "halting" || this.#phase.at === "closed") return false;
    const queued = await session.nextMessage();
    if (queued === undefined) return false;
    const begun = await this.#orLost(session, async () => {
      await this.#leaveTurns(session);
      await session.journal.setTurn(queued.turn, "running");
      this.#stream.emit({ type: "user_message", id: queued.messageId, text: queued.text });
      this.#begin(session, { from: "message", turn: queued });
      return true;
    });
    return begun === true;
  }

  async #leaveTurns(session: OpenSession): Promise<void> {
    this.#move({ do: "end" });
    await session.leaveTurns(this.#signal);
  }

  /** Ends what runs, and what the operations under way begin. */
  async #halt(to: "stop" | "close", why: Error): Promise<void> {
    this.#move({ do: to });
    openPhase(this.#phase)?.work.abort(why);
    this.#typed.stop(why);
    await this.#operations.last;
    await this.#quiet();
  }

  /** Resolves when no run is under way, and no question is about to be asked. */
  readonly #quiet = (): Promise<void> => untilQuiet(() => openPhase(this.#phase));

  /** Another process drives the session now: what runs here ends, and fails to write its end. */
  async #taken(session: OpenSession): Promise<void> {
    const [{ reason }, runs, isOpen] = [session.lease.lost, this.#isAtWork, turnIsOpen(this.#phase)];
    openPhase(this.#phase)?.work.abort(reason);
    this.#typed.stop(reason);
    // A run says so itself; also one that an operation under way begins.
    if (runs) return;
    await this.#operations.run(async () => {
      await questionShown(this.#phase);
      if (this.#isAtWork || isLeaving(this.#phase) || (isOpen && !turnIsOpen(this.#phase))) return;
      const end = await session.failed(reason);
      if (turnIsOpen(this.#phase)) this.#sayEnded(session, end);
    });
  }

  /** Calls that wait stay, and the stream's last word says so. */
  #sayWaiting(session: OpenSession): void {
    const reason = turnIsOpen(this.#phase) ? session.waitsFor() : undefined;
    if (reason !== undefined) this.#stream.emit(session.turnEnded({ reason, leaving: isLeaving(this.#phase) }));
  }

  #sayEnded(session: OpenSession, end: RunEnd): void {
    if (end.kind !== "ended") return;
    this.#move({ do: "end" });
    this.#stream.emit(session.turnEnded({ ...end, leaving: isLeaving(this.#phase) }));
  }

  /** Once it is stored with its first message: a name that was told can be resumed. */
  #introduce(): void {
    if (this.#introduced) return;
    this.#introduced = true;
    this.#stream.emit({ type: "session_started", workspace: this.workspace, ...this.#chosen.named });
  }

  /** Undefined for a new session to which nothing was said yet. */
  async #openIfBegun(): Promise<OpenSession | undefined> {
    if (this.#opener.opened === undefined && this.#named.isNew) return undefined;
    const session = await this.#open();
    await questionShown(this.#phase);
    return session;
  }

  /** @param first with what a new session begins */
  async #open(first?: SentMessage): Promise<OpenSession> {
    if (this.#phase.at === "closed") throw new Error(endings.isClosed({ session: this.id }));
    return this.#opener.open(first);
  }
}
