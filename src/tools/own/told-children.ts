import type { ChildEnd, ChildSpec } from "../../core/child-session.ts";
import type { ToolContext } from "../../core/tool.ts";

/** The message to the process on a child, by the number that it gave it. */
type Told = { child: number } & ({ ok: ChildEnd } | { error: string });

/** The sessions that one ask of a process of tools has work for it. */
export class ToldChildren {
  readonly #runChild: ToolContext["runChild"];
  readonly #tell: (told: Told) => void;
  readonly #stops = new Map<number, AbortController>();
  readonly #ends = new Set<Promise<void>>();

  constructor(runChild: ToolContext["runChild"], tell: (told: Told) => void) {
    this.#runChild = runChild;
    this.#tell = tell;
  }

  begin(child: number, spec: ChildSpec): void {
    const stop = new AbortController();
    this.#stops.set(child, stop);
    const end = this.#run(child, spec, stop.signal).finally(() => {
      this.#ends.delete(end);
      this.#stops.delete(child);
    });
    this.#ends.add(end);
  }

  stop(child: number): void {
    this.#stops.get(child)?.abort(new Error("its tool ended it"));
  }

  /** Resolves when none works any more. */
  async ended(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends);
  }

  async #run(child: number, spec: ChildSpec, signal: AbortSignal): Promise<void> {
    try {
      if (this.#runChild === undefined) throw new Error("only a call of a tool of effect child has children");
      this.#tell({ child, ok: await this.#runChild(spec, signal) });
    } catch (error) {
      this.#tell({ child, error: error instanceof Error ? error.message : String(error) });
    }
  }
}
