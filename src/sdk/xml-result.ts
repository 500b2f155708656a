import type { ToolCallInfo } from "../core/call.ts";
import { observationText } from "../graph/talk/observation-text.ts";
import { formatResult } from "../model/xml/format-calls.ts";

/** What a model without function calling reads of a call, in any state: `<tool_result>` with its name, id, status and output. */
export const formatXmlToolResult = (call: ToolCallInfo): string =>
  formatResult({ name: call.toolName, callId: call.callId, status: call.status, output: observationText(call) });
