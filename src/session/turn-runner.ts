import type { TurnReason } from "../graph/events.ts";
import { Leaving } from "../graph/runtime.ts";
import type { TurnRow } from "../store/types.ts";
import type { Live } from "./live.ts";
import { failed, runTurn } from "./run-turn.ts";
import { openCallsOf, turnEnded, whatIsLeft } from "./unfinished-work.ts";

/** Lets one run of the graph happen at a time, and says of each turn how it ended, once. */
export class TurnRunner {
  readonly #oneByOne: <T>(operation: () => Promise<T>) => Promise<T>;
  #running: Promise<void> | undefined;
  #controller = new AbortController();
  /** The run has asked the person and is about to end. */
  #pausing = false;
  /** A turn is under way whose `turn_ended` has not been said. */
  #turnOpen = false;
  /** What runs is to end: what an operation under way would begin ends at once too. */
  #halted: "stopping" | "leaving" | undefined;

  /** @param oneByOne runs an operation of the session behind those under way. */
  constructor(oneByOne: <T>(operation: () => Promise<T>) => Promise<T>) {
    this.#oneByOne = oneByOne;
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when no run is under way. */
  get idle(): Promise<void> | undefined {
    return this.#running;
  }

  /** A run that has asked the person counts as ended. */
  async settleQuestion(): Promise<void> {
    if (this.#pausing) await this.#running;
  }

  start(live: Live, how: "turn" | "resume" | "again", turn?: TurnRow): void {
    this.#turnOpen = true;
    this.#pausing = false;
    this.renewSignal(live);
    if (this.#halted !== undefined) this.#controller.abort(haltReason(this.#halted, "stopped before it began"));
    this.#running = this.#drive(live, how, turn).finally(() => {
      this.#running = undefined;
      if (this.#halted !== "leaving" && !this.#turnOpen) {
        void this.#oneByOne(() => this.startQueued(live)).catch(() => undefined);
      }
    });
  }

  /** Goes on with what an earlier process left. @returns false when nothing was left to do. */
  async proceed(live: Live): Promise<boolean> {
    this.#turnOpen = true;
    try {
      return await this.#goOn(live);
    } catch (error) {
      await this.sayFailed(live, error);
      return false;
    }
  }

  async #goOn(live: Live): Promise<boolean> {
    const left = whatIsLeft(live);
    if (left.kind === "wait") {
      await live.askAgain();
      if (!waits(live)) this.start(live, "resume");
    } else if (left.kind === "run") this.start(live, left.how, left.turn);
    else {
      if (left.turn !== undefined) await live.runtime.journal.setTurn(left.turn.turn, "done", "done");
      await live.runtime.journal.setState("idle");
      this.#sayEnded(live, "done");
      return this.startQueued(live);
    }
    return true;
  }

  async startQueued(live: Live): Promise<boolean> {
    if (this.busy || this.#halted !== undefined) return false;
    const queued = live.runtime.journal.turns().find((turn) => turn.state === "queued");
    if (queued === undefined) return false;
    await this.leaveTurn(live);
    await live.runtime.journal.setTurn(queued.turn, "running");
    live.runtime.emit({ type: "user_message", id: queued.messageId, text: queued.text });
    this.start(live, "turn", queued);
    return true;
  }

  async #drive(live: Live, how: "turn" | "resume" | "again", turn?: TurnRow): Promise<void> {
    const end = await runTurn(live, how, turn);
    if (end.kind === "ended") return this.#sayEnded(live, end.reason, end.exitCode);
    this.#pausing = true;
    try {
      await live.askPerson();
    } catch (error) {
      await this.sayFailed(live, error);
    }
  }

  /** Settles what older turns left open, because a new message came. */
  async leaveTurn(live: Live): Promise<void> {
    const { journal } = live.runtime;
    this.#turnOpen = false;
    for (const running of journal.turns().filter((turn) => turn.state === "running")) {
      await live.leaveTurn(running.turn);
      await journal.setTurn(running.turn, "done", running.reason ?? "superseded");
    }
  }

  /** Ends what runs and what the operations under way would begin; `operations` resolves when those are through. */
  async halt(as: "stopping" | "leaving", why: string, operations: Promise<unknown>): Promise<void> {
    if (this.#halted !== "leaving") this.#halted = as;
    this.#controller.abort(haltReason(as, why));
    await operations.catch(() => undefined);
    await this.#running;
  }

  /** After a stop: the next run may begin. */
  release(live: Live | undefined): void {
    if (this.#halted === "stopping") this.#halted = undefined;
    if (live === undefined || this.busy) return;
    this.renewSignal(live);
    // A question that is kept waiting is not given up for what was queued behind it.
    if (!this.#turnOpen) void this.#oneByOne(() => this.startQueued(live)).catch(() => undefined);
  }

  /** Plans are made under this signal too, also between runs. */
  renewSignal(live: Live): void {
    this.#controller = new AbortController();
    live.signal = this.#controller.signal;
  }

  /** Another process drives the session now: what runs here ends, and fails to write its end. */
  async taken(live: Live): Promise<void> {
    const { reason } = live.lease.lost;
    const told = this.busy;
    this.#controller.abort(reason);
    if (!told && this.#halted !== "leaving") await this.sayFailed(live, reason);
  }

  /** Leaving while calls wait: they stay, and the stream's last word says so. */
  sayWaiting(live: Live): void {
    const { waiting, interrupted } = openCallsOf(live);
    if (interrupted > 0) this.#sayEnded(live, "awaiting_recovery");
    else if (waiting > 0) this.#sayEnded(live, "awaiting_approval");
  }

  async sayFailed(live: Live, error: unknown): Promise<void> {
    const end = await failed(live, error);
    if (end.kind === "ended") this.#sayEnded(live, end.reason, end.exitCode);
  }

  #sayEnded(live: Live, reason: TurnReason, exitCode?: number): void {
    if (!this.#turnOpen) return;
    const stays = reason === "awaiting_approval" || reason === "awaiting_recovery";
    this.#turnOpen = stays && this.#halted !== "leaving";
    live.runtime.emit(turnEnded(live, reason, exitCode, this.#halted === "leaving"));
  }
}

const haltReason = (as: "stopping" | "leaving", why: string): Error =>
  as === "leaving" ? new Leaving(why) : new Error(why);

/** Some call needs the person's word. */
export function waits(live: Live): boolean {
  const { waiting, interrupted } = openCallsOf(live);
  return waiting + interrupted > 0;
}
