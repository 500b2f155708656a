import { AsyncResource } from "node:async_hooks";
import type { ToolCallInfo } from "../core/call.ts";
import { type ChildEnd, type ChildSpec, childName } from "../core/child-session.ts";
import { goalWork } from "../core/goals.ts";
import { joinSignals } from "../core/join-signals.ts";
import type { JsonObject } from "../core/json.ts";
import { byPerson, type EndedWith } from "../graph/calls/ended-with.ts";
import { type ChildSessions, ChildUnfinished, ChildWaits } from "../graph/child-sessions.ts";
import type { AgentEventBody, HelperTook, TurnReason, UnsettledCall, WaitingCall } from "../graph/events.ts";
import { isLeft, type Settings, TurnLeft } from "../graph/runtime.ts";
import type { WaitingChild } from "../graph/state.ts";
import type { LimitReached, TreeLimits } from "../graph/tree-limits.ts";
import type { Rights } from "../policy/rights.ts";
import { childEnd, isOver, notBegun, tookIn } from "../records/child-end.ts";
import { agentOf } from "../records/session-progress.ts";
import type { ChildRow, Journal, JournalReading, Store } from "../store/types.ts";
import { endings, refusals } from "../words/contract/session.ts";
import type { ChildSession } from "./child.ts";
import { rightsIn } from "./child-bounds.ts";
import { checkSpec, endedChild, ownName } from "./child-opening.ts";
import { earlierTalk } from "./earlier-talk.ts";
import { failureOf } from "./exit-codes.ts";
import { newTurn } from "./human-message.ts";
import type { Opening } from "./opening.ts";
import type { RunEnd } from "./position.ts";
import { SideBySide } from "./side-by-side.ts";

interface Parent {
  store: Pick<Store, "sessions" | "beginChild" | "readJournal">;
  journal: Journal;
  opening: Opening;
  settings(): Settings;
  /** Those of now, and no more than `before`. */
  rights(before: Rights | undefined): Promise<Rights>;
  limits(): TreeLimits | undefined;
  open(row: ChildRow): Promise<ChildSession>;
}

const isAsked: ReadonlySet<ToolCallInfo["status"]> = new Set(["awaiting_approval", "interrupted"]);

const isDenied = (call: ToolCallInfo): boolean =>
  call.status === "cancelled" && (call.ended.why === "denied" || call.ended.why === "policy");

// Keeps session 5.
/** The sessions that calls of one session drive, under its lease: open from their beginning, or from when it was opened again, to their end. */
export class Children implements ChildSessions {
  readonly #parent: Parent;
  readonly #open = new Map<string, { row: ChildRow; session: ChildSession }>();
  readonly #opening = new Map<string, Promise<ChildSession>>();
  readonly #sideBySide: SideBySide;
  /** Children whose question was asked at rest. */
  #standing = new Set<string>();
  /** By child: what ends its work alone, while it works. */
  readonly #driven = new Map<string, { stop: AbortController; work: Promise<RunEnd> }>();
  /** By child: it is being ended, alone. */
  readonly #stopping = new Map<string, Promise<void>>();
  /** A graph that is run from a node of another one would count as part of that: this is where no node runs. */
  readonly #outside = new AsyncResource("holdfast.children");

  constructor(parent: Parent) {
    this.#parent = parent;
    this.#sideBySide = new SideBySide(parent.opening.asksMeanwhile);
  }

