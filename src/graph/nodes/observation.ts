import { ToolMessage } from "@langchain/core/messages";
import { isFinal, type ToolCallInfo } from "../../core/call.ts";
import { hearAfter, hearStop } from "../calls/hooks.ts";
import { hasRefused, mostTries, outputOf, triesBefore } from "../output.ts";
import type { Runtime } from "../runtime.ts";
import { type AgentStateUpdate, type AgentStateValue, type Ending, stepIdOf } from "../state.ts";
import { type Getting, gettingOn } from "../stuck.ts";
import { arePassed, isCheckMessage } from "../talk/checks.ts";
import { alikeNotice } from "../talk/notices.ts";
import { observationOf } from "../talk/observation-text.ts";
import { isCommandCall } from "../talk/person-call.ts";
import { tellFolders } from "../talk/prompt/folder-instructions.ts";
import { endingCall } from "../turn-end.ts";
import { standing } from "./step-calls.ts";

/** Makes a message of the outcome of each call; the same words as the model's, whose own view is rendered from the journal. */
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

/**
 * Returns the reason why the turn goes no further after these calls, by the journal and by what hooks say of last words whose checks have
 * passed; null where it does.
 */
async function endingOf(
  runtime: Runtime,
  state: AgentStateValue,
  calls: readonly ToolCallInfo[],
  getting: Getting,
): Promise<Ending | null> {
  const { journal, catalogue } = runtime;
  if (calls.some((call) => isCommandCall(catalogue, call))) return "ends_turn";
  const ended = endingCall(runtime, state.turn, calls);
  if (ended !== undefined) return ended.output?.ok === false ? "no_output" : "ends_turn";
  const stepId = stepIdOf(state);
  const words = state.messages.at(-1);
  if (words !== undefined && isCheckMessage(words) && arePassed(calls))
    return (await hearStop(runtime, stepId, words)) ? null : "ends_turn";
  const isRefused = outputOf(journal, state.turn) !== undefined && hasRefused(journal, stepId);
  if (isRefused && triesBefore(journal, stepId) + 1 >= mostTries) return "no_output";
  return getting.stuck ? "stuck" : null;
}

/**
 * Closes the step: one tool message a call, what its calls were prepared with let go, next step counted. A step with an open call is not
 * closed: only a state that somebody else wrote leads here with one, and it is put right by the journal.
 */
export async function observe(runtime: Runtime, state: AgentStateValue): Promise<AgentStateUpdate> {
  const stepId = stepIdOf(state);
  const calls = runtime.journal.callsOf(stepId);
  if (!calls.every(isFinal)) return standing(runtime, state);
  const getting = gettingOn(runtime.journal, stepId);
  await hearAfter(runtime, stepId);
  await tellFolders(runtime, stepId, calls);
  runtime.prepared.clear();
  runtime.parsed.clear();
  let ending: Ending | null = runtime.ending ?? (await endingOf(runtime, state, calls, getting));
  if (ending === null && runtime.signal.aborted && !runtime.leaving) ending = "cancelled";
  if (ending === null && getting.told.length > 0)
    runtime.emit({ type: "notice", code: "no_progress", text: alikeNotice(getting.told) });
  return {
    messages: observations(runtime, calls),
    pendingToolCalls: [],
    completedToolCalls: [],
    step: state.step + 1,
    ending,
  };
}
