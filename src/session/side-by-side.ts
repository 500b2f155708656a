import { AsyncResource } from "node:async_hooks";
import { endings } from "../words/contract/session.ts";

/** A child of a call, while the call's tool waits for it. */
interface Place {
  /** Resolves once it may work, or is stopped. @param isNew it has not begun: those that have come first @throws where it found no place before its tool ended */
  begins(isNew: boolean, signal: AbortSignal): Promise<void>;
  /**
   * It asks the person, and works no more: its place is for the next one.
   * @returns whether it goes on, once it may work: it was answered, or ended; else nothing of the call works any more, or it was stopped
   */
  asks(child: string, signal: AbortSignal): Promise<boolean>;
  /** Its tool waits for it no more. */
  left(): void;
}

/** Of a call's children one that asks the person. */
interface Asking {
  readonly call: string;
  readonly most: number;
  /** Whoever drives the session knows that it asks. */
  told: boolean;
  /** @param work what it is to do now; without it its tool waits for it no more */
  end(work: Work | undefined): void;
}

/** The work of a child until it asks or ends, from when it may be begun. */
class Work {
  /** The number of children of its call that work at most where it begins. */
  readonly most: number;
  readonly isNew: boolean;
  readonly over: Promise<void>;
  hasBegun = false;
  /** Others of its call worked, or were before it, as places were given. */
  hadNoPlace = false;
  readonly #begun: Promise<void>;
  #begin: () => void = () => undefined;
  #drop: (why: Error) => void = () => undefined;
  #end: () => void = () => undefined;

  constructor(most: number, isNew: boolean) {
    this.most = most;
    this.isNew = isNew;
    this.#begun = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.#drop = reject;
    });
    this.over = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  begin(): void {
    this.hasBegun = true;
    this.#begin();
  }

  /** It is not to begin any more. */
  drop(why: Error): void {
    this.#drop(why);
  }

  end(): void {
    this.#end();
  }

  /** Also once it is stopped: then it comes to its end alone. @throws why it was dropped */
  async begins(signal: AbortSignal): Promise<void> {
    const stopped = (): void => this.begin();
    signal.addEventListener("abort", stopped, { once: true });
    if (signal.aborted) stopped();
    await this.#begun.finally(() => signal.removeEventListener("abort", stopped));
  }
}

// Keeps session 9.
/** The children of calls, as they work side by side. */
export class SideBySide {
  /** By call: what its children do, and are to do. */
  readonly #works = new Map<string, Set<Work>>();
  /** Calls whose tools have ended while some of their children work. */
  readonly #left = new Set<string>();
  /** By child. */
  readonly #asking = new Map<string, Asking>();
  /** Told where no node of a graph runs: a turn may begin by what is heard then. */
  readonly #asks: (() => void) | undefined;

  /** @param asks told when one asks while others work; undefined where nobody hears that */
  constructor(asks: (() => void) | undefined) {
    this.#asks = asks && AsyncResource.bind(asks);
  }

  /** Tells whether one asks while others of its call work. */
  get isAsking(): boolean {
    return this.#asking.size > 0;
  }

  /**
   * @param most how many of the call work at most where this one begins, or goes on; else as many as like
   * @throws TypeError
   */
  enter(call: string, most: number = Number.POSITIVE_INFINITY): Place {
    if (most < 1 || most !== Math.ceil(most))
      throw new TypeError("how many children work at once is a whole number above 0");
    let work: Work | undefined;
    const left = (): void => {
      if (work !== undefined) this.#end(call, work);
      work = undefined;
    };
    return {
      begins: (isNew, signal) => {
        work = this.#add(call, new Work(most, isNew));
        return work.begins(signal);
      },
      asks: async (child, signal) => {
        const goesOn = this.#ask(child, { call, most }, signal);
        left();
        work = await goesOn;
        await work?.begins(signal);
        return work !== undefined;
      },
      left,
    };
  }

  /** One that asks goes on, before those that have not begun. */
  wake(child: string): void {
    const asking = this.#asking.get(child);
    asking?.end(this.#add(asking.call, new Work(asking.most, false)));
  }

  /** The call's tool has ended: of those that have not begun none begins that found no place. Resolves as `atRest` does. */
  async leave(call: string): Promise<void> {
    this.#left.add(call);
    this.#dropUnplaced(call);
    await this.atRest(call).finally(() => this.#left.delete(call));
  }

  /** Resolves when none of the call works or is to; its tool waits for none of them then. */
  async atRest(call: string): Promise<void> {
    for (let works = this.#works.get(call); works !== undefined && works.size > 0; )
      await Promise.all([...works].map(({ over }) => over));
    for (const asking of this.#askingOf(call)) asking.end(undefined);
  }

  #add(call: string, work: Work): Work {
    const works = this.#works.get(call) ?? new Set();
    this.#works.set(call, works.add(work));
    this.#lookSoon(call);
    return work;
  }

  #end(call: string, work: Work): void {
    this.#works.get(call)?.delete(work);
    work.end();
    this.#lookSoon(call);
  }

  #ask(child: string, of: Pick<Asking, "call" | "most">, signal: AbortSignal): Promise<Work | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const end = (work: Work | undefined): void => {
        this.#asking.delete(child);
        signal.removeEventListener("abort", stopped);
        resolve(work);
      };
      const stopped = (): void => end(undefined);
      signal.addEventListener("abort", stopped);
      this.#asking.set(child, { ...of, told: false, end });
      this.#lookSoon(of.call);
    });
  }

  /** By then the tool that heard of it has asked for the next one. */
  #lookSoon(call: string): void {
    setImmediate(() => this.#look(call));
  }

  #look(call: string): void {
    const works = this.#works.get(call) ?? new Set();
    this.#beginNext(works);
    if (this.#left.has(call)) this.#dropUnplaced(call);
    const asking = this.#askingOf(call);
    if (works.size === 0) for (const one of asking) one.end(undefined);
    else if (asking.some(({ told }) => !told)) {
      for (const one of asking) one.told = true;
      this.#asks?.();
    }
  }

  #beginNext(works: ReadonlySet<Work>): void {
    const next = [...works].filter(({ hasBegun }) => !hasBegun);
    let working = works.size - next.length;
    for (const work of next.toSorted((a, b) => Number(a.isNew) - Number(b.isNew))) {
      work.hadNoPlace = working >= work.most;
      if (work.hadNoPlace) continue;
      work.begin();
      working += 1;
    }
  }

  #dropUnplaced(call: string): void {
    const why = new Error(endings.noPlace);
    for (const work of this.#works.get(call) ?? []) if (work.isNew && !work.hasBegun && work.hadNoPlace) work.drop(why);
  }

  #askingOf(call: string): Asking[] {
    return [...this.#asking.values()].filter((one) => one.call === call);
  }
}
