import type { BaseMessage } from "@langchain/core/messages";
import type { JsonObject } from "../core/json.ts";
import { tellOfJobs } from "../graph/calls/command-changes.ts";
import { byPerson, type EndedWith } from "../graph/calls/ended-with.ts";
import { type Offers, offersOf } from "../graph/calls/offers.ts";
import {
  approvalQuestion,
  openQuestion,
  publish,
  type Question,
  recoveryQuestion,
  stillAsked,
} from "../graph/calls/question.ts";
import type { AnswerOrigin, AnswerOutcome, CallDecision } from "../graph/decisions.ts";
import type { AgentEventBody, RecoveryChoice, TurnReason, UnsettledCall, WaitingCall } from "../graph/events.ts";
import { presentsPlan } from "../graph/plan-approved.ts";
import { titleOf } from "../graph/talk/message-text.ts";
import { endLeftTurn, endTurn } from "../graph/turn-end.ts";
import type { Rights } from "../policy/rights.ts";
import type { UndoTarget } from "../records/undo/changes.ts";
import { type ChosenUndo, commandUndo } from "../records/undo/undo-command.ts";
import type { ChildRow, Journal, Lease, Requests, Store, TurnRow } from "../store/types.ts";
import { checkWorkspace } from "../tools/use/own-workspace.ts";
import { notices, refusals } from "../words/contract/session.ts";
import type { AgentParts, SessionTools } from "./agent-parts.ts";
import type { ChildSession } from "./child.ts";
import { childOpening, rightsNow, toolsUnder } from "./child-opening.ts";
import { Children } from "./children.ts";
import { firstParts, modelOf, openGraph, takeLease } from "./first-parts.ts";
import { humanMessage, newTurn } from "./human-message.ts";
import type { Opening } from "./opening.ts";
import { ownTurnMessage } from "./own-command-tool.ts";
import { type OwnTurn, ownCallIn } from "./own-turn.ts";
import { type CompactOutcome, compactByPerson, undoCompaction } from "./person-compact.ts";
import type { RunEnd, Start } from "./position.ts";
import { notAnswered, type Refusal } from "./refusals.ts";
import { restoredEvents } from "./restored.ts";
import type { SessionGraph } from "./run.ts";
import { type SentMessage, typedIn } from "./sent-message.ts";
import { runtimeOf } from "./session-runtime.ts";
import { type Titling, titlingOf } from "./titling.ts";
import { closeTools } from "./tools-of-session.ts";
import { turnEnded } from "./turn-ended-event.ts";
import {
  goesOnBeside,
  needsPerson,
  openCallsOf,
  runningTurn,
  type Unfinished,
  unfinishedWork,
} from "./unfinished-work.ts";
import { AskedMeanwhile, WaitingCalls } from "./waiting-calls.ts";
import { takeBack } from "./withdrawn-messages.ts";

/**
 * Opens store, model and tools, takes the lease, builds the graph: all that is heavy, at the first need. Rules that are
 * broken end it here, before the model is asked anything.
 */
export async function openSession(parts: AgentParts, opening: Opening): Promise<OpenSession> {
  const { id, workspace, mode } = opening;
  const { store, model, maxSteps, maxObserve, checks, addDirs, secrets, hooks } = await firstParts(
    parts,
    { session: opening.above?.root ?? id, workspace, mode },
    modelOf(parts, opening),
    opening.above?.rights,
  );
  opening.pins.add(...addDirs);
  const tools = await parts.openTools({ id, workspace, pins: opening.pins });
  try {
    for (const tool of tools.tools) await checkWorkspace(tool, workspace);
    const { lease, turn } = await takeLease(store, opening, model, parts.outputSchema);
    const settings = opening.settingsWith(model);
    if (turn !== undefined) opening.stored();
    let children: Children | undefined;
    const graph: SessionGraph = await openGraph(store, lease, settings, (journal) => {
      const above = { settings, limits: () => graph.limits };
      const open = (row: ChildRow) =>
        openSession(parts, childOpening(opening, row, { ...above, paths: graph.runtime.paths }));
      const rights = (before?: Rights) => rightsNow(graph.runtime, settings().mode, before);
      const drives = { ...above, rights, open };
      if (opening.above === undefined) children = new Children({ store, journal, opening, ...drives });
      const copiedTo = store.sessions.get(id)?.forkedFrom?.at;
      const sendsAside = opening.above === undefined;
      const own = { store, journal, tools: toolsUnder(opening.above, tools), children, copiedTo, sendsAside };
      return runtimeOf(parts, opening, { ...own, maxSteps, maxObserve, checks, addDirs, secrets, hooks });
    });
    await children?.openLeft();
    const titling =
      parts.titles === true && opening.above === undefined ? titlingOf(parts, opening.emit, graph) : undefined;
    const { outputSchema } = parts;
    return new OpenSession(graph, lease, { store, tools, titling, first: turn, outputSchema, opening, children });
  } catch (error) {
    await closeTools(tools).catch(() => undefined);
    throw error;
  }
}

