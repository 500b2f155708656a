import { AsyncResource } from "node:async_hooks";

/** What a child has while its call's tool waits for it. */
interface Place {
  /**
   * It asks the person, and keeps its place as long as others of its call work.
   * @returns whether it goes on: it was answered, or ended; else nothing of the call works any more, or it was stopped
   */
  held(child: string, signal: AbortSignal): Promise<boolean>;
  /** Its tool waits for it no more. */
  left(): void;
}

interface Held {
  readonly call: string;
  /** Whoever drives the session knows that it asks. */
  told: boolean;
  /** @param rests where it goes on: ends what it is at work with then */
  end(rests: (() => void) | undefined): void;
}

// Keeps session 9.
/** The children of calls, as they work side by side. */
export class SideBySide {
  /** By call. */
  readonly #working = new Map<string, Set<Promise<void>>>();
  /** By child. */
  readonly #held = new Map<string, Held>();
  /** Told where no node of a graph runs: a turn may begin by what is heard then. */
  readonly #asks: (() => void) | undefined;

  /** @param asks told when one asks while others work; where nobody hears that, none keeps its place */
  constructor(asks: (() => void) | undefined) {
    this.#asks = asks && AsyncResource.bind(asks);
  }

  /** Whether one keeps its place. */
  get holds(): boolean {
    return this.#held.size > 0;
  }

  enter(call: string): Place {
    let rests = this.#begin(call);
    return {
      held: async (child, signal) => {
        const answered = this.#hold(call, child, signal);
        rests();
        const goesOn = await answered;
        if (goesOn !== undefined) rests = goesOn;
        return goesOn !== undefined;
      },
      left: () => rests(),
    };
  }

  /** One that keeps its place goes on. */
  wake(child: string): void {
    const held = this.#held.get(child);
    held?.end(this.#begin(held.call));
  }

  /** Resolves when none of the call works; none keeps its place then. */
  async atRest(call: string): Promise<void> {
    for (let work = this.#working.get(call); work !== undefined && work.size > 0; ) await Promise.all(work);
    for (const held of this.#heldOf(call)) held.end(undefined);
  }

  #begin(call: string): () => void {
    const working = this.#working.get(call) ?? new Set();
    this.#working.set(call, working);
    let done = (): void => undefined;
    const work = new Promise<void>((resolve) => {
      done = resolve;
    });
    working.add(work);
    return () => {
      if (!working.delete(work)) return;
      done();
      // By then the tool that heard of it has begun the next one.
      setImmediate(() => this.#look(call));
    };
  }

  #hold(call: string, child: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    if (this.#asks === undefined || signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const end = (rests: (() => void) | undefined): void => {
        this.#held.delete(child);
        signal.removeEventListener("abort", stopped);
        resolve(rests);
      };
      const stopped = (): void => end(undefined);
      signal.addEventListener("abort", stopped);
      this.#held.set(child, { call, told: false, end });
    });
  }

  #look(call: string): void {
    const held = this.#heldOf(call);
    if (this.#working.get(call)?.size === 0) for (const one of held) one.end(undefined);
    else if (held.some(({ told }) => !told)) {
      for (const one of held) one.told = true;
      this.#asks?.();
    }
  }

  #heldOf(call: string): Held[] {
    return [...this.#held.values()].filter((one) => one.call === call);
  }
}
