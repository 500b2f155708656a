import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { savers } from "./saver-validation-support.ts";

/** LangGraph's own suite for checkpointers, over a store that keeps every checkpoint. */
const keeping = savers("a saver that keeps every checkpoint", true);
validate(keeping);
deltaChannelHistoryTests(keeping);
