import type { Plan } from "../../core/tool.ts";
import type { JournalReading } from "../../store/types.ts";

/** Whose turn it is to change a file: of the sessions of a tree one at a time. */
export class PathTurns {
  /** By path: resolves when nobody who asked for it by now has it any more. */
  readonly #last = new Map<string, Promise<void>>();

  /** Tells whether somebody has, or waits for, one of these. */
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

/**
 * A file that another session of the tree has changed since a call was planned, whose change the call would write over as though it were not
 * there: what it leaves is the same with it as without. The journals of all of them say so, whichever process it was, also where a change's end was not seen: the file is as it would have
 * left it.
 */
export function writtenOver(
  journal: Pick<JournalReading, "session" | "fileChangesInTree">,
  planned: Plan,
  now: Plan,
): { real: string; by: string } | undefined {
  for (const { real, before, after } of now.files ?? []) {
    const old = planned.files?.find((file) => file.real === real);
    if (before === after || old?.after !== after || old.before === before) continue;
    const left = journal
      .fileChangesInTree({ unseen: true })
      .findLast((change) => change.real === real && change.after === before);
    if (left !== undefined && left.session !== journal.session) return { real, by: left.session };
  }
  return undefined;
}
