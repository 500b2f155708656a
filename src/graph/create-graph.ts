import { type BaseCheckpointSaver, Command, END, START, StateGraph } from "@langchain/langgraph";
import { awaitApproval } from "./nodes/human-approval.ts";
import { observe } from "./nodes/observation.ts";
import { reason } from "./nodes/reasoning.ts";
import { awaitRecovery } from "./nodes/recovery.ts";
import { executeCalls } from "./nodes/tool-execution.ts";
import { routeCalls } from "./nodes/tool-routing.ts";
import { afterCalls, afterObservation, afterReasoning, type NodeName } from "./routes.ts";
import type { Runtime } from "./runtime.ts";
import { AgentState, type AgentStateUpdate, type AgentStateValue } from "./state.ts";

/** Supersteps that one step may take at the most, for LangGraph's own limit; calls that drift go round again. */
export const superstepsPerStep = 12;

type Node = (runtime: Runtime, state: AgentStateValue) => AgentStateUpdate | Promise<AgentStateUpdate>;
/** What the routes read of the state: no list that a reducer puts together. */
type Routed = Omit<AgentStateValue, "messages">;

/** The state graph of one session: reasoning -> tool_routing -> human_approval -> tool_execution -> observation. */
export function buildGraph(runtime: Runtime, checkpointer: BaseCheckpointSaver) {
  const callTargets: NodeName[] = ["recovery", "human_approval", "tool_execution", "observation"];
  /** A node names its successor itself: a conditional edge would have the whole state read once more for the same route. */
  const then = (node: Node, route: (state: Routed) => NodeName | typeof END) => async (state: AgentStateValue) => {
    const update = await node(runtime, state);
    return new Command({ update, goto: route({ ...state, ...update } as Routed) });
  };
  return new StateGraph(AgentState)
    .addNode("reasoning", then(reason, afterReasoning), { ends: ["tool_routing", END] })
    .addNode("tool_routing", then(routeCalls, afterCalls), { ends: callTargets })
    .addNode("human_approval", then(awaitApproval, afterCalls), { ends: callTargets })
    .addNode("tool_execution", then(executeCalls, afterCalls), { ends: callTargets })
    .addNode("recovery", then(awaitRecovery, afterCalls), { ends: callTargets })
    .addNode(
      "observation",
      then(observe, (state) => afterObservation(state, runtime.budget)),
      {
        ends: ["reasoning", END],
      },
    )
    .addEdge(START, "reasoning")
    .compile({ checkpointer });
}

export type AgentGraph = ReturnType<typeof buildGraph>;
