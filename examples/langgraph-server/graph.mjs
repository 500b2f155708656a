// The agent as the graph of a LangGraph server, which has each talk as a thread and answers its clients over HTTP.
//
//   npx @langchain/langgraph-cli dev --no-browser --host 127.0.0.1
//
// Whoever reaches that port can ask the agent for anything, and approves it: keep it on loopback, or put in front of it what knows who people are.
import { resolve } from "node:path";
import { createGraph } from "holdfast/graph";

const { AGENT_WORKSPACE = ".", AGENT_STORE = "agent.db", AGENT_MODEL = "demo" } = process.env;

/** The server brings a checkpointer for the talk. What was approved and done is in the store, which has to last as long. */
export const graph = createGraph({
  workspace: resolve(AGENT_WORKSPACE),
  store: resolve(AGENT_STORE),
  model: AGENT_MODEL,
});
