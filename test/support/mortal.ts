import type { CallMove, Journal, Store } from "../../src/store/types.ts";

class Death extends Error {
  override readonly name = "Death";
}

/** A process's life as its store sees it: which write it dies at, and what it had written until then. */
export interface Fate {
  /** Between the agent and its store. */
  wrap(store: Store): Store;
  /** The writes so far, by name; those of a dead process are not among them. */
  readonly writes: string[];
  readonly dead: boolean;
  /** Dies now: nothing more reaches the store. */
  die(): never;
}

const journalWrites = new Set([
  "addTurn",
  "addSteer",
  "tellSteers",
  "steerToTurn",
  "withdrawWaiting",
  "setTurn",
  "commitReply",
  "addCompaction",
  "noteSpent",
  "undoCompaction",
  "move",
  "notePublished",
  "noteGrantKept",
  "noteChild",
  "keepOutput",
  "noteHeard",
  "noteJobTold",
  "setState",
  "setModel",
  "noteModelTitle",
]);
const saverWrites = new Set(["put", "putWrites"]);

/** The write that marks a call as begun. */
export const begins = (name: string, [moves]: readonly unknown[]): boolean =>
  name === "move" && (moves as CallMove[]).some(({ after }) => after.status === "executing");

/** The write that says that a call succeeded. */
export const succeeds: typeof begins = (name, [moves]) =>
  name === "move" && (moves as CallMove[]).some(({ after }) => after.status === "success");

/**
 * @param at the write to die at, by its number from 1 or by what it is, and whether just before it is committed or just after;
 * undefined: never.
 */
export function fateOf(at?: { write: number | typeof begins; when: "before" | "after" }): Fate {
  const writes: string[] = [];
  let dead = false;
  const die = (): never => {
    dead = true;
    throw new Death("the process is dead");
  };
  const isMine = (name: string, given: readonly unknown[]): boolean =>
    typeof at?.write === "function" ? at.write(name, given) : writes.length + 1 === at?.write;
  const through = async (name: string, given: readonly unknown[], write: () => Promise<unknown>): Promise<unknown> => {
    if (dead) die();
    const mine = isMine(name, given);
    if (mine && at?.when === "before") die();
    writes.push(name);
    const result = await write();
    if (dead || mine) die();
    return result;
  };
  const gated = <T extends object>(target: T, names: ReadonlySet<string>): T =>
    new Proxy(target, {
      get(_, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== "function") return value;
        if (typeof key !== "string" || !names.has(key)) return value.bind(target);
        return (...given: unknown[]) => through(key, given, async () => value.apply(target, given) as unknown);
      },
    });
  const wrap = (store: Store): Store => {
    const saver = gated(store.saver, saverWrites);
    const journal: Store["journal"] = (lease) => gated<Journal>(store.journal(lease), journalWrites);
    return new Proxy(store, {
      get(target, key) {
        if (key === "saver") return saver;
        if (key === "journal") return journal;
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  };
  return {
    wrap,
    writes,
    get dead() {
      return dead;
    },
    die,
  };
}
