/** Whose turn it is to change a file: of the sessions of a tree one at a time. */
export class PathTurns {
  /** By path: resolves when nobody who asked for it by now has it any more. */
  readonly #last = new Map<string, Promise<void>>();

  /** Whether somebody has, or waits for, one of these. */
  areTaken(paths: readonly string[]): boolean {
    return paths.some((path) => this.#last.has(path));
  }

  /**
   * Does the work when its turn has come for all of them, behind those who asked before. Where the signal comes first it gives up: nothing is
   * done then, and those behind it wait for whoever has them.
   */
  async during<T>(paths: readonly string[], signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    const before = Promise.all(paths.flatMap((path) => this.#last.get(path) ?? []));
    const own = unlessAborted(before, signal).then((hasCome) => (hasCome ? work() : undefined));
    const over = Promise.allSettled([before, own]).then(() => {
      for (const path of paths) if (this.#last.get(path) === over) this.#last.delete(path);
    });
    for (const path of paths) this.#last.set(path, over);
    const done = await own;
    if (!signal.aborted) await over;
    return done;
  }
}

/** @returns false where the signal came first */
async function unlessAborted(turn: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  let giveUp = (): void => undefined;
  const aborted = new Promise<void>((resolve) => {
    giveUp = resolve;
    signal.addEventListener("abort", giveUp, { once: true });
  });
  if (!signal.aborted) await Promise.race([turn, aborted]);
  signal.removeEventListener("abort", giveUp);
  return !signal.aborted;
}
