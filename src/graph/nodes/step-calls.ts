import { isFinal, type ToolCallInfo } from "../../core/call.ts";
import type { Runtime } from "../runtime.ts";
import { type AgentStateValue, stepIdOf, type WaitingChild } from "../state.ts";

type Split = Pick<AgentStateValue, "pendingToolCalls" | "completedToolCalls">;

/** The calls of a step as the graph's state holds them: settled ones apart from those that still have a way to go. */
export function split(calls: readonly ToolCallInfo[]): Split {
  return {
    pendingToolCalls: calls.filter((call) => !isFinal(call)),
    completedToolCalls: calls.filter(isFinal),
  };
}

/**
 * The same by the journal now, with what the children of those calls wait for. What the state has of such is kept by nobody else, and might
 * be what somebody wrote into it: where no call has children, none waits.
 */
export function standing(
  { journal, children }: Runtime,
  state: AgentStateValue,
): Split & Partial<Pick<AgentStateValue, "waitingChildren">> {
  const calls = journal.callsOf(stepIdOf(state));
  if (children === undefined || !calls.some(({ effect }) => effect === "child"))
    return Object.keys(state.waitingChildren).length === 0 ? split(calls) : { ...split(calls), waitingChildren: {} };
  const waitingChildren: Record<string, WaitingChild[]> = {};
  for (const { callId, status } of calls) {
    const waiting = status === "executing" ? children.waiting(callId) : [];
    if (waiting.length > 0) waitingChildren[callId] = waiting;
  }
  return { ...split(calls), waitingChildren };
}

/** The same behind a question, of which not all has to be answered: a call of which some children can go on now goes on beside those that wait. */
export function answered(runtime: Runtime, state: AgentStateValue): ReturnType<typeof standing> {
  const now = standing(runtime, state);
  const { waitingChildren = {} } = now;
  const held = Object.entries(waitingChildren).filter(([call]) => runtime.children?.canGoOn(call) !== true);
  return held.length === Object.keys(waitingChildren).length
    ? now
    : { ...now, waitingChildren: Object.fromEntries(held) };
}
