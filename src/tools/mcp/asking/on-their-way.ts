/** Answers of one call of which it is not known yet whether they reached the server. */
export class OnTheirWay {
  readonly #heeded = new Set<Promise<void>>();

  /** Writes down with the answer whether it reached the server, once that is known. */
  heed(answer: { isOut?: boolean }, isOut: Promise<boolean>): void {
    const heeded = isOut.then((is) => {
      answer.isOut = is;
      this.#heeded.delete(heeded);
    });
    this.#heeded.add(heeded);
  }

  /** Each resolves once it is known. */
  get all(): readonly Promise<void>[] {
    return [...this.#heeded];
  }
}
