import { ToolMessage } from "@langchain/core/messages";
import type { ToolCallInfo } from "../../tools/contract/call.ts";
import { canonicalJson } from "../../tools/contract/json.ts";
import type { Runtime } from "../runtime.ts";
import { type AgentStateUpdate, type AgentStateValue, type Ending, type Repetition, stepIdOf } from "../state.ts";

/** As many equal failing steps in a row end the turn: the model is stuck. */
export const maxRepetitions = 4;

function repetitionOf(before: Repetition | null, calls: readonly ToolCallInfo[]): Repetition | null {
  if (calls.some((call) => call.status !== "error")) return null;
  const signature = canonicalJson(calls.map((call) => [call.toolName, call.rawArguments ?? call.arguments]));
  return before?.signature === signature ? { signature, count: before.count + 1 } : { signature, count: 1 };
}

function endsTurn(runtime: Runtime, calls: readonly ToolCallInfo[]): boolean {
  return calls.some((call) => {
    const ends = runtime.registry.get(call.toolName)?.endsTurn;
    if (ends === undefined || call.status !== "success") return false;
    return typeof ends === "function" ? ends(call.result) : ends;
  });
}

/**
 * Closes the step: one tool message a call, without text (what the model reads is rendered from the journal, where the
 * result is stored once), buffers emptied, next step counted.
 */
export function observe(runtime: Runtime, state: AgentStateValue): AgentStateUpdate {
  const calls = runtime.journal.callsOf(stepIdOf(state));
  const repetition = repetitionOf(state.repetition, calls);
  let ending: Ending | null = runtime.ending;
  if (ending === null && endsTurn(runtime, calls)) ending = "ends_turn";
  if (ending === null && (repetition?.count ?? 0) >= maxRepetitions) ending = "stuck";
  if (ending === null && runtime.signal.aborted) ending = "cancelled";
  return {
    messages: calls.map(
      (call) =>
        new ToolMessage({ id: `o-${call.callId}`, tool_call_id: call.callId, name: call.toolName, content: "" }),
    ),
    pendingToolCalls: [],
    completedToolCalls: [],
    step: state.step + 1,
    ending,
    repetition,
  };
}
