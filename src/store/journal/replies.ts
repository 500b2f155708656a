import type { BaseMessage } from "@langchain/core/messages";
import { IllegalMove, type ToolCallInfo } from "../../core/call.ts";
import { type StepId, stepText } from "../../core/step-id.ts";
import type { RowRef } from "../commit.ts";
import { StaleMove } from "../problems.ts";
import type { Spending } from "../rows.ts";
import { packCall } from "./call-row.ts";
import type { Draft } from "./draft.ts";

export interface Reply {
  stepId: StepId;
  /** The last message of the graph's state, after which this one comes; undefined at the very start. */
  after: BaseMessage | undefined;
  message: BaseMessage;
  calls: ToolCallInfo[];
  usage?: Spending;
}

/** @throws IllegalMove */
export function checkBeginnings(calls: readonly ToolCallInfo[]): void {
  for (const call of calls)
    if (call.status !== "pending" && call.status !== "error")
      throw new IllegalMove(`call ${call.callId} cannot begin as ${call.status}`);
}

/** The message, its calls, their first events and what it took. @throws StaleMove */
export function draftReply(draft: Draft, { stepId, after, message, calls, usage }: Reply): void {
  const id = stepText(stepId);
  if (draft.rows.step(id) !== undefined) throw new StaleMove(`step ${id} has its reply already`);
  draft.must("step", { id }, "absent");
  const key = draft.message(message, after);
  const proposed = calls.map((call, index) => {
    const isThere = draft.rows.callNames().has(call.callId) || calls.slice(0, index).some(isCalled(call.callId));
    if (isThere) throw new StaleMove(`there is a call ${call.callId} already`);
    return propose(draft, call);
  });
  draft.insert("step", { id, message: key, first_call: proposed[0] ?? null, last_call: proposed.at(-1) ?? null });
  draft.touch(usage);
  if (usage !== undefined) draft.spent(stepId.turn, usage);
}

function propose(draft: Draft, call: ToolCallInfo): RowRef {
  const none = { fence: null, plan: null, children: null, done: null, verdict: null, shown: null };
  const key = draft.insert("tool_call", { ...packCall(call), ...none });
  draft.event(key, undefined, call);
  return key;
}

const isCalled =
  (id: string) =>
  ({ callId }: ToolCallInfo): boolean =>
    callId === id;
