import { type ToolCallInfo, undoToolName } from "../../core/call.ts";

/** The fields of a call that tell which calls it took back. */
export type NamedCall = Pick<ToolCallInfo, "callId" | "toolName" | "status" | "arguments">;

/** By the calls of a session, which calls of its tree are taken back, each by the call that did it. One that was taken back and put again is not in it. */
export function undoneCalls(calls: readonly NamedCall[]): Map<string, string> {
  const undone = new Map<string, string>();
  // From the end: an undo that was taken back itself has taken back nothing.
  for (const call of calls.toReversed()) {
    if (call.toolName !== undoToolName || call.status !== "success" || undone.has(call.callId)) continue;
    for (const id of namedBy(call)) if (!undone.has(id)) undone.set(id, call.callId);
  }
  return undone;
}

/** The calls that an undo takes back. */
export function namedBy(call: Pick<NamedCall, "arguments">): string[] {
  const named = call.arguments["calls"];
  return Array.isArray(named) ? named.filter((id) => typeof id === "string") : [];
}