interface HeldLease {
  store: Pick<Store, "readJournal" | "sessions">;
  tools: SessionTools;
  titling: Titling | undefined;
  first: TurnRow | undefined;
  outputSchema: JsonObject | undefined;
  opening: Pick<Opening, "emit" | "allHeard" | "above" | "first">;
  children: Children | undefined;
}

/** A session that this process holds: its lease, its tools, and what is done with its journal between two runs of its graph. */
export class OpenSession {
  readonly lease: Lease;
  readonly #graph: SessionGraph;
  readonly #store: HeldLease["store"];
  readonly #tools: SessionTools;
  readonly #titling: Titling | undefined;
  readonly #outputSchema: JsonObject | undefined;
  readonly #children: Children | undefined;
  readonly meanwhile: AskedMeanwhile;
  readonly #waiting: WaitingCalls;
  /** The words that it was stored with, as long as nobody has asked for their turn. */
  #first: TurnRow | undefined;
  readonly #begun: SentMessage | undefined;

  constructor(graph: SessionGraph, lease: Lease, held: HeldLease) {
    const { store, tools, titling, first, outputSchema, opening, children } = held;
    this.#store = store;
    this.#graph = graph;
    this.#waiting = new WaitingCalls(graph);
    this.lease = lease;
    this.#tools = tools;
    this.#titling = titling;
    this.#first = first;
    this.#begun = opening.first;
    this.#children = children;
    this.meanwhile = new AskedMeanwhile(graph.runtime, children);
    this.#outputSchema = outputSchema;
  }

  get id(): string {
    return this.journal.session;
  }

