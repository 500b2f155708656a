import { compose } from "./cli/composition.ts";
import { type AgentGraph, createGraph } from "./graph/create-graph.ts";

/**
 * The graph that `langgraph.json` names, with this folder, environment and configuration, for a server of LangGraph's: that
 * one brings the checkpointer; the journal is in the user's store.
 */
export async function graph(): Promise<AgentGraph> {
  const composition = await compose(process, { allow: [] });
  const { workspace, model, mode, policy, config } = composition;
  const [store, { tools }, { maxSteps, maxObserve }] = await Promise.all([
    composition.store(),
    composition.tools(workspace),
    composition.local(workspace),
  ]);
  return createGraph({
    workspace,
    model: () => composition.openModel(model),
    tools,
    policy,
    mode,
    store,
    maxSteps,
    compact: config.compact,
    ...(maxObserve === undefined ? {} : { maxObserve }),
    systemPrompt: () => composition.prompt(workspace),
  });
}
