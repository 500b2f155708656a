import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/types.ts";

/** LangGraph's own suite for checkpointers, over a store that keeps every checkpoint. */
const opened = new Map<object, Store>();
const initializer = {
  checkpointerName: "StoreSaver",
  createCheckpointer: async () => {
    const store = await openStore({ file: ":memory:", keepAll: true });
    opened.set(store.saver, store);
    return store.saver;
  },
  destroyCheckpointer: (saver: object) => {
    opened.get(saver)?.close();
    opened.delete(saver);
  },
};

validate(initializer);
deltaChannelHistoryTests(initializer);
