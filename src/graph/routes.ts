import type { ToolCallInfo } from "../core/call.ts";
import { isFinal } from "../core/call.ts";
import { type AgentStateValue, isAskedOn } from "./state.ts";

export type NodeName = "reasoning" | "tool_routing" | "human_approval" | "tool_execution" | "recovery" | "observation";

export type Next = NodeName | "__end__";

const has = (calls: readonly ToolCallInfo[], status: ToolCallInfo["status"]) => calls.some((c) => c.status === status);

/** After a reply that is not its last word the model goes on, if the turn may. @param lastStep as for `afterObservation`. */
export function afterReasoning(
  state: Pick<AgentStateValue, "pendingToolCalls" | "completedToolCalls" | "messages" | "ending" | "turn" | "step">,
  lastStep: number,
): Next {
  if (state.pendingToolCalls.length + state.completedToolCalls.length > 0) return "tool_routing";
  return isAskedOn(state) ? afterObservation(state, lastStep) : "__end__";
}

/** Unsettled ends come first, then questions, then work; the observation only when every call is settled. */
export function afterCalls(state: Pick<AgentStateValue, "pendingToolCalls" | "waitingChildren">): Next {
  const calls = state.pendingToolCalls;
  const asked = Object.values(state.waitingChildren).flatMap((children) => children.map(({ asks }) => asks));
  if (has(calls, "interrupted") || asked.includes("recovery")) return "recovery";
  if (has(calls, "awaiting_approval") || asked.includes("approval")) return "human_approval";
  if (calls.some((call) => !isFinal(call))) return "tool_execution";
  return "observation";
}

/** @param lastStep the last step that this run may take; `step` is the one that would come now. */
export function afterObservation(state: Pick<AgentStateValue, "ending" | "step">, lastStep: number): Next {
  return state.ending !== null || state.step > lastStep ? "__end__" : "reasoning";
}
