import type { Sha } from "../../core/json.ts";
import type { Plan } from "../../core/tool.ts";

const nothing = (): void => undefined;

/** Whose turn it is to change a file: of the sessions of a tree one at a time. */
export class PathTurns {
  /** By path: resolves when nobody who asked for it by now has it any more. */
  readonly #last = new Map<string, Promise<void>>();

  /** By path: the session that changed it last, and the bytes that it left. */
  readonly #left = new Map<string, { session: string; after: Sha | null }>();

  noteDone(session: string, { files = [] }: Plan): void {
    for (const { real, after } of files) this.#left.set(real, { session, after });
  }

  /**
   * A file that another session has changed since a call was planned, whose change the call would write over as though it were not there:
   * what it leaves is the same with it as without.
   */
  writtenOver(session: string, planned: Plan | undefined, now: Plan): { real: string; by: string } | undefined {
    for (const { real, before, after } of now.files ?? []) {
      const left = this.#left.get(real);
      const old = planned?.files?.find((file) => file.real === real);
      const isMet = left !== undefined && left.session !== session && left.after === before && old?.before !== before;
      if (isMet && old?.after === after && before !== after) return { real, by: left.session };
    }
    return undefined;
  }

  /** Whether somebody has, or waits for, one of these. */
  areTaken(paths: readonly string[]): boolean {
    return paths.some((path) => this.#last.has(path));
  }

  /** Does the work when its turn has come for all of them, behind those who asked before. */
  async during<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = paths.flatMap((path) => this.#last.get(path) ?? []);
    const own = Promise.all(before).then(work);
    const over = own.then(nothing, nothing);
    for (const path of paths) this.#last.set(path, over);
    try {
      return await own;
    } finally {
      for (const path of paths) if (this.#last.get(path) === over) this.#last.delete(path);
    }
  }
}
