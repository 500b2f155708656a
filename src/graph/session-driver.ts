import type { Mode } from "../policy/types.ts";
import type { TurnRow } from "../store/types.ts";
import { faultPoint } from "../tools/fault-point.ts";
import type { EventStream } from "./event-stream.ts";
import type { AgentEvent, RecoveryChoice, TurnReason } from "./events.ts";
import type { Live } from "./live.ts";
import { failed, runTurn } from "./run-turn.ts";
import type { AnswerOutcome, CallDecision, Session, UndoOutcome, UndoTarget } from "./session.ts";
import { openCallsOf, turnEnded, whatIsLeft } from "./standing.ts";

/** What a driver is made of. `open` takes the lease and builds the graph; it is called once, at the first need. */
export interface Driven {
  id: string;
  workspace: string;
  mode: Mode;
  stream: EventStream;
  open(): Promise<Live>;
  openModel(spec: string): Promise<Live["runtime"]["model"]>;
  /** Before `open`: which model it will take. */
  chooseModel(spec: string): void;
  dispose(): Promise<void>;
}

/** Drives one session: operations one after another, one run of the graph at a time. */
export class SessionDriver implements Session {
  readonly #parts: Driven;
  #mode: Mode;
  #opened: Promise<Live> | undefined;
  #running: Promise<void> | undefined;
  #operations: Promise<unknown> = Promise.resolve();
  #controller = new AbortController();
  #closed = false;
  #closing: Promise<void> | undefined;
  /** The run has asked the person and is about to end. */
  #pausing = false;
  /** The person wants what runs to end: what an operation under way would begin ends at once too. */
  #stopping = false;
  /** A turn is under way whose `turn_ended` has not been said. */
  #turnOpen = false;
  /** Digests as they were published before this process opened the session; null for a call that was never shown. */
  readonly #published = new Map<string, string | null>();

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
      const busy = this.#running !== undefined;
      if (!busy) await this.#leaveTurn(live);
      const turn = await journal.addTurn({ text, message: live.messageOf(text), queued: busy, title: titleOf(text) });
      live.runtime.emit({ type: "user_message", id: turn.messageId, text, ...(busy ? { queued: true } : {}) });
      if (!busy) this.#start(live, "turn", turn);
    });
  }

  answer(callId: string, decision: CallDecision): Promise<AnswerOutcome> {
    return this.#oneByOne(async () => {
      const live = await this.#open();
      if (this.#pausing) await this.#running;
      if (this.#running !== undefined) return notWaiting(callId);
      const published = this.#published.get(callId);
      if (published === null && decision.decision === "approve" && decision.digest === undefined)
        return neverShown(callId);
      const answered = await live.answer(callId, decision, published ?? undefined);
      if (!answered.outcome.ok) return answered.outcome;
      if (decision.decision === "edit") this.#published.delete(callId);
      if (this.#waits(live)) {
        if (answered.changes.size > 0) await live.askPerson(answered.changes);
      } else this.#start(live, "resume");
      return answered.outcome;
    });
  }

  recover(callId: string, choice: RecoveryChoice): Promise<AnswerOutcome> {
    return this.#oneByOne(async () => {
      const live = await this.#open();
      if (this.#pausing) await this.#running;
      if (this.#running !== undefined) return notWaiting(callId);
      const outcome = await live.recover(callId, choice);
      if (outcome.ok && openCallsOf(live).interrupted === 0) this.#start(live, "resume");
      return outcome;
    });
  }

  undo(target: UndoTarget): Promise<UndoOutcome> {
    return this.#oneByOne(async () => {
      if (this.#opened === undefined) return { ok: false, message: "this session has changed nothing yet" };
      const live = await this.#open();
      if (this.#pausing) await this.#running;
      if (this.#running !== undefined) return { ok: false, message: "the agent is working: stop it, or wait" };
      const chosen = live.undo(target);
      if (!chosen.ok) return chosen;
      await this.#leaveTurn(live);
      const { calls, text, message } = chosen;
      const turn = await live.runtime.journal.addTurn({ text, message, queued: false });
      live.runtime.emit({ type: "user_message", id: turn.messageId, text });
      this.#start(live, "turn", turn);
      return { ok: true, calls };
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    try {
      await this.#endRun("stopped by the person");
      await this.#sayWaiting();
    } finally {
      this.#stopping = false;
      const live = await this.#opened?.catch(() => undefined);
      if (live !== undefined && this.#running === undefined) this.#renewSignal(live);
    }
  }

  setMode(mode: Mode): void {
    this.#mode = mode;
    this.#opened?.then(
      (live) => {
        live.runtime.mode = mode;
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
      live.runtime.model = model;
    });
  }

  async settled(): Promise<void> {
    for (;;) {
      const operations = this.#operations;
      await operations.catch(() => undefined);
      await this.#running;
      if (operations === this.#operations && this.#running === undefined) return;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#closed = true;
    this.#opened?.then(
      (live) => {
        live.runtime.leaving = true;
      },
      () => undefined,
    );
    await this.#endRun("the session is being closed");
    try {
      await this.#sayWaiting();
      faultPoint("before session closed");
      (await this.#opened?.catch(() => undefined))?.lease.release();
      await this.#parts.dispose();
      faultPoint("after session closed");
    } finally {
      this.#parts.stream.end();
    }
  }

  /** Says what was, then goes on: with the question that waits, the work that was cut off, or what was queued. */
  restore(): Promise<void> {
    return this.#oneByOne(async () => {
      const live = await this.#open();
      const { journal, emit } = live.runtime;
      const open = journal.openCalls();
      for (const call of open) {
        if (call.status !== "awaiting_approval") continue;
        this.#published.set(call.callId, journal.publishedDigest(call.callId) ?? null);
      }
      emit({
        type: "session_restored",
        model: live.runtime.model.spec,
        workspace: this.workspace,
        mode: this.#mode,
        messages: live.transcript(),
        waiting: open.filter((call) => call.status === "awaiting_approval").map((call) => call.callId),
        interrupted: open.filter((call) => call.status === "interrupted").map((call) => call.callId),
      });
    });
  }

  /** Goes on with what `restore` found. @returns false when nothing was left to do. */
  proceed(): Promise<boolean> {
    return this.#oneByOne(async () => {
      const live = await this.#open();
      this.#turnOpen = true;
      try {
        return await this.#goOn(live);
      } catch (error) {
        await this.#sayFailed(live, error);
        return false;
      }
    });
  }

  async #goOn(live: Live): Promise<boolean> {
    const left = whatIsLeft(live);
    if (left.kind === "wait") {
      await live.askAgain();
      if (!this.#waits(live)) this.#start(live, "resume");
    } else if (left.kind === "run") this.#start(live, left.how, left.turn);
    else {
      if (left.turn !== undefined) await live.runtime.journal.setTurn(left.turn.turn, "done", "done");
      await live.runtime.journal.setState("idle");
      this.#sayEnded(live, "done");
      return this.#startQueued(live);
    }
    return true;
  }

  #oneByOne<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.#operations.catch(() => undefined).then(operation);
    this.#operations = result.catch(() => undefined);
    return result;
  }

  #open(): Promise<Live> {
    this.#opened ??= this.#parts.open().then((live) => {
      live.runtime.mode = this.#mode;
      live.lease.lost.addEventListener("abort", () => void this.#taken(live), { once: true });
      return live;
    });
    this.#opened.catch(() => {
      this.#opened = undefined;
    });
    return this.#opened;
  }

  /** Another process drives the session now: what runs here ends, and fails to write its end. */
  async #taken(live: Live): Promise<void> {
    const { reason } = live.lease.lost;
    const told = this.#running !== undefined;
    this.#controller.abort(reason);
    if (!told && !this.#closed) await this.#sayFailed(live, reason);
  }

  /** Some call needs the person's word. */
  #waits(live: Live): boolean {
    return openCallsOf(live).waiting + openCallsOf(live).interrupted > 0;
  }

  #start(live: Live, how: "turn" | "resume" | "again", turn?: TurnRow): void {
    this.#turnOpen = true;
    this.#pausing = false;
    this.#renewSignal(live);
    if (this.#stopping || this.#closed) this.#controller.abort(new Error("stopped before it began"));
    live.runtime.leaving = this.#closed;
    live.runtime.budget = { taken: 0, max: live.runtime.maxSteps };
    this.#running = this.#drive(live, how, turn).finally(() => {
      this.#running = undefined;
      if (!this.#closed && !this.#turnOpen) void this.#oneByOne(() => this.#startQueued(live)).catch(() => undefined);
    });
  }

  #renewSignal(live: Live): void {
    this.#controller = new AbortController();
    live.runtime.signal = this.#controller.signal;
  }

  /** Ends what runs and what the operations under way would begin. */
  async #endRun(why: string): Promise<void> {
    this.#controller.abort(new Error(why));
    await this.#operations.catch(() => undefined);
    await this.#running;
  }

  async #startQueued(live: Live): Promise<boolean> {
    if (this.#running !== undefined || this.#closed) return false;
    const queued = live.runtime.journal.turns().find((turn) => turn.state === "queued");
    if (queued === undefined) return false;
    await this.#leaveTurn(live);
    await live.runtime.journal.setTurn(queued.turn, "running");
    live.runtime.emit({ type: "user_message", id: queued.messageId, text: queued.text });
    this.#start(live, "turn", queued);
    return true;
  }

  async #drive(live: Live, how: "turn" | "resume" | "again", turn?: TurnRow): Promise<void> {
    const end = await runTurn(live, how, turn);
    if (end.kind === "ended") return this.#sayEnded(live, end.reason, end.exitCode);
    this.#pausing = true;
    try {
      await live.askPerson(end.changes);
    } catch (error) {
      await this.#sayFailed(live, error);
    }
  }

  async #sayFailed(live: Live, error: unknown): Promise<void> {
    const end = await failed(live, error);
    if (end.kind === "ended") this.#sayEnded(live, end.reason, end.exitCode);
  }

  async #leaveTurn(live: Live): Promise<void> {
    const { journal } = live.runtime;
    this.#turnOpen = false;
    for (const running of journal.turns().filter((turn) => turn.state === "running")) {
      await live.leaveTurn(running.turn);
      await journal.setTurn(running.turn, "done", running.reason ?? "superseded");
    }
  }

  /** Leaving while calls wait: they stay, and the stream's last word says so. */
  async #sayWaiting(): Promise<void> {
    const live = await this.#opened?.catch(() => undefined);
    if (live === undefined || !this.#turnOpen) return;
    const { waiting, interrupted } = openCallsOf(live);
    if (interrupted > 0) this.#sayEnded(live, "awaiting_recovery");
    else if (waiting > 0) this.#sayEnded(live, "awaiting_approval");
  }

  #sayEnded(live: Live, reason: TurnReason, exitCode?: number): void {
    if (!this.#turnOpen) return;
    this.#turnOpen = reason === "awaiting_approval" || reason === "awaiting_recovery" ? !this.#closed : false;
    live.runtime.emit(turnEnded(live, reason, exitCode));
  }
}

const notWaiting = (callId: string): AnswerOutcome => ({
  ok: false,
  code: "not_waiting",
  message: `call ${callId} does not wait: the agent is working`,
});

const neverShown = (callId: string): AnswerOutcome => ({
  ok: false,
  code: "stale",
  message: `call ${callId} was never shown: look at it, then approve it`,
});

/** The first line of the prompt, short enough for a list. */
function titleOf(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
