import type { ToolCallInfo } from "../core/call.ts";
import { isFinal } from "../core/call.ts";
import type { AgentStateValue } from "./state.ts";

export type NodeName = "reasoning" | "tool_routing" | "human_approval" | "tool_execution" | "recovery" | "observation";

export type Next = NodeName | "__end__";

/** Steps of this run and how many it may take. */
export interface StepBudget {
  taken: number;
  max: number;
}

const has = (calls: readonly ToolCallInfo[], status: ToolCallInfo["status"]) => calls.some((c) => c.status === status);

export function afterReasoning(state: Pick<AgentStateValue, "pendingToolCalls" | "completedToolCalls">): Next {
  return state.pendingToolCalls.length + state.completedToolCalls.length > 0 ? "tool_routing" : "__end__";
}

/** Unsettled ends come first, then questions, then work; the observation only when every call is settled. */
export function afterCalls(state: Pick<AgentStateValue, "pendingToolCalls">): Next {
  const calls = state.pendingToolCalls;
  if (has(calls, "interrupted")) return "recovery";
  if (has(calls, "awaiting_approval")) return "human_approval";
  if (calls.some((call) => !isFinal(call))) return "tool_execution";
  return "observation";
}

export function afterObservation(state: Pick<AgentStateValue, "ending">, budget: StepBudget): Next {
  if (state.ending !== null) return "__end__";
  return budget.taken >= budget.max ? "__end__" : "reasoning";
}
