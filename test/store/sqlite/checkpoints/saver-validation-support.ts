import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { openStore } from "../../../../src/store/open-store.ts";
import type { Store } from "../../../../src/store/types.ts";

/** What LangGraph's own suite for checkpointers is run over. */
export function savers(checkpointerName: string, keepAll: boolean) {
  const opened = new Map<object, Store>();
  return {
    checkpointerName,
    createCheckpointer: async (): Promise<BaseCheckpointSaver> => {
      const store = await openStore({ file: ":memory:", keepAll });
      opened.set(store.saver, store);
      return store.saver;
    },
    destroyCheckpointer: (saver: object): void => {
      opened.get(saver)?.close();
      opened.delete(saver);
    },
  };
}
