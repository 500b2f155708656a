import { EventEmitter, once } from "node:events";
import type { Lookup } from "./addresses.ts";
import { until } from "./until.ts";

/** Lookups of which a few are under way at once: one that is never answered cannot be taken back, and holds its place. */
export class FewLookups {
  readonly #lookup: Lookup;
  readonly #most: number;
  readonly #settled = new EventEmitter().setMaxListeners(0);
  #underWay = 0;

  constructor(lookup: Lookup, most: number) {
    this.#lookup = lookup;
    this.#most = most;
  }

  /** Rejects where the name has no address, or its asker leaves. */
  async find(host: string, signal: AbortSignal): Promise<string[]> {
    while (this.#underWay >= this.#most) await once(this.#settled, "one", { signal });
    signal.throwIfAborted();
    this.#underWay += 1;
    const found = this.#lookup(host).finally(() => {
      this.#underWay -= 1;
      this.#settled.emit("one");
    });
    return until(signal, found);
  }
}
