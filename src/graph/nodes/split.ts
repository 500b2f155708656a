import { isFinal, type ToolCallInfo } from "../../core/call.ts";
import type { StepId } from "../../core/step-id.ts";
import type { Runtime } from "../runtime.ts";
import type { AgentStateValue, WaitingChild } from "../state.ts";

type Split = Pick<AgentStateValue, "pendingToolCalls" | "completedToolCalls">;

/** The calls of a step as the graph's state holds them: settled ones apart from those that still have a way to go. */
export function split(calls: readonly ToolCallInfo[]): Split {
  return {
    pendingToolCalls: calls.filter((call) => !isFinal(call)),
    completedToolCalls: calls.filter(isFinal),
  };
}

/** The same by the journal now, with what the children of those calls wait for. */
export function standing(
  { journal, children }: Runtime,
  stepId: StepId,
): Split & Partial<Pick<AgentStateValue, "waitingChildren">> {
  const calls = journal.callsOf(stepId);
  if (children === undefined || !calls.some(({ effect }) => effect === "child")) return split(calls);
  const waitingChildren: Record<string, WaitingChild[]> = {};
  for (const { callId, status } of calls) {
    const waiting = status === "executing" ? children.waiting(callId) : [];
    if (waiting.length > 0) waitingChildren[callId] = waiting;
  }
  return { ...split(calls), waitingChildren };
}
