import type { Journal, Store } from "../../src/store/types.ts";

/** Between the agent and its store: each journal with these in the place of its own. */
export const journalsWith =
  (others: (journal: Journal) => Partial<Journal>) =>
  (store: Store): Store =>
    withOthers(store, {
      journal(lease) {
        const journal = store.journal(lease);
        return withOthers(journal, others(journal));
      },
    });

function withOthers<T extends object>(target: T, others: Partial<T>): T {
  return new Proxy(target, {
    get(_, key) {
      const value: unknown = Reflect.get(Object.hasOwn(others, key) ? others : target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
