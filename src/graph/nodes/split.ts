import { isFinal, type ToolCallInfo } from "../../core/call.ts";

/** The calls of a step as the graph's state holds them: settled ones apart from those that still have a way to go. */
export function split(calls: readonly ToolCallInfo[]): {
  pendingToolCalls: ToolCallInfo[];
  completedToolCalls: ToolCallInfo[];
} {
  return {
    pendingToolCalls: calls.filter((call) => !isFinal(call)),
    completedToolCalls: calls.filter(isFinal),
  };
}
