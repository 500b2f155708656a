// Keeps session 4.
/** Operations that are done one after another, whatever becomes of each. */
export class InOrder {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves when all that was asked for by now is done. Never rejects. */
  get last(): Promise<unknown> {
    return this.#last;
  }

  /** Begins when those before it are done. */
  readonly run = <T>(operation: () => Promise<T>): Promise<T> => {
    const result = this.#last.then(operation);
    this.#last = result.catch(() => undefined);
    return result;
  };
}

/** Resolves when all of these are done, and it is quiet, with nothing asked for meanwhile. */
export async function untilDone(orders: readonly { last: Promise<unknown> }[], quiet: () => Promise<void>) {
  const lasts = () => orders.map(({ last }) => last);
  for (let [before, now] = [[] as unknown[], lasts()]; now.some((last, at) => last !== before[at]); now = lasts()) {
    before = now;
    await Promise.all(now);
    await quiet();
  }
}
