import { statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** The time that the writes of a process that was asked to end wait, all together: their content is known without them. */
const leavingMs = 1_000;

/** A test whether a locked store is to be tried again, by one who has waited for so many milliseconds. */
export type Patience = (waitedMs: number) => boolean;

// Keeps store 7.
/** @param leaving aborted when the process was asked to end: from then on nobody waits for more than a second */
export function patienceOf(mostMs: number, leaving?: AbortSignal): Patience {
  let until = Number.POSITIVE_INFINITY;
  const hurry = (): void => {
    until = performance.now() + leavingMs;
  };
  if (leaving?.aborted === true) hurry();
  leaving?.addEventListener("abort", hurry, { once: true });
  return (waitedMs) => waitedMs < mostMs && performance.now() < until;
}

/** The longest wait between two tries, in milliseconds: with many who wait, who asks seldom comes late. */
const longestPauseMs = 100;

/** A look at a store's files from outside, by which it is known that somebody else wrote. */
type Stamp = () => string;

/**
 * Waits for a locked store as long as others get on with it: the patience counts from the last time that somebody wrote, so that the
 * fiftieth of many comes to its turn as well as the first.
 */
export class Waiting {
  readonly #mayWait: Patience;
  readonly #stamp: Stamp;
  #seen: string;
  #waited = 0;
  #pause = 5;

  constructor(mayWait: Patience, stamp: Stamp) {
    this.#mayWait = mayWait;
    this.#stamp = stamp;
    this.#seen = stamp();
  }

  /** Tells whether it is worth another try. */
  get isWorthIt(): boolean {
    const now = this.#stamp();
    if (now !== this.#seen) this.#waited = 0;
    this.#seen = now;
    return this.#mayWait(this.#waited);
  }

  /** Resolves when it is time for the next try: those who began to wait together do not ask together. */
  async pause(): Promise<void> {
    const pause = this.#pause * (0.5 + Math.random() / 2);
    await wait(pause);
    this.#waited += pause;
    this.#pause = Math.min(this.#pause * 2, longestPauseMs);
  }
}

/** Looks at the store's files; opens none. */
export const stampOf =
  (file: string): Stamp =>
  () =>
    [file, `${file}-wal`].map(stampOfPart).join(" ");

function stampOfPart(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return ""; // opening it says why
  }
}
