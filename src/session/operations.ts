import type { EventStream } from "./event-stream.ts";
import { InOrder } from "./in-order.ts";
import { openPhase, type Phase } from "./phase.ts";
import { type Brought, type Pictures, type Said, saidWith } from "./said.ts";

/** What a session is now. */
interface Now {
  stream: Pick<EventStream, "emit">;
  phase: Phase;
}

/**
 * The operations of a session, and the messages on their way to it. What comes with one is found before it enters the order of operations, so that whoever is asked
 * for it holds up neither an answer nor a stop; messages enter in the order in which they were said.
 */
export class Operations extends InOrder {
  readonly #now: () => Now;
  readonly #arrivals = new InOrder();
  readonly #stops = new Set<AbortController>();
  #underWay = 0;
  #over: Error | undefined;

  constructor(now: () => Now) {
    super();
    this.#now = now;
  }

  /** Another one as long as messages are on their way. */
  override get last(): Promise<unknown> {
    return this.#underWay === 0 ? super.last : this.#arrivals.last.then(() => super.last);
  }

  /**
   * @param pictures looked for once the messages before it are stored
   * @param enter an operation; `goneOn`: what is asked by now may be something else than what was asked when it was said
   * @throws what the finder throws, and `enter`
   */
  take(
    text: string,
    pictures: Pictures | undefined,
    enter: (said: Said, goneOn: boolean) => Promise<void>,
  ): Promise<void> {
    const then = this.#work();
    const entered = (found: Brought, waited: boolean): Promise<void> =>
      this.run(async () => {
        const said = await saidWith(text, found, this.#now().stream);
        await enter(said, waited && this.#work() !== then);
      });
    if (typeof pictures === "function") return this.#behind(async (signal) => entered(await pictures(signal), true));
    const found = { images: pictures ?? [], problems: [] };
    return this.#underWay === 0 ? entered(found, false) : this.#behind(() => entered(found, true));
  }

  /** Nobody is asked any more for what comes with those that are on their way. @param work what takes back those that enter all the same */
  takeBack<T>(work: () => Promise<T>): Promise<T> {
    this.stop(new Error("it was taken back"));
    return this.#underWay === 0 ? work() : this.#behind(work);
  }

  /** @param isOver nobody is asked for what comes with any later one, either */
  stop(why: Error, isOver = false): void {
    if (isOver) this.#over = why;
    for (const stop of this.#stops) stop.abort(why);
  }

  /** Of what runs, or ran last: another one once something else was begun. */
  readonly #work = (): AbortController | undefined => openPhase(this.#now().phase)?.work;

  async #behind<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    if (this.#over !== undefined) stop.abort(this.#over);
    this.#stops.add(stop);
    this.#underWay += 1;
    try {
      return await this.#arrivals.run(() => work(stop.signal));
    } finally {
      this.#stops.delete(stop);
      this.#underWay -= 1;
    }
  }
}
