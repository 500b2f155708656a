/**
 * Answers to a question that is put often, as by each key that is typed: it is asked once, and the answer kept for so many milliseconds, a
 * failure as long as any other.
 */
export class KeptAnswers<T> {
  readonly #keptMs: number;
  readonly #now: () => number;
  readonly #known = new Map<string, { at: number; answer: Promise<T> }>();

  /** @param now milliseconds; default the machine's clock */
  constructor(keptMs: number, now: () => number = Date.now) {
    this.#keptMs = keptMs;
    this.#now = now;
  }

  /** @param failed what counts as the answer where there is none */
  answer(key: string, ask: () => Promise<T>, failed: T): Promise<T> {
    const now = this.#now();
    for (const [other, { at }] of this.#known) if (now - at >= this.#keptMs) this.#known.delete(other);
    const known = this.#known.get(key);
    if (known !== undefined) return known.answer;
    const answer = ask().catch(() => failed);
    this.#known.set(key, { at: now, answer });
    return answer;
  }
}
