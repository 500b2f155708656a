import { type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import { awaitApproval } from "./nodes/human-approval.ts";
import { observe } from "./nodes/observation.ts";
import { reason } from "./nodes/reasoning.ts";
import { awaitRecovery } from "./nodes/recovery.ts";
import { executeCalls } from "./nodes/tool-execution.ts";
import { routeCalls } from "./nodes/tool-routing.ts";
import { afterCalls, afterObservation, afterReasoning } from "./routes.ts";
import type { Runtime } from "./runtime.ts";
import { AgentState } from "./state.ts";

/** Supersteps that one step may take at the most, for LangGraph's own limit; calls that drift go round again. */
export const superstepsPerStep = 12;

/** The state graph of one session: reasoning -> tool_routing -> human_approval -> tool_execution -> observation. */
export function buildGraph(runtime: Runtime, checkpointer: BaseCheckpointSaver) {
  const callTargets = ["recovery", "human_approval", "tool_execution", "observation"] as const;
  return new StateGraph(AgentState)
    .addNode("reasoning", (state) => reason(runtime, state))
    .addNode("tool_routing", (state) => routeCalls(runtime, state))
    .addNode("human_approval", (state) => awaitApproval(runtime, state))
    .addNode("tool_execution", (state) => executeCalls(runtime, state))
    .addNode("recovery", (state) => awaitRecovery(runtime, state))
    .addNode("observation", (state) => observe(runtime, state))
    .addEdge(START, "reasoning")
    .addConditionalEdges("reasoning", afterReasoning, ["tool_routing", END])
    .addConditionalEdges("tool_routing", afterCalls, [...callTargets])
    .addConditionalEdges("human_approval", afterCalls, [...callTargets])
    .addConditionalEdges("tool_execution", afterCalls, [...callTargets])
    .addConditionalEdges("recovery", afterCalls, [...callTargets])
    .addConditionalEdges("observation", (state) => afterObservation(state, runtime.budget), ["reasoning", END])
    .compile({ checkpointer });
}

export type AgentGraph = ReturnType<typeof buildGraph>;
