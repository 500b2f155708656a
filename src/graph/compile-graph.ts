import { type BaseCheckpointSaver, END, type LangGraphRunnableConfig, START, StateGraph } from "@langchain/langgraph";
import { awaitApproval } from "./nodes/human-approval.ts";
import { observe } from "./nodes/observation.ts";
import { reason } from "./nodes/reasoning.ts";
import { awaitRecovery } from "./nodes/recovery.ts";
import { executeCalls } from "./nodes/tool-execution.ts";
import { routeCalls } from "./nodes/tool-routing.ts";
import { afterCalls, afterObservation, afterReasoning, type Next, type NodeName } from "./routes.ts";
import { forRun, type Run, type Runtime } from "./runtime.ts";
import { AgentState, type AgentStateUpdate, type AgentStateValue, isAskedOn } from "./state.ts";
import type { Thread } from "./thread.ts";
import { endTurn } from "./turn-end.ts";

/** Supersteps that one step may take at the most, for LangGraph's own limit; calls that drift go round again. */
export const superstepsPerStep = 12;

type Node = (runtime: Runtime, state: AgentStateValue) => AgentStateUpdate | Promise<AgentStateUpdate>;

/**
 * For a graph behind which nobody stands who would end its turns. A node of its own, so that what its journal says never comes before the
 * checkpoint that holds the turn's last words: both go to disk together.
 */
async function writtenEnd(runtime: Runtime, state: AgentStateValue): Promise<AgentStateUpdate> {
  await endTurn(runtime, state);
  return {};
}

/** The state graph: reasoning -> tool_routing -> human_approval -> tool_execution -> (recovery) -> observation. */
export function compileGraph(
  threadOf: (config: LangGraphRunnableConfig, state: AgentStateValue) => Thread | Promise<Thread>,
  checkpointer?: BaseCheckpointSaver,
) {
  const driven = (node: Node) => async (state: AgentStateValue, config: LangGraphRunnableConfig) => {
    const { session, run, within } = await threadOf(config, state);
    const runtime = forRun(session, run);
    const work = async () => node(runtime, state);
    const update = within === undefined ? await work() : await within(work);
    if (runtime.changes.size === 0) return update;
    return { ...update, changes: { ...state.changes, ...Object.fromEntries(runtime.changes) } };
  };
  const toEnd = (next: Next, { writesEnd }: Run): Next | "turn_end" =>
    next === END && writesEnd === true ? "turn_end" : next;
  const afterReasoned = async (state: AgentStateValue, config: LangGraphRunnableConfig) => {
    const step = isAskedOn(state) ? state.step - 1 : state.step;
    const { run } = await threadOf(config, { ...state, step });
    return toEnd(afterReasoning(state, run.lastStep), run);
  };
  const afterObserving = async (state: AgentStateValue, config: LangGraphRunnableConfig) => {
    if (state.pendingToolCalls.length > 0) return afterCalls(state);
    const { run } = await threadOf(config, { ...state, step: state.step - 1 });
    return toEnd(afterObservation(state, run.lastStep), run);
  };
  const openCallTargets: NodeName[] = ["recovery", "human_approval", "tool_execution"];
  const callTargets: NodeName[] = [...openCallTargets, "observation"];
  return new StateGraph(AgentState)
    .addNode("reasoning", driven(reason))
    .addNode("tool_routing", driven(routeCalls))
    .addNode("human_approval", driven(awaitApproval))
    .addNode("tool_execution", driven(executeCalls))
    .addNode("recovery", driven(awaitRecovery))
    .addNode("observation", driven(observe))
    .addNode("turn_end", driven(writtenEnd))
    .addEdge(START, "reasoning")
    .addConditionalEdges("reasoning", afterReasoned, ["tool_routing", "reasoning", "turn_end", END])
    .addConditionalEdges("tool_routing", afterCalls, callTargets)
    .addConditionalEdges("human_approval", afterCalls, callTargets)
    .addConditionalEdges("tool_execution", afterCalls, callTargets)
    .addConditionalEdges("recovery", afterCalls, callTargets)
    .addConditionalEdges("observation", afterObserving, ["reasoning", "turn_end", END, ...openCallTargets])
    .addEdge("turn_end", END)
    .compile(checkpointer === undefined ? {} : { checkpointer });
}

export type AgentGraph = ReturnType<typeof compileGraph>;
