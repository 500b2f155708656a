import type { ToolCallInfo } from "../core/call.ts";
import { observationText } from "../graph/talk/observation-text.ts";
import { formatResult } from "../model/xml/format-calls.ts";

/**
 * Writes the text that a model without function calling reads of a call, in any state: `<tool_result>` with its name, id, status and output.
 * @throws TypeError for what is no call of a session.
 */
export function formatXmlToolResult(call: ToolCallInfo): string {
  const { toolName: name, callId, status } = (call ?? {}) as Partial<ToolCallInfo>;
  if (name === undefined || callId === undefined || status === undefined)
    throw new TypeError(
      "call must be a ToolCallInfo, with toolName, callId and status, as the events of a session have it",
    );
  return formatResult({ name, callId, status, output: observationText(call) });
}
