import type { Model } from "../model/port.ts";
import type { Journal, Spent } from "../store/types.ts";
import type { Runtime } from "./runtime.ts";

/** Why a run goes no further. */
export type LimitReached = "max_cost" | "max_steps";

export interface RunLimits {
  /** Of the session that is run, not of a child. */
  journal: Pick<Journal, "spentInTree" | "stepsInTree">;
  maxSteps: number;
  maxCost?: number | undefined;
}

/** Whether so much was spent. A reply whose cost nobody knows is one too many: the limit could not be kept. */
export const isSpent = (most: number, { cost = 0, unpriced }: Spent): boolean => cost >= most || unpriced > 0;

/** Whether a child has cost what it may by its own definition. */
export const isOverOwnCost = ({ costEver, journal, model }: Pick<Runtime, "costEver" | "journal" | "model">): boolean =>
  costEver !== undefined &&
  model.scripted !== true &&
  (model.price === undefined || isSpent(costEver, journal.spent()));

// Keeps graph 19.
/** The limits of one run, which hold for all that its calls drive: what children take meanwhile counts against them. */
export class TreeLimits {
  readonly #journal: RunLimits["journal"];
  readonly #maxSteps: number;
  readonly #maxCost: number | undefined;
  /** What the tree had taken before. */
  readonly #spent: Spent;
  readonly #steps: number;
  /** Steps whose reply is not stored yet. */
  #asking = 0;

  constructor({ journal, maxSteps, maxCost }: RunLimits) {
    this.#journal = journal;
    this.#maxSteps = maxSteps;
    this.#maxCost = maxCost;
    this.#spent = journal.spentInTree();
    this.#steps = journal.stepsInTree();
  }

  /** Why no session of the tree may take another step; undefined where one may. */
  reached(model: Model): LimitReached | undefined {
    if (this.isOverspent(model)) return "max_cost";
    const taken = this.#journal.stepsInTree() - this.#steps + this.#asking;
    return taken >= this.#maxSteps ? "max_steps" : undefined;
  }

  /** A reply whose cost nobody knows is one too many: the limit could not be kept. What a script says costs nothing. */
  isOverspent({ scripted }: Model): boolean {
    if (this.#maxCost === undefined || scripted === true) return false;
    const { cost = 0, unpriced } = this.#journal.spentInTree();
    return cost - (this.#spent.cost ?? 0) >= this.#maxCost || unpriced > this.#spent.unpriced;
  }

  /** Takes a step, which counts from now on: sessions that ask side by side take no more together than one alone. */
  async takeStep<T>(step: () => Promise<T>): Promise<T> {
    this.#asking += 1;
    try {
      return await step();
    } finally {
      this.#asking -= 1;
    }
  }
}
