// Keeps session 4.
/** Operations that are done one after another, whatever becomes of each. */
export class InOrder {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves when all that was asked for by now is done. Never rejects. */
  get last(): Promise<unknown> {
    return this.#last;
  }

  /** Begins when those before it are done. */
  run<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.#last.then(operation);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
