/** The time until an end that could not be kept is tried again, in milliseconds: the first time, and at most. */
const [firstWaitMs, mostWaitMs] = [1_000, 60_000];

/**
 * Ends of jobs on their way into the journal. One that cannot be kept, for the disk is full, is kept again until its session ends: else
 * whoever looks next finds a job that runs, and tells another end of it than it had.
 */
export class EndsToKeep {
  readonly #underWay = new Set<Promise<void>>();
  readonly #left = new Set<() => Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #waitMs = firstWaitMs;
  #isOver = false;

  /** @throws what `write` throws; it is called again later then */
  keep(write: () => Promise<void>): Promise<void> {
    const kept = write().catch((error: unknown) => {
      this.#left.add(write);
      this.#later();
      throw error;
    });
    const seen = kept.then(
      () => void this.#underWay.delete(seen),
      () => void this.#underWay.delete(seen),
    );
    this.#underWay.add(seen);
    return kept;
  }

  /** Waits for those under way, and tries those again that could not be kept. */
  async keepAll(): Promise<void> {
    await Promise.all(this.#underWay);
    const left = [...this.#left];
    this.#left.clear();
    await Promise.all(left.map((write) => this.keep(write).catch(() => undefined)));
    if (this.#left.size === 0) this.#waitMs = firstWaitMs;
  }

  /** The last time: behind it nothing is tried again. */
  async end(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.keepAll();
  }

  #later(): void {
    if (this.#isOver || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.keepAll();
    }, this.#waitMs);
    this.#timer.unref();
    this.#waitMs = Math.min(2 * this.#waitMs, mostWaitMs);
  }
}
