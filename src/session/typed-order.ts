import { endings } from "../words/contract/session.ts";
import type { EventStream } from "./event-stream.ts";
import { InOrder } from "./in-order.ts";
import { type Pictures, type SentMessage, saidWith } from "./sent-message.ts";

/** A message that is not among the operations yet. */
interface Waiting {
  text: string;
  /** It waits for what it brings itself, and not only for those before it. */
  finds: boolean;
  /** It is not said any more. */
  end(error?: Error): void;
}

/** An operation for a message. `late`: others may have come before it since it was typed. */
type Take = (said: SentMessage, late: boolean) => Promise<void>;

// Keeps session 12.
/**
 * The messages that the person types, in their order. What a message brings is found before it comes among the operations, so that none of these
 * waits for it.
 */
export class TypedOrder {
  readonly #operations: InOrder;
  readonly #stream: Pick<EventStream, "emit">;
  readonly #order = new InOrder();
  readonly #waiting = new Set<Waiting>();
  readonly #findings = new Set<Promise<unknown>>();
  /** The number of typed messages that are not among the operations yet. */
  #before = 0;
  #finding = new AbortController();
  #isClosed = false;

  constructor(operations: InOrder, stream: Pick<EventStream, "emit">) {
    this.#operations = operations;
    this.#stream = stream;
  }

  /** Resolves when all that was typed by now is done. Never rejects. */
  get last(): Promise<unknown> {
    return this.#order.last;
  }

  /** @throws the reason of a stop, where it came before the message was among the operations */
  say(text: string, pictures: Pictures | undefined, take: Take): Promise<void> {
    const { signal } = this.#finding;
    const said = (): Promise<SentMessage> => saidWith(text, pictures, this.#stream, signal);
    if (typeof pictures === "function") return this.#sayLate({ text, finds: true, said, take, signal });
    if (this.#before > 0) return this.#sayLate({ text, finds: false, said, take, signal });
    return this.#operations.run(async () => take(await said(), false));
  }

  #sayLate(
    one: Omit<Waiting, "end"> & { said: () => Promise<SentMessage>; take: Take; signal: AbortSignal },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const { text, finds, said, take, signal } = one;
      let leave = (): void => undefined;
      const left = new Promise<undefined>((done) => {
        leave = () => done(undefined);
      });
      const end = (error?: Error): void => {
        if (error === undefined) resolve();
        else reject(error);
        leave();
      };
      const waiting = { text, finds, end };
      this.#waiting.add(waiting);
      this.#inTurn(async (among) => {
        if (!this.#waiting.has(waiting)) return;
        const found = await Promise.race([this.#untilFound(said), left]);
        // A stop comes before this, or behind it: then it is an operation like any other.
        if (found === undefined || !this.#waiting.delete(waiting)) return;
        among();
        await this.#operations.run(() => take(found, true));
      })
        .finally(() => this.#waiting.delete(waiting))
        .then(resolve, reject);
      if (finds && signal.aborted) this.#giveUp(waiting, signal.reason);
    });
  }

  #untilFound(said: () => Promise<SentMessage>): Promise<SentMessage> {
    const finding = said();
    const over = finding.then(
      () => void this.#findings.delete(over),
      () => void this.#findings.delete(over),
    );
    this.#findings.add(over);
    return finding;
  }

  /** Something else that is typed. @param work is an operation */
  readonly behind = <T>(work: () => Promise<T>): Promise<T> => {
    if (this.#before === 0) return this.#operations.run(work);
    return this.#inTurn((among) => {
      among();
      return this.#operations.run(work);
    });
  };

  /** @param work calls what it is given as it comes among the operations */
  #inTurn<T>(work: (among: () => void) => Promise<T>): Promise<T> {
    let isBefore = true;
    const among = (): void => {
      if (isBefore) this.#before -= 1;
      isBefore = false;
    };
    this.#before += 1;
    return this.#order.run(() => work(among).finally(among));
  }

  /** Messages that are not among the operations yet are not said. @returns their texts, in their order */
  takeBack(): string[] {
    const all = [...this.#waiting];
    this.#stopFinding(new Error(endings.takenBack));
    for (const waiting of all) this.#giveUp(waiting);
    return all.map(({ text }) => text);
  }

  /** Messages that wait for what they bring are not said. */
  stop(why: Error): void {
    this.#stopFinding(why);
    for (const waiting of [...this.#waiting]) if (waiting.finds) this.#giveUp(waiting, why);
  }

  /** The same, for good. Resolves when nothing is being found any more, and what else was typed by now is done. */
  async close(why: Error): Promise<void> {
    this.stop(why);
    this.#isClosed = true;
    this.#finding.abort(why);
    await this.#order.last;
    await Promise.all(this.#findings);
  }

  #stopFinding(why: Error): void {
    this.#finding.abort(why);
    if (!this.#isClosed) this.#finding = new AbortController();
  }

  #giveUp(waiting: Waiting, why?: Error): void {
    if (this.#waiting.delete(waiting)) waiting.end(why);
  }
}
