import { limitText } from "../core/limit-text.ts";
import { limits } from "../core/limits.ts";
import { cutReply } from "./failures.ts";
import type { ReplyFold } from "./fold-reply.ts";
import type { ModelFailure } from "./port.ts";

/** Ends a request that makes no progress, takes hours, or does not end after it said why it ends; and one whose person stopped it. */
export class Watch {
  readonly #late = new AbortController();
  readonly #graceMs: number;
  readonly #timers: NodeJS.Timeout[];
  readonly #outer: AbortSignal;
  readonly #stopped = (): void => this.#late.abort(this.#outer.reason);
  #taken = 0;
  #ended = false;
  #failure: ModelFailure | undefined;

  /** @param outer ends the request too; nothing of it is kept by that signal, which may live for hours, after `end`. */
  constructor(outer: AbortSignal, noProgressMs: number, graceMs: number) {
    this.#outer = outer;
    this.#graceMs = graceMs;
    if (outer.aborted) this.#stopped();
    else outer.addEventListener("abort", this.#stopped, { once: true });
    const after = (ms: number, why: string) =>
      setTimeout(() => this.#stop(cutReply(`The reply was cut off: ${why}`)), ms);
    const { replyTime } = limits;
    this.#timers = [
      after(noProgressMs, `the server said nothing for ${noProgressMs / 1000} s`),
      after(replyTime.most, `it took more than ${limitText(replyTime)}`),
    ];
  }

  get signal(): AbortSignal {
    return this.#late.signal;
  }

  see({ taken, ended }: ReplyFold): void {
    if (taken > this.#taken) this.#timers[0]?.refresh();
    this.#taken = taken;
    if (ended && !this.#ended) this.#timers.push(setTimeout(() => this.#stop(undefined), this.#graceMs));
    this.#ended = ended;
  }

  /** @throws ModelFailure `cut` where it ended the request for want of progress; the client library only stops. */
  check(): void {
    if (this.#failure !== undefined && !this.#ended) throw this.#failure;
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#outer.removeEventListener("abort", this.#stopped);
  }

  #stop(failure: ModelFailure | undefined): void {
    this.#failure ??= failure;
    this.#late.abort();
  }
}
