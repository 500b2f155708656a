import { randomUUID } from "node:crypto";
import { HumanMessage } from "@langchain/core/messages";
import type { Mode } from "../policy/types.ts";
import type { TurnRow } from "../store/types.ts";
import type { AgentEvent, RecoveryChoice, TurnReason } from "./events.ts";
import type { EventStream } from "./event-stream.ts";
import { answerCall } from "./answers.ts";
import { settleUnseen } from "./evidence.ts";
import type { Live } from "./live.ts";
import { givenUp } from "./observation-text.ts";
import { recoverCall } from "./recover.ts";
import { replan } from "./replan.ts";
import type { AnswerOutcome, CallDecision, Session } from "./session.ts";
import { stepIdOf } from "./state.ts";
import { textOf, transcriptOf } from "./transcript.ts";
import { cancel, record } from "./transitions.ts";
import { countCalls, exitCodeOf, type Failure, failureOf, reasonOf } from "./turn-end.ts";
import { type Change, presentUnsettled, presentWaiting } from "./waiting.ts";

/** What a driver is made of. `open` takes the lease and builds the graph; it is called once, at the first need. */
export interface Driven {
  id: string;
  workspace: string;
  mode: Mode;
  maxSteps: number;
  stream: EventStream;
  open(): Promise<Live>;
  openModel(spec: string): Promise<Live["runtime"]["model"]>;
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
  /** The run has asked the person and is about to end. */
  #pausing = false;
  /** A turn is under way whose `turn_ended` has not been said. */
  #turnOpen = false;
  /** Digests as they were published before this process opened the session. */
  readonly #published = new Map<string, string>();

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
      if (!busy) await this.#leaveOldTurn(live);
      const first = journal.turns().length === 0;
      const message = new HumanMessage({ id: `u${randomUUID().slice(0, 8)}`, content: text });
      const turn = await journal.addTurn({ text, message, queued: busy });
      if (first) await journal.setTitle(titleOf(text));
      live.runtime.emit({ type: "user_message", id: turn.messageId, text, ...(busy ? { queued: true } : {}) });
      if (!busy) this.#start(live, "turn", turn);
    });
  }

  answer(callId: string, decision: CallDecision): Promise<AnswerOutcome> {
    return this.#oneByOne(async () => {
      const live = await this.#open();
      if (this.#pausing) await this.#running;
      if (this.#running !== undefined) return notWaiting(callId);
      const stepId = stepIdOf(live.standing().values);
      const answered = await answerCall(live.runtime, stepId, callId, decision, this.#published.get(callId));
      if (!answered.outcome.ok) return answered.outcome;
      if (decision.decision === "edit") this.#published.delete(callId);
      if (this.#someWait(live)) {
        if (answered.changes.size > 0) await this.#askPerson(live, answered.changes);
      } else this.#start(live, "resume");
      return answered.outcome;
    });
  }

  recover(callId: string, choice: RecoveryChoice): Promise<AnswerOutcome> {
    return this.#oneByOne(async () => {
      const live = await this.#open();
      if (this.#pausing) await this.#running;
      if (this.#running !== undefined) return notWaiting(callId);
      const outcome = await recoverCall(live.runtime, callId, choice);
      if (outcome.ok && !this.#someInterrupted(live)) this.#start(live, "resume");
      return outcome;
    });
  }

  async stop(): Promise<void> {
    this.#controller.abort(new Error("stopped by the person"));
    await this.#running;
    await this.#sayWaiting();
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
      const live = await this.#open();
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

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#controller.abort(new Error("the session is being closed"));
    await this.#operations.catch(() => undefined);
    await this.#running;
    try {
      await this.#sayWaiting();
      (await this.#opened?.catch(() => undefined))?.lease.release();
      await this.#parts.dispose();
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
      for (const call of open) if (call.status === "awaiting_approval") this.#published.set(call.callId, call.digest);
      emit({
        type: "session_restored",
        model: live.runtime.model.spec,
        workspace: this.workspace,
        mode: this.#mode,
        messages: transcriptOf(live.standing().values.messages, journal),
        waiting: open.filter((call) => call.status === "awaiting_approval").map((call) => call.callId),
        interrupted: open.filter((call) => call.status === "interrupted").map((call) => call.callId),
      });
    });
  }

  /** Goes on with what `restore` found. @returns false when nothing was left to do. */
  proceed(): Promise<boolean> {
    return this.#oneByOne(async () => {
      const live = await this.#open();
      const { journal } = live.runtime;
      const { waits, next, values } = live.standing();
      const unfinished = journal.turns().find((turn) => turn.state === "running");
      if (waits && (this.#someWait(live) || this.#someInterrupted(live))) {
        this.#turnOpen = true;
        await this.#askAgain(live);
        if (!this.#someWait(live) && !this.#someInterrupted(live)) this.#start(live, "resume");
      } else if (next.length > 0) this.#start(live, "resume");
      else if (unfinished !== undefined && values.turn < unfinished.turn) this.#start(live, "turn", unfinished);
      else if (unfinished !== undefined && unfinished.reason !== undefined) this.#start(live, "again");
      else if (unfinished !== undefined) {
        this.#turnOpen = true;
        await this.#endTurn(live, "done");
        return this.#startQueued(live);
      } else if (!(await this.#startQueued(live))) {
        this.#turnOpen = true;
        this.#sayEnded(live, "done");
        return false;
      }
      return true;
    });
  }

  #oneByOne<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.#operations.catch(() => undefined).then(operation);
    this.#operations = result.catch(() => undefined);
    return result;
  }

  #open(): Promise<Live> {
    this.#opened ??= this.#parts.open().then((live) => {
      live.runtime.mode = this.#mode;
      return live;
    });
    this.#opened.catch(() => {
      this.#opened = undefined;
    });
    return this.#opened;
  }

  #someWait(live: Live): boolean {
    return live.runtime.journal.openCalls().some((call) => call.status === "awaiting_approval");
  }

  #someInterrupted(live: Live): boolean {
    return live.runtime.journal.openCalls().some((call) => call.status === "interrupted");
  }

  #start(live: Live, how: "turn" | "resume" | "again", turn?: TurnRow): void {
    this.#turnOpen = true;
    this.#pausing = false;
    this.#controller = new AbortController();
    live.runtime.signal = this.#controller.signal;
    live.runtime.budget = { taken: 0, max: this.#parts.maxSteps };
    this.#running = this.#drive(live, how, turn).finally(() => {
      this.#running = undefined;
      if (!this.#closed && !this.#turnOpen) void this.#oneByOne(() => this.#startQueued(live)).catch(() => undefined);
    });
  }

  async #startQueued(live: Live): Promise<boolean> {
    if (this.#running !== undefined || this.#closed) return false;
    const queued = live.runtime.journal.turns().find((turn) => turn.state === "queued");
    if (queued === undefined) return false;
    await live.runtime.journal.setTurn(queued.turn, "running");
    live.runtime.emit({ type: "user_message", id: queued.messageId, text: queued.text });
    this.#start(live, "turn", queued);
    return true;
  }

  async #drive(live: Live, how: "turn" | "resume" | "again", turn?: TurnRow): Promise<void> {
    try {
      const { waits, values } = await live.run(how, turn);
      if (waits) {
        await this.#pause(live);
        return;
      }
      const unfinished = values.messages.at(-1)?.getType() === "tool";
      await this.#endTurn(live, reasonOf(values.ending, unfinished));
    } catch (error) {
      await this.#fail(live, failureOf(error));
    }
  }

  async #pause(live: Live): Promise<void> {
    const interrupted = this.#someInterrupted(live);
    await live.runtime.journal.setState(interrupted ? "awaiting_recovery" : "awaiting_approval");
    this.#pausing = true;
    const changes = new Map(live.runtime.changes);
    live.runtime.changes.clear();
    await this.#askPerson(live, changes);
  }

  async #askPerson(live: Live, changes: ReadonlyMap<string, Change>): Promise<void> {
    const { runtime } = live;
    const open = runtime.journal.openCalls();
    const unsettled = open.filter((call) => call.status === "interrupted");
    if (unsettled.length > 0) {
      runtime.emit({ type: "recovery_requested", calls: unsettled.map((call) => presentUnsettled(runtime, call)) });
      return;
    }
    const stepId = stepIdOf(live.standing().values);
    const waiting = open.filter((call) => call.status === "awaiting_approval");
    const calls = await Promise.all(waiting.map((call) => presentWaiting(runtime, call, stepId, changes.get(call.callId))));
    if (calls.length > 0) runtime.emit({ type: "approval_requested", calls });
  }

  /** The same question as before; with new plans where the files have changed since. */
  async #askAgain(live: Live): Promise<void> {
    const { runtime } = live;
    const stepId = stepIdOf(live.standing().values);
    const again = await replan(runtime, stepId, runtime.journal.callsOf(stepId), "the file changed since you were asked");
    await record(runtime, again.moves);
    await this.#askPerson(live, again.changes);
  }

  /** A new message comes: what waited or was cut off is settled, said so, and the old turn is over. */
  async #leaveOldTurn(live: Live): Promise<void> {
    const { runtime } = live;
    const { journal } = runtime;
    const running = journal.turns().find((turn) => turn.state === "running");
    if (running === undefined) return;
    const { next, values } = live.standing();
    const stepId = stepIdOf(values);
    if (next.length > 0 && (journal.callsOf(stepId).length > 0 || journal.findReply(stepId) !== undefined)) {
      await settleUnseen(runtime, stepId);
      const moves = journal.callsOf(stepId).flatMap((call) => {
        const at = runtime.clock();
        if (call.status === "interrupted") {
          return [cancel(call, { actor: "person", rule: givenUp }, `${call.reason}; the person went on with a new message`, at)];
        }
        if (call.status !== "pending" && call.status !== "awaiting_approval") return [];
        return [cancel(call, { actor: "person" }, "the person sent a new message instead of an answer", at)];
      });
      await record(runtime, moves);
      if (moves.length > 0) runtime.emit({ type: "notice", code: "superseded", text: `${moves.length} waiting call(s) cancelled by your new message` });
      runtime.ending = "superseded";
      try {
        await live.run("resume");
      } finally {
        runtime.ending = null;
      }
    }
    await journal.setTurn(running.turn, "done", running.reason ?? "superseded");
    this.#turnOpen = false;
  }

  async #endTurn(live: Live, reason: TurnReason): Promise<void> {
    const { journal } = live.runtime;
    const turn = live.standing().values.turn;
    const goesOn = reason === "max_steps";
    await journal.setTurn(turn, goesOn ? "running" : "done", reason);
    await journal.setState("idle");
    if (reason === "stuck") {
      live.runtime.emit({ type: "error", code: "STUCK", message: "the same calls failed again and again, so the turn was ended", hint: "say what to do differently" });
    }
    this.#sayEnded(live, reason);
  }

  async #fail(live: Live, failure: Failure): Promise<void> {
    const { runtime } = live;
    if (failure.writable) {
      const running = runtime.journal.turns().find((turn) => turn.state === "running");
      if (running !== undefined) await runtime.journal.setTurn(running.turn, "running", failure.reason).catch(() => undefined);
      await runtime.journal.setState("idle").catch(() => undefined);
    }
    const { code, message, hint } = failure;
    runtime.emit({ type: "error", code, message, ...(hint === undefined ? {} : { hint }) });
    this.#sayEnded(live, failure.reason, failure.exitCode);
  }

  /** Leaving while calls wait: they stay, and the stream's last word says so. */
  async #sayWaiting(): Promise<void> {
    const live = await this.#opened?.catch(() => undefined);
    if (live === undefined || !this.#turnOpen) return;
    if (this.#someInterrupted(live)) this.#sayEnded(live, "awaiting_recovery");
    else if (this.#someWait(live)) this.#sayEnded(live, "awaiting_approval");
  }

  #sayEnded(live: Live, reason: TurnReason, exitCode?: number): void {
    if (!this.#turnOpen) return;
    this.#turnOpen = reason === "awaiting_approval" || reason === "awaiting_recovery" ? !this.#closed : false;
    const { journal } = live.runtime;
    const { turn, step, messages } = live.standing().values;
    const counts = countCalls(Array.from({ length: step }, (_, i) => journal.callsOf(`${turn}.${i + 1}`)).flat());
    const said = messages.at(-1);
    const text = said?.getType() === "ai" ? textOf(said) : "";
    live.runtime.emit({
      type: "turn_ended",
      reason,
      exitCode: exitCode ?? exitCodeOf(reason, counts),
      ...(text === "" ? {} : { text }),
      calls: counts,
      ...(reason === "done" ? {} : { resume: `agent resume ${this.id}` }),
    });
  }
}

const notWaiting = (callId: string): AnswerOutcome => ({
  ok: false,
  code: "not_waiting",
  message: `call ${callId} does not wait: the agent is working`,
});

/** The first line of the prompt, short enough for a list. */
function titleOf(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
