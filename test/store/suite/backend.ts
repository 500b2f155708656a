import type { OpenOptions } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/types.ts";

/** A kind of store, as the suite of what any store does opens it. */
export interface Backend {
  /** A fresh one; it is closed after the test. */
  open(options?: Omit<Partial<OpenOptions>, "file">): Promise<Store>;
  /** The store as the next process finds it; one that no other process finds stays what it is. */
  reopened(store: Store): Promise<Store>;
}
