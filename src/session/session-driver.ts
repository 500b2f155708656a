import { faultPoint } from "../core/fault-point.ts";
import type { AnswerOutcome, CallDecision } from "../graph/decisions.ts";
import type { AgentEvent, RecoveryChoice } from "../graph/events.ts";
import { titleOf } from "../graph/talk/message-text.ts";
import type { Model } from "../model/port.ts";
import type { Mode } from "../policy/types.ts";
import type { UndoTarget } from "../records/undo.ts";
import { undoUnderWay } from "../records/undo.ts";
import type { EventStream } from "./event-stream.ts";
import type { Live } from "./live.ts";
import type { Session, UndoOutcome } from "./session.ts";
import { TurnRunner, waits } from "./turn-runner.ts";
import { openCallsOf, runningTurn } from "./unfinished-work.ts";

/** What a driver is made of. `open` takes the lease and builds the graph; it is called once, at the first need. */
export interface Driven {
  id: string;
  workspace: string;
  mode: Mode;
  stream: EventStream;
  open(): Promise<Live>;
  openModel(spec: string): Promise<Model>;
  /** Before `open`: which model it will take. */
  chooseModel(spec: string): void;
  dispose(): Promise<void>;
}

/** Drives one session: operations one after another, one run of the graph at a time. */
export class SessionDriver implements Session {
  readonly #parts: Driven;
  #mode: Mode;
  #opened: Promise<Live> | undefined;
  #operations: Promise<unknown> = Promise.resolve();
  readonly #turns = new TurnRunner((operation) => this.#oneByOne(operation));
  #closing: Promise<void> | undefined;
  /** Digests as they were published before this process opened the session; null for a call that was never shown. */
  readonly #published = new Map<string, string | null>();
  #restored = false;

  constructor(parts: Driven) {
    this.#parts = parts;
    this.#mode = parts.mode;
  }

  get id(): string {
    return this.#parts.id;
  }

  get workspace(): string {
    return this.#parts.workspace;
  }

  events(): AsyncIterable<AgentEvent> {
    return this.#parts.stream.events();
  }

