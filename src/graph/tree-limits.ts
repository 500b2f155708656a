import type { Model } from "../model/port.ts";
import type { Journal, Spent } from "../store/types.ts";

/** The reason why a run goes no further. */
export type LimitReached = "max_cost" | "max_steps";

export interface RunLimits {
  /** Of the session that is run, not of a child. */
  journal: Pick<Journal, "spentInTree" | "stepsInTree">;
  maxSteps: number;
  maxCost?: number | undefined;
}

/** A session that asks its model, as far as its limits need it. */
interface Asking {
  readonly model: Model;
  /** Of a child: its name, and what it may cost by itself. */
  readonly agent?: string;
  readonly costEver?: number | undefined;
  readonly journal: Pick<Journal, "spent">;
  readonly signal: AbortSignal;
}

/** The names by which the person knows the limits of a run. */
export interface LimitNames {
  readonly maxSteps?: string;
  readonly maxCost?: string;
}

/** Tells whether so much was spent. A reply whose cost nobody knows is one too many: the limit could not be kept. */
export const isSpent = (most: number, { cost = 0, unpriced }: Pick<Spent, "cost" | "unpriced">): boolean =>
  cost >= most || unpriced > 0;

/** Tells whether a child has cost all that it may by its own definition. */
export const isOverOwnCost = ({ costEver, journal, model }: Pick<Asking, "costEver" | "journal" | "model">): boolean =>
  costEver !== undefined &&
  model.scripted !== true &&
  (model.price === undefined || isSpent(costEver, journal.spent()));

/**
 * Returns the kind of a request, on which its likely cost hangs: its model, and whether it is of the session that is run or of a child: their
 * talks begin otherwise.
 */
const kindOf = ({ model, agent }: Pick<Asking, "model" | "agent">): string =>
  `${agent === undefined ? "root" : "child"} ${model.spec}`;

const besideOf = ({ model }: Pick<Asking, "model">): string => `beside ${model.spec}`;

// Keeps graph 19.
/** The limits of one run, which hold for all that its calls drive: what children take meanwhile counts against them. */
export class TreeLimits {
  readonly #journal: RunLimits["journal"];
  readonly #maxSteps: number;
  readonly #maxCost: number | undefined;
  /** The tree's spending before. */
  readonly #spent: Spent;
  readonly #steps: number;
  /** Steps whose reply is not stored yet. */
  readonly #asking = new Set<{ kind: string; isStep: boolean }>();
  /** By kind of request: what the dearest reply has cost. */
  readonly #dearest = new Map<string, number>();
  /** Steps that wait until another one has its reply. */
  readonly #waiting = new Set<() => void>();

  constructor({ journal, maxSteps, maxCost }: RunLimits) {
    this.#journal = journal;
    this.#maxSteps = maxSteps;
    this.#maxCost = maxCost;
    this.#spent = journal.spentInTree();
    this.#steps = journal.stepsInTree();
  }

  /** Returns the reason why no session of the tree may take another step; undefined where one may. */
  reached(model: Model): LimitReached | undefined {
    if (this.isOverspent(model)) return "max_cost";
    const underWay = [...this.#asking].filter(({ isStep }) => isStep).length;
    const taken = this.#journal.stepsInTree() - this.#steps + underWay;
    return taken >= this.#maxSteps ? "max_steps" : undefined;
  }

  /** A reply whose cost nobody knows is one too many: the limit could not be kept. What a script says costs nothing. */
  isOverspent({ scripted }: Model): boolean {
    if (this.#maxCost === undefined || scripted === true) return false;
    const { cost, unpriced } = this.#since();
    return isSpent(this.#maxCost, { cost, unpriced });
  }

  /**
   * Takes a step, which counts from now on: sessions that ask side by side take no more together than one alone. Under a limit of cost it
   * waits while those under way may spend what is left. @param instead what comes of it where a limit is reached, or the run is stopped, by then
   */
  takeStep<T>(
    runtime: Pick<Asking, "model" | "agent" | "signal">,
    step: () => Promise<T>,
    instead: (why: LimitReached | "stopped") => T,
  ): Promise<T> {
    const asking = { kind: kindOf(runtime), isStep: true };
    return this.#inTurn(runtime, { asking, instead, reached: () => this.reached(runtime.model), step });
  }

  /** The same of a request that is no step of any session: only what it costs counts. */
  askBeside<T>(
    runtime: Pick<Asking, "model" | "signal">,
    step: () => Promise<T>,
    instead: (why: LimitReached | "stopped") => T,
  ): Promise<T> {
    const asking = { kind: besideOf(runtime), isStep: false };
    const reached = () => (this.isOverspent(runtime.model) ? "max_cost" : undefined);
    return this.#inTurn(runtime, { asking, instead, reached, step });
  }

  async #inTurn<T>(
    runtime: Pick<Asking, "model" | "signal">,
    {
      asking,
      instead,
      reached,
      step,
    }: {
      asking: { kind: string; isStep: boolean };
      instead: (why: LimitReached | "stopped") => T;
      reached: () => LimitReached | undefined;
      step: () => Promise<T>;
    },
  ): Promise<T> {
    while (!this.#mayAsk(runtime.model)) {
      await this.#oneHasAsked(runtime.signal);
      if (runtime.signal.aborted) return instead("stopped");
    }
    const why = reached();
    if (why !== undefined) return instead(why);
    this.#asking.add(asking);
    try {
      return await step();
    } finally {
      this.#asking.delete(asking);
      for (const wake of this.#waiting) wake();
    }
  }

  /** Replies of which nobody knows what they cost. */
  get unpriced(): number {
    return this.#since().unpriced;
  }

  /** Of a reply that is stored. */
  noteCost(runtime: Pick<Asking, "model" | "agent">, cost: number): void {
    this.#note(kindOf(runtime), cost);
  }

  /** Of a request beside that is stored. */
  noteCostBeside(runtime: Pick<Asking, "model">, cost: number): void {
    this.#note(besideOf(runtime), cost);
  }

  #note(kind: string, cost: number): void {
    this.#dearest.set(kind, Math.max(cost, this.#dearest.get(kind) ?? 0));
  }

  /** Each request under way counts as the dearest of its kind; one of which that is not known yet goes alone. */
  #mayAsk({ scripted }: Model): boolean {
    if (this.#maxCost === undefined || scripted === true || this.#asking.size === 0) return true;
    const known = [...this.#asking].map(({ kind }) => this.#dearest.get(kind) ?? Number.POSITIVE_INFINITY);
    return known.reduce((sum, one) => sum + one, this.#since().cost) < this.#maxCost;
  }

  #since(): { cost: number; unpriced: number } {
    const { cost = 0, unpriced } = this.#journal.spentInTree();
    return { cost: cost - (this.#spent.cost ?? 0), unpriced: unpriced - this.#spent.unpriced };
  }

  /** Until a request that was under way has come to its end, or the signal is aborted. */
  #oneHasAsked(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}