  /** The open sessions: this one, and those that its calls drive. */
  all(): readonly ChildSession[] {
    return [this, ...(this.#children?.all() ?? [])];
  }

  /** The open session of that id: this one, or one that a call of it drives. */
  of(session: string): ChildSession | undefined {
    return session === this.id ? this : this.#children?.of(session);
  }

  get journal(): Journal {
    return this.#graph.runtime.journal;
  }

  get requests(): Requests {
    return this.#graph.store.requests;
  }

  /** A message of the person, durable when the promise resolves; it waits for its turn. */
  async addMessage(said: SentMessage): Promise<TurnRow> {
    const stored = this.#first;
    this.#first = undefined;
    const isSaid = this.#begun !== undefined && typedIn(this.#begun) === typedIn(said);
    return stored !== undefined && isSaid ? stored : this.journal.addTurn(newTurn(said, this.#outputSchema));
  }

  /** Stores a steering message of the person to the turn under way, durable when the promise resolves. @returns its id */
  async addSteer(said: SentMessage): Promise<string> {
    const { message, keep } = humanMessage(said, this.#outputSchema);
    await this.journal.addSteer(message, keep);
    return message.id ?? "";
  }

  readonly takeBack = (): Promise<string[]> => takeBack(this.#graph.runtime);

  /**
   * The message that begins the next turn, the first that was said; undefined where none waits. What was said to a turn that failed
   * waits for it to be gone on with, or for a later message: a turn of its own would call off what is open in that one.
   */
  async nextMessage(): Promise<TurnRow | undefined> {
    const queued = this.journal.turns().find((turn) => turn.state === "queued");
    const turn = runningTurn(this.journal);
    const waits = turn !== undefined && turn.reason !== "max_steps" && turn.reason !== "max_cost";
    if (queued === undefined && waits) return undefined;
    return (this.#steersWait() ? await this.journal.steerToTurn(queued?.turn) : undefined) ?? queued;
  }

  /** Makes turns of their own of the steering messages to a turn that is not gone on with. */
  async steersToTurns(): Promise<void> {
    while (this.#steersWait()) await this.journal.steerToTurn();
  }

  readonly #steersWait = (): boolean => this.journal.steers().some(({ step }) => step === undefined);

  /** A command of the person, durable when the promise resolves; its turn runs. */
  addCommand({ text, message }: { text: string; message: BaseMessage }): Promise<TurnRow> {
    return this.journal.addTurn({ text, message, queued: false, title: titleOf(text) });
  }

  async run(start: Start, signal: AbortSignal, isAgain = false): Promise<RunEnd> {
    this.#waiting.runs();
    const standing = this.#graph.position.question === undefined ? [] : (this.#children?.standStill() ?? []);
    this.meanwhile.forget(standing);
    const end = await this.#graph.run(start, signal, { isBeside: standing.length > 0, isAgain });
    if (end.kind === "ended" && end.reason === "done") this.#titling?.turnDone();
    return end;
  }

  /** As one that a call drives: from where it stands, to its end or until it asks. Never throws. */
  async goOn(signal: AbortSignal): Promise<RunEnd> {
    try {
      const unfinished = this.unfinished();
      if (unfinished.kind === "run") return await this.run(unfinished.start, signal);
      if (unfinished.kind === "nothing") return { kind: "ended", reason: await this.#end(signal) };
      const question = await this.questionAgain(signal);
      return question === undefined ? await this.run({ from: "position" }, signal) : { kind: "asks", question };
    } catch (error) {
      return this.failed(error);
    }
  }

  /** Nothing is left to do: writes down so, and the end of a turn whose end is not written down. @returns how the last one ended */
  async wasOver(signal: AbortSignal): Promise<TurnReason> {
    const { runtime, position } = this.#graph;
    const open = runningTurn(this.journal);
    if (open?.turn === position.values.turn) {
      const reason = await this.#end(signal);
      // A person who stopped a turn is not told that again.
      return reason === "cancelled" ? "done" : reason;
    }
    // The person went on to a newer one, which was not written down with this one.
    if (open !== undefined) await endLeftTurn(runtime, open, byPerson("superseded"));
    await this.journal.setState("idle");
    const last = this.journal.turns().at(-1);
    if (last === undefined) runtime.emit({ type: "notice", code: "nothing_said", text: notices.empty });
    return last?.reason === "stuck" || last?.reason === "failed" ? last.reason : "done";
  }

  readonly #end = (signal: AbortSignal): Promise<TurnReason> =>
    endTurn(this.#graph.runtimeUnder(signal), this.#graph.position.values);

  /** Settles what older turns left open, because a new message came. @throws FolderLost */
  async leaveTurns(signal: AbortSignal, cause: EndedWith = byPerson("superseded")): Promise<void> {
    this.#graph.runtime.pins?.check();
    for (const turn of this.journal.turns().filter(({ state }) => state === "running")) {
      await this.#graph.leave(turn.turn, signal, cause);
      await endLeftTurn(this.#graph.runtime, turn, cause);
    }
  }

  /** Some call needs the person's word, of a child too. */
  needsPerson(): boolean {
    return needsPerson(this.#graph.runtime);
  }

  readonly goesOnBeside = (): boolean => goesOnBeside(this.#graph.runtime);

  /** Tells the state of a turn whose calls wait; undefined where none does. */
  waitsFor(): TurnReason | undefined {
    const { waiting, interrupted } = openCallsOf(this.#graph.runtime);
    if (interrupted > 0) return "awaiting_recovery";
    return waiting > 0 ? "awaiting_approval" : undefined;
  }

  presentsPlan(): boolean {
    return presentsPlan(this.journal);
  }

  unfinished(): Unfinished {
    return unfinishedWork(this.#graph.runtime, this.#graph.position);
  }

  answer(
    callId: string,
    decision: CallDecision,
    origin: AnswerOrigin,
    signal: AbortSignal,
  ): Promise<{ outcome: AnswerOutcome; asksAnew: boolean }> {
    return this.#waiting.answer(callId, decision, origin, signal);
  }

  offers(callId: string, signal: AbortSignal): Promise<Offers> {
    return offersOf(this.#graph.runtimeUnder(signal), callId);
  }

  recover(callId: string, choice: RecoveryChoice, signal: AbortSignal): Promise<AnswerOutcome> {
    return this.#waiting.recover(callId, choice, signal);
  }

  /** Ends a session that a call of this one drives, and nothing else. @returns why it cannot be, in words */
  async stopChild(id: string): Promise<string | undefined> {
    return this.#children === undefined ? refusals.noHelpers({ session: this.id }) : this.#children.stop(id);
  }

  /** Has a call that runs go on in the background. @returns why it cannot, in words */
  sendAside(callId: string): string | undefined {
    const why = this.#graph.runtime.live.sendAside(callId);
    return why && refusals[why]({ call: callId });
  }

  /** Finds the question that the person is asked now. */
  question(signal: AbortSignal): Promise<Question | undefined> {
    return openQuestion(this.#graph.runtimeUnder(signal), this.#waiting.replaced);
  }

  /** The same after a pause of any length: plans are made anew where the files have changed since. */
  async questionAgain(signal: AbortSignal): Promise<Question | undefined> {
    for (const session of this.all()) await session.planAgain(signal);
    return this.question(signal);
  }

  planAgain(signal: AbortSignal): Promise<void> {
    return this.#waiting.planAgain(signal);
  }

  async approvals(): Promise<WaitingCall[]> {
    const runtime = this.#graph.runtimeUnder(new AbortController().signal);
    return (await approvalQuestion(runtime, this.#waiting.replaced)).calls;
  }

  recoveries(): UnsettledCall[] {
    return recoveryQuestion(this.#graph.runtimeUnder(new AbortController().signal)).calls;
  }

  readonly stillAsked = (question: Question): Question | undefined => stillAsked(this.#graph.runtime, question);

  async publish(question: Question): Promise<void> {
    const isAsked = this.meanwhile.isAsked(question);
    this.meanwhile.forget();
    if (!isAsked) await publish(this.#graph.runtime, question);
  }

  /** The calls that are to be taken back, and the person's command for it. Of several, those against which something stands are told. */
  chooseUndo(target: UndoTarget): Promise<ChosenUndo> {
    return commandUndo(this.#graph.runtime, this.#store, target);
  }

  /** Has the talk summed up, but for its end. @param keep the person's words on what is to be kept */
  compact(keep: string | undefined, signal: AbortSignal): Promise<CompactOutcome> {
    return compactByPerson(this.#graph.runtimeUnder(signal), this.#graph.position.values, keep);
  }

  undoCompaction(): Promise<CompactOutcome> {
    return undoCompaction(this.journal);
  }

  /** Tells whether this turn of the person's own can begin now. */
  ownCommand(turn: OwnTurn): ({ ok: true } & ReturnType<typeof ownTurnMessage>) | Refusal {
    if (this.waitsFor() !== undefined) return { ok: false, message: refusals.callWaits };
    if (this.journal.turns().some(({ state }) => state === "queued") || this.hasUnheardTurn()) return notAnswered;
    if (this.#graph.runtime.catalogue.get(turn.call.name) === undefined)
      return { ok: false, message: refusals.noShell };
    return { ok: true, ...ownTurnMessage(turn) };
  }

  /**
   * Approves the call that the person typed themselves: they are not asked about it again.
   * @returns whether that was the question, and it is answered.
   */
  async approveOwn(question: Question | undefined, signal: AbortSignal): Promise<boolean> {
    const own = ownCallIn(question);
    if (own === undefined) return false;
    const { callId, digest } = own;
    const { outcome } = await this.answer(callId, { decision: "approve", digest, by: "typed" }, {}, signal);
    return outcome.ok;
  }

  /** The person's last message was acknowledged, and the graph has not had it yet. */
  hasUnheardTurn(): boolean {
    const turn = runningTurn(this.journal);
    return turn !== undefined && turn.turn > this.#graph.position.values.turn;
  }

  /** Says to whoever opened it again what was said and done, or about the last `most` messages and calls of it, and which jobs are lost. */
  async sayRestored(most?: number): Promise<void> {
    for (const event of restoredEvents(this.#graph, most)) this.#graph.runtime.emit(event);
    await this.#graph.runtime.jobs.sayFound();
  }

  failed(error: unknown): Promise<RunEnd> {
    return this.#graph.failed(error);
  }

  turnEnded(end: { reason: TurnReason; exitCode?: number | undefined; leaving: boolean }): AgentEventBody {
    return turnEnded(this.#graph.runtime, this.#graph.position, end, this.#children);
  }

  // Keeps tools 6.
  /**
   * Ends the tools, whose last words are still kept, says which background jobs were ended with them and what changed beside them, and then gives the lease back:
   * nothing of this process works in the session when another one takes it. @throws what a tool throws.
   */
  async close(): Promise<void> {
    try {
      await this.#graph.runtime.jobs.endWith(async () => {
        await this.#titling?.end();
        await this.#children?.close();
        await closeTools(this.#tools);
        await tellOfJobs(this.#graph.runtime);
      });
    } finally {
      this.lease.release();
    }
  }
}