  submit(text: string): Promise<void> {
    return this.#oneByOne(async () => {
      const live = await this.#open();
      const { journal } = live.runtime;
      const waitsBehind = this.#turns.busy || journal.turns().some((turn) => turn.state === "queued");
      // Durable before anything of an older turn is given up for it, and answered in the order of the messages.
      const message = live.messageOf(text);
      const turn = await journal.addTurn({ text, message, queued: true, title: titleOf(text) });
      if (waitsBehind) live.runtime.emit({ type: "user_message", id: turn.messageId, text, queued: true });
      await this.#turns.startQueued(live);
    });
  }

  answer(callId: string, decision: CallDecision): Promise<AnswerOutcome> {
    return this.#oneByOne(async () => {
      const live = await this.#open();
      await this.#turns.settleQuestion();
      if (this.#turns.busy) return notWaiting(callId);
      const published = this.#published.get(callId);
      if (published == null && namesNoDigest(decision) && this.#unseen(live, callId)) return neverShown(callId);
      const { outcome, changes } = await live.answer(callId, decision, published ?? undefined);
      if (!outcome.ok) return outcome;
      if (decision.decision === "edit") this.#noteEdited(live, callId);
      if (!waits(live)) this.#turns.start(live, "resume");
      else if (changes.size > 0) await live.askPerson(changes);
      return outcome;
    });
  }

  /** A call that waits in a session which was opened again: only what an earlier process showed can be meant without a digest. */
  #unseen(live: Live, callId: string): boolean {
    return this.#restored && live.runtime.journal.call(callId)?.status === "awaiting_approval";
  }

  /** The flag that edits may be followed by one that approves the edited call. */
  #noteEdited(live: Live, callId: string): void {
    const edited = live.runtime.journal.call(callId);
    if (edited?.status === "awaiting_approval") this.#published.set(callId, edited.digest);
  }

  recover(callId: string, choice: RecoveryChoice): Promise<AnswerOutcome> {
    return this.#oneByOne(async () => {
      const live = await this.#open();
      await this.#turns.settleQuestion();
      if (this.#turns.busy) return notWaiting(callId);
      const outcome = await live.recover(callId, choice);
      if (outcome.ok && openCallsOf(live).interrupted === 0) this.#turns.start(live, "resume");
      return outcome;
    });
  }

  undo(target: UndoTarget): Promise<UndoOutcome> {
    return this.#oneByOne(async () => {
      if (this.#opened === undefined) return { ok: false, message: "this session has changed nothing yet" };
      const live = await this.#open();
      await this.#turns.settleQuestion();
      if (this.#turns.busy) return { ok: false, message: "the agent is working: stop it, or wait" };
      const underWay = "turn" in target && target.turn === "last" ? undoUnderWay(live.runtime.journal) : undefined;
      if (underWay !== undefined) {
        await this.#turns.proceed(live);
        return { ok: true, calls: underWay };
      }
      const chosen = live.undo(target);
      if (!chosen.ok) return chosen;
      const unheard = runningTurn(live);
      if (unheard !== undefined && unheard.turn > live.standing().values.turn) return notAnswered;
      await this.#turns.leaveTurn(live);
      const { calls, text, message } = chosen;
      const turn = await live.runtime.journal.addTurn({ text, message, queued: false });
      live.runtime.emit({ type: "user_message", id: turn.messageId, text });
      this.#turns.start(live, "turn", turn);
      return { ok: true, calls };
    });
  }

  async stop(): Promise<void> {
    await this.#turns.halt("stopping", "stopped by the person", this.#operations);
    const live = await this.#opened?.catch(() => undefined);
    if (live !== undefined) this.#turns.sayWaiting(live);
    this.#turns.release(live);
  }

  setMode(mode: Mode): void {
    this.#mode = mode;
    this.#opened?.then(
      (live) => {
        live.settings = { ...live.settings, mode };
      },
      () => undefined,
    );
  }

  setModel(spec: string): Promise<void> {
    return this.#oneByOne(async () => {
      const model = await this.#parts.openModel(spec);
      if (this.#opened === undefined) {
        this.#parts.chooseModel(spec);
        return;
      }
      const live = await this.#opened;
      await live.runtime.journal.setModel(spec);
      live.settings = { ...live.settings, model };
    });
  }

  async settled(): Promise<void> {
    for (;;) {
      const operations = this.#operations;
      await operations.catch(() => undefined);
      await this.#turns.idle;
      if (operations === this.#operations && !this.#turns.busy) return;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#turns.halt("leaving", "the session is being closed", this.#operations);
    try {
      const live = await this.#opened?.catch(() => undefined);
      if (live !== undefined) this.#turns.sayWaiting(live);
      faultPoint("before session closed");
      live?.lease.release();
      await this.#parts.dispose();
      faultPoint("after session closed");
    } finally {
      this.#parts.stream.end();
    }
  }

  /** Says what was, then goes on: with the question that waits, the work that was cut off, or what was queued. */
  restore(most?: number): Promise<void> {
    return this.#oneByOne(async () => {
      const live = await this.#open();
      const { journal, emit } = live.runtime;
      const open = journal.openCalls();
      this.#restored = true;
      for (const call of open) {
        if (call.status !== "awaiting_approval") continue;
        this.#published.set(call.callId, journal.publishedDigest(call.callId) ?? null);
      }
      const { transcript, earlier } = live.transcript(most);
      const used = live.contextUsed();
      const window = live.settings.model.contextWindow;
      emit({
        type: "session_restored",
        model: live.settings.model.spec,
        workspace: this.workspace,
        mode: this.#mode,
        messages: transcript,
        ...(earlier === 0 ? {} : { earlier }),
        waiting: open.filter((call) => call.status === "awaiting_approval").map((call) => call.callId),
        interrupted: open.filter((call) => call.status === "interrupted").map((call) => call.callId),
        ...(used === undefined
          ? {}
          : { contextUsed: used, ...(window === undefined ? {} : { contextWindow: window }) }),
      });
      for (const { messageId, text } of journal.turns().filter((turn) => turn.state === "queued"))
        emit({ type: "user_message", id: messageId, text, queued: true });
    });
  }

  /** Goes on with what `restore` found. @returns false when nothing was left to do. */
  proceed(): Promise<boolean> {
    return this.#oneByOne(async () => {
      const live = await this.#open();
      return this.#turns.proceed(live);
    });
  }

  #oneByOne<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.#operations.catch(() => undefined).then(operation);
    this.#operations = result.catch(() => undefined);
    return result;
  }

  #open(): Promise<Live> {
    this.#opened ??= this.#parts.open().then((live) => {
      live.settings = { ...live.settings, mode: this.#mode };
      live.lease.lost.addEventListener("abort", () => void this.#turns.taken(live), { once: true });
      return live;
    });
    this.#opened.catch(() => {
      this.#opened = undefined;
    });
    return this.#opened;
  }
}

const notWaiting = (callId: string): AnswerOutcome => ({
  ok: false,
  code: "not_waiting",
  message: `call ${callId} does not wait: the agent is working`,
});

const notAnswered: UndoOutcome = {
  ok: false,
  message: "your last message has not been answered yet: go on with the session first",
};

const namesNoDigest = (decision: CallDecision): boolean =>
  decision.decision === "approve" && decision.digest === undefined;

const neverShown = (callId: string): AnswerOutcome => ({
  ok: false,
  code: "stale",
  message: `call ${callId} was never shown: look at it, then approve it`,
});
