const hearsWithinMs = 1_000;

/** The readers of a session's events, with the event up to which some reader has read. */
export class Hearing {
  /** Up to this event. */
  #heard = 0;
  /** Readers that are at work with an event. */
  #busy = 0;
  /** Wakes those that wait for the next one. */
  #waiting: (() => void)[] = [];
  #whenHeard: (() => void)[] = [];
  readonly #newest: () => number;

  constructor(newest: () => number) {
    this.#newest = newest;
  }

  begin(): void {
    this.#busy += 1;
  }

  /** A reader is gone, or has read all. */
  end(): void {
    this.#busy -= 1;
    this.#tell();
  }

  readOn(seq: number): void {
    this.#heard = Math.max(this.#heard, seq);
    this.#tell();
  }

  /** A reader has read all there is; it resolves at work again, at the next event or the end. */
  next(): Promise<void> {
    this.end();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  wake(): void {
    const all = this.#waiting;
    this.#waiting = [];
    this.#busy += all.length;
    for (const wake of all) wake();
  }

  /** Resolves once some reader has read on from the newest event; at once where nobody reads, and after a second. */
  async all(): Promise<void> {
    if (this.#isAll()) return;
    let late: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#whenHeard.push(resolve);
      late = setTimeout(resolve, hearsWithinMs);
    });
    clearTimeout(late);
  }

  readonly #isAll = (): boolean => this.#busy === 0 || this.#heard >= this.#newest();

  #tell(): void {
    if (!this.#isAll()) return;
    const all = this.#whenHeard;
    this.#whenHeard = [];
    for (const tell of all) tell();
  }
}
