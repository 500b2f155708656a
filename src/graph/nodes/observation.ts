import { ToolMessage } from "@langchain/core/messages";
import type { ToolCallInfo } from "../../core/call.ts";
import { canonicalJson } from "../../core/json.ts";
import type { Runtime } from "../runtime.ts";
import { type AgentStateUpdate, type AgentStateValue, type Ending, type Repetition, stepIdOf } from "../state.ts";
import { arePassed, isCheckMessage } from "../talk/checks.ts";
import { observationOf } from "../talk/observation-text.ts";
import { isCommandCall } from "../talk/person-call.ts";

/** As many equal failing steps in a row end the turn: the model is stuck. */
export const maxRepetitions = 4;

function repetitionOf(before: Repetition | null, calls: readonly ToolCallInfo[]): Repetition | null {
  if (calls.some((call) => call.status !== "error")) return null;
  const signature = canonicalJson(calls.map((call) => [call.toolName, call.rawArguments ?? call.arguments]));
  return before?.signature === signature ? { signature, count: before.count + 1 } : { signature, count: 1 };
}

function endsTurn(runtime: Runtime, calls: readonly ToolCallInfo[]): boolean {
  return calls.some((call) => {
    if (isCommandCall(runtime.registry, call)) return true;
    const ends = runtime.registry.get(call.toolName)?.endsTurn;
    if (ends === undefined || call.status !== "success") return false;
    return typeof ends === "function" ? ends(call.result) : ends;
  });
}

/** What came of each call; the same words as the model's, whose own view is rendered from the journal. */
const observations = ({ journal }: Runtime, calls: readonly ToolCallInfo[]): ToolMessage[] =>
  calls.map(
    (call) =>
      new ToolMessage({
        id: `o-${call.callId}`,
        tool_call_id: call.callId,
        name: call.toolName,
        ...observationOf(call, journal.askedArguments(call.callId)),
      }),
  );

/** Closes the step: one tool message a call, what its calls were prepared with let go, next step counted. */
export function observe(runtime: Runtime, state: AgentStateValue): AgentStateUpdate {
  const calls = runtime.journal.callsOf(stepIdOf(state));
  const repetition = repetitionOf(state.repetition, calls);
  runtime.prepared.clear();
  let ending: Ending | null = runtime.ending;
  if (ending === null && endsTurn(runtime, calls)) ending = "ends_turn";
  if (ending === null && isCheckMessage(state.messages.at(-1)) && arePassed(calls)) ending = "ends_turn";
  if (ending === null && (repetition?.count ?? 0) >= maxRepetitions) ending = "stuck";
  if (ending === null && runtime.signal.aborted && !runtime.leaving) ending = "cancelled";
  return {
    messages: observations(runtime, calls),
    pendingToolCalls: [],
    completedToolCalls: [],
    step: state.step + 1,
    ending,
    repetition,
  };
}
