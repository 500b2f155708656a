import { SessionBusy, StoreFailure } from "../types.ts";
import type { Put } from "./put.ts";

// Keeps store 3.
/** Checkpoints that wait for the next transaction, in their order. One that the next would drop at once is never written. */
export class LatePuts {
  #waiting: Put[] = [];

  /** @returns whether it is the first that waits. */
  add(put: Put): boolean {
    const above = this.#waiting.at(-1);
    if (above !== undefined && dropped(above, put)) this.#waiting.splice(-1, 1, { ...put, parent: above.parent });
    else this.#waiting.push(put);
    return above === undefined;
  }

  /** The newest that waits of a thread's namespace. */
  last(thread: string, ns: string): Put | undefined {
    return this.#waiting.findLast(({ spot }) => spot.thread === thread && spot.ns === ns);
  }

  /** Inside `write` only. @returns what is to be done once it is committed. */
  store(store: (put: Put) => () => void): () => void {
    const settles = this.#waiting.map((put) => {
      try {
        return store(put);
      } catch (error) {
        // Another process drives that session now: its next write here fails. Other sessions go on.
        if (error instanceof SessionBusy) return () => undefined;
        // It would spoil each transaction after this one too.
        if (error instanceof StoreFailure && error.kind === "unserialisable")
          this.#waiting = this.#waiting.filter((one) => one !== put);
        throw error;
      }
    });
    return () => {
      this.#waiting = [];
      for (const settle of settles) settle();
    };
  }
}

const dropped = (above: Put, put: Put): boolean =>
  put.prunes &&
  above.prunes &&
  put.parent === above.spot.id &&
  put.turn === above.turn &&
  put.spot.thread === above.spot.thread &&
  put.spot.ns === above.spot.ns;