  /** Opens again those that have not come to their end, of calls that have not. */
  async openLeft(): Promise<void> {
    // One that cannot be opened fails when its call goes on, and keeps nobody from the session.
    for (const row of this.#left()) await this.#opened(row).catch(() => undefined);
  }

  #left(): ChildRow[] {
    const calls = this.#parent.journal.openCalls().filter(({ effect }) => effect === "child");
    return calls.flatMap(({ callId }) => this.#rowsOf(callId)).filter((row) => !this.#isOver(row));
  }

  readonly unfinished = (): number => this.#left().length;

  async run(...[call, place, spec, signal, checkGoesOn]: Parameters<ChildSessions["run"]>): Promise<ChildEnd> {
    const begun = this.#rowsOf(call).find((one) => one.place === place);
    if (begun === undefined && spec.begins === false) return notBegun("no_agent", this.#nameOf(spec));
    const told = this.#endNow(begun);
    if (told !== undefined) {
      checkGoesOn();
      return told;
    }
    const own = this.#sideBySide.enter(call, spec.atOnce);
    try {
      if (begun === undefined || !this.#stands(begun)) await own.begins(begun === undefined, signal);
      checkGoesOn();
      const row = begun ?? (await this.#begin(call, place, spec, signal));
      if (typeof row === "string") return notBegun(row, this.#nameOf(spec));
      for (;;) {
        const end = this.#stands(row) ? undefined : await this.#goOn(row, signal);
        if (end !== undefined) return end;
        if (!(await own.asks(row.id, signal))) throw new ChildWaits(endings.helperWaits({ helper: agentOf(row) }));
        checkGoesOn();
      }
    } finally {
      own.left();
    }
  }

  /** Lets the questions of those that wait, asked at rest, stay asked while others of their call go on. @returns their calls that wait */
  standStill(): { session: string; call: ToolCallInfo }[] {
    const waiting = this.openCalls().filter(({ call: { status } }) => isAsked.has(status));
    this.#standing = new Set(waiting.map(({ session }) => session));
    return waiting;
  }

  /** It was asked about before this run, and is not answered. */
  #stands({ id }: ChildRow): boolean {
    if (!this.#standing.has(id)) return false;
    const stands = !this.works(id) && this.of(id)?.waitsFor() !== undefined;
    if (!stands) this.#standing.delete(id);
    return stands;
  }

  /** Drives it from where it stands. @returns undefined where it asks */
  async #goOn(row: ChildRow, signal: AbortSignal): Promise<ChildEnd | undefined> {
    // Behind a run of it that was given up and is being left, and behind a stop.
    for (let busy = this.#busy(row); busy !== undefined; busy = this.#busy(row)) await busy;
    if (this.#isOver(row)) return this.#endOf(row);
    const stop = new AbortController();
    const work = this.#drive(row, signal, stop.signal);
    this.#driven.set(row.id, { stop, work });
    const end = await work.finally(() => this.#driven.delete(row.id));
    await this.#stopping.get(row.id);
    if (end.kind !== "ended" && this.#isOver(row)) return this.#endOf(row);
    if (end.kind === "asks") return undefined;
    if (isLeft(signal)) throw new TurnLeft();
    if (end.kind === "ended") return this.#endOf(row, end.reason);
    throw new ChildUnfinished(endings.helperStays({ helper: agentOf(row) }), { cause: end.error });
  }

  readonly #busy = ({ id }: ChildRow): Promise<unknown> | undefined =>
    this.#driven.get(id)?.work.catch(() => undefined) ?? this.#stopping.get(id);

  /** Tells whether some ask the person while others of their call work. */
  readonly askBeside = (): boolean => this.#sideBySide.isAsking;

  /** Something was said to it: where it has nothing more to ask of that kind it goes on, beside the others of its call. */
  said(id: string, waited: TurnReason | undefined): void {
    const now = this.of(id)?.waitsFor();
    if (now === undefined || now !== waited) this.#sideBySide.wake(id);
  }

  /** Lists the usage of the children of a turn's calls, in their order. */
  took(turn: number): HelperTook[] {
    const { store } = this.#parent;
    return this.#rowsIn(turn).map((row) => tookIn(store.readJournal(row.id), row));
  }

  /** Tells whether a call of theirs was denied, by a person or by policy. */
  hasDenied(turn: number): boolean {
    const { store } = this.#parent;
    return this.#rowsIn(turn).some((row) => store.readJournal(row.id).allCalls().some(isDenied));
  }

  #rowsIn(turn: number): ChildRow[] {
    const { journal } = this.#parent;
    const rows = this.#all();
    if (rows.length === 0) return [];
    const steps = journal.steps().filter(({ id }) => id.turn === turn);
    const calls = new Set(steps.flatMap(({ id }) => journal.callsOf(id)).map(({ callId }) => callId));
    return rows.filter(({ call }) => calls.has(call));
  }

  readonly atRest = (call: string): Promise<void> => this.#sideBySide.atRest(call);

  readonly leave = (call: string): Promise<void> => this.#sideBySide.leave(call);

  async planAgain(call: string, signal: AbortSignal): Promise<void> {
    const asking = signal.aborted ? [] : this.#asking().filter(({ row }) => row.call === call);
    for (const { row, session } of asking)
      await session.planAgain(signal).catch((error: unknown) => {
        // A stop has ended it meanwhile.
        if (!this.#stopping.has(row.id) && this.of(row.id) !== undefined) throw error;
      });
  }

  canGoOn(call: string): boolean {
    return this.#staying().some(({ row, session }) => row.call === call && session.waitsFor() === undefined);
  }

  readonly hasBegun = (call: string): boolean => this.#rowsOf(call).length > 0;

  waiting(call: string): WaitingChild[] {
    return this.#staying().flatMap(({ row, session }): WaitingChild[] => {
      const reason = row.call === call ? session.waitsFor() : undefined;
      if (reason === undefined) return [];
      return [{ session: row.id, asks: reason === "awaiting_recovery" ? "recovery" : "approval" }];
    });
  }

  openCalls(): { session: string; call: ToolCallInfo }[] {
    return this.#staying().flatMap(({ row, session }) =>
      session.journal.openCalls().map((call) => ({ session: row.id, call })),
    );
  }

  async approvals(): Promise<WaitingCall[]> {
    const asked = this.#asking().map(async ({ row, session }) =>
      (await session.approvals()).map((call) => ({ ...call, agent: agentOf(row) })),
    );
    return (await Promise.all(asked)).flat();
  }

  recoveries(): UnsettledCall[] {
    return this.#asking().flatMap(({ row, session }) =>
      session.recoveries().map((call) => ({ ...call, agent: agentOf(row) })),
    );
  }

  async end(call: string, cause: EndedWith): Promise<ChildEnd[]> {
    const rows = this.#rowsOf(call);
    for (const row of rows) await this.#endAlone(row, cause);
    return rows.map((row) => this.#endOf(row));
  }

  /** Ends this one where it is, with all that is open in it, and no other one. @returns why it cannot be, in words */
  async stop(id: string): Promise<string | undefined> {
    const row = this.#all().find((one) => one.id === id);
    if (row === undefined) return refusals.noHelper({ session: this.#parent.journal.session, helper: id });
    if (this.#isOver(row)) return refusals.helperEnded({ helper: id });
    await this.#endAlone(row, byPerson("stopped"));
    this.#sideBySide.wake(id);
    return undefined;
  }

  async endAt(call: string, place: number, cause: EndedWith): Promise<ChildEnd | undefined> {
    const row = this.#rowsOf(call).find((one) => one.place === place);
    if (row === undefined) return undefined;
    await this.#endAlone(row, cause);
    return this.#endOf(row);
  }

  async #endAlone(row: ChildRow, cause: EndedWith): Promise<void> {
    const stopping = this.#stopping.get(row.id) ?? this.#stopOne(row, cause);
    this.#stopping.set(row.id, stopping);
    await stopping.finally(() => this.#stopping.delete(row.id));
  }

  async #stopOne(row: ChildRow, cause: EndedWith): Promise<void> {
    const driven = this.#driven.get(row.id);
    driven?.stop.abort(new Error(endings.stopped));
    await driven?.work.catch(() => undefined);
    await this.#leave(row, cause);
  }

  async #leave(row: ChildRow, cause: EndedWith): Promise<void> {
    if (this.#isOver(row)) return;
    // One that cannot be opened is left as it is: nobody drives it any more.
    const session = await this.#opened(row).catch(() => undefined);
    if (session === undefined) return;
    await this.#outside.runInAsyncScope(() => session.leaveTurns(new AbortController().signal, cause));
    await session.journal.setState("idle");
    await this.#ended(row, session, { reason: "cancelled" });
  }

  async notePublished(session: string, calls: readonly { callId: string; digest: string }[]): Promise<void> {
    await this.of(session)?.journal.notePublished(calls);
  }

  /** The child of that id, while it is open. */
  of(session: string): ChildSession | undefined {
    return this.#open.get(session)?.session;
  }

  journalOf(session: string): JournalReading | undefined {
    const open = this.of(session);
    if (open !== undefined) return open.journal;
    const { store, journal } = this.#parent;
    return store.sessions.get(session)?.parent === journal.session ? store.readJournal(session) : undefined;
  }

  readonly all = (): ChildSession[] => this.#sessions().map(({ session }) => session);

  /** Ends their tools and gives their leases back, before their parent's. @throws the first of what they throw */
  async close(): Promise<void> {
    const closed = await Promise.allSettled(this.all().map((session) => session.close()));
    this.#open.clear();
    this.#outside.emitDestroy();
    const failed = closed.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  /** Those of which the person can be asked something. */
  readonly #staying = () => this.#sessions().filter(({ row }) => !this.#stopping.has(row.id));

  /** Those whose graphs have come to rest: what they ask is all that they ask. */
  readonly #asking = () => this.#staying().filter(({ row }) => !this.#driven.has(row.id));

  /** Tells whether it works, and so cannot be told anything. */
  readonly works = (id: string): boolean => this.#driven.has(id) || this.#stopping.has(id);

  /** In the order of their calls and places. */
  #sessions(): { row: ChildRow; session: ChildSession }[] {
    const at = ({ row }: { row: ChildRow }): number => Number(row.call.slice(1));
    return [...this.#open.values()].toSorted((a, b) => at(a) - at(b) || a.row.place - b.row.place);
  }

  readonly #all = (): ChildRow[] => this.#parent.store.sessions.children(this.#parent.journal.session);

  readonly #rowsOf = (call: string): ChildRow[] =>
    this.#parent.store.sessions.children(this.#parent.journal.session, call);

  readonly #isOver = ({ id }: ChildRow): boolean => isOver(this.#parent.store.readJournal(id));

  readonly #endNow = (row: ChildRow | undefined): ChildEnd | undefined =>
    row !== undefined && this.#isOver(row) && this.#busy(row) === undefined ? this.#endOf(row) : undefined;

  #endOf(row: ChildRow, reason?: TurnReason): ChildEnd {
    return childEnd(this.#parent.store.readJournal(row.id), row, reason);
  }

  /** The name that one begun with this has, or would have. */
  #nameOf({ agent, continues }: ChildSpec): string {
    return childName({ agent: agent ?? this.#all().find(({ id }) => id === continues)?.spec["agent"] });
  }

  /** @returns which limit of the turn is reached by now, where one is */
  async #begin(call: string, place: number, spec: ChildSpec, signal: AbortSignal): Promise<ChildRow | LimitReached> {
    const { store, journal, opening, settings, limits } = this.#parent;
    const { model } = settings();
    signal.throwIfAborted();
    const reached = limits()?.reached(model);
    if (reached !== undefined) return reached;
    const earlier = spec.continues === undefined ? undefined : endedChild(this.#all(), this.#isOver, spec.continues);
    const { task, tools, kind, goal } = spec;
    checkSpec(spec);
    const rights = await this.#rights(call);
    const given = { ...earlier?.spec, goal, ...spec, ...(tools && { tools: [...tools] }), atOnce: undefined, rights };
    const kept = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as unknown as JsonObject;
    const parent = journal.session;
    const row: ChildRow = { id: `${parent}@${ownName(kind, call, place)}`, parent, call, place, spec: kept };
    const text = earlier === undefined ? task : `${task}\n\n${earlierTalk(store, earlier)}`;
    const turn = { ...newTurn({ text, isTask: true }), queued: false };
    await store.beginChild({ ...row, workspace: opening.workspace, model: model.spec }, turn);
    const works = goalWork(kept);
    this.#emit(row, {
      type: "session_started",
      model: model.spec,
      workspace: opening.workspace,
      mode: rights.mode,
      ...(works && { works }),
    });
    this.#emit(row, { type: "user_message", id: String(turn.message.id), text: task });
    return row;
  }

  /** Those of the session now, and no more than what an earlier child of this call was begun with: that was nearer to the call's own time. */
  #rights(call: string): Promise<Rights> {
    const [first] = this.#rowsOf(call);
    return this.#parent.rights(first && rightsIn(first));
  }

  async #drive(row: ChildRow, signal: AbortSignal, alone: AbortSignal): Promise<RunEnd> {
    const session = await this.#opened(row).catch((error: unknown) => {
      if (failureOf(error).mendable) return { kind: "stays", error } as const;
      throw error;
    });
    if ("kind" in session) return session;
    const joined = joinSignals([signal, alone]);
    const end = await this.#outside.runInAsyncScope(() => session.goOn(joined.signal)).finally(joined.release);
    if (end.kind === "ended" && !isLeft(signal)) await this.#ended(row, session, end);
    return end;
  }

  async #ended(row: ChildRow, session: ChildSession, end: { reason: TurnReason; exitCode?: number }): Promise<void> {
    this.#emit(row, session.turnEnded({ ...end, leaving: false }));
    this.#open.delete(row.id);
    this.#opening.delete(row.id);
    // That its tools fail as they end ends nothing else.
    await session.close().catch(() => undefined);
  }

  #emit(row: ChildRow, body: AgentEventBody): void {
    this.#parent.opening.emit(body, undefined, { session: row.id, parent: row.parent, agent: agentOf(row) });
  }

  #opened(row: ChildRow): Promise<ChildSession> {
    const known = this.#opening.get(row.id);
    if (known !== undefined) return known;
    const opening = this.#outside.runInAsyncScope(() => this.#parent.open(row));
    this.#opening.set(row.id, opening);
    return opening.then(
      (session) => {
        this.#open.set(row.id, { row, session });
        return session;
      },
      (error: unknown) => {
        this.#opening.delete(row.id);
        throw error;
      },
    );
  }
}
