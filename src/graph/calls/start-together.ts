import type { CallOf, ToolCallInfo } from "../../core/call.ts";
import type { StepId } from "../../core/step-id.ts";
import type { Policy } from "../../policy/types.ts";
import { type Runtime, toolContext } from "../runtime.ts";

/**
 * Calls run one after another, and what they need (servers) comes up side by side: of the calls in a row at the front that may run now, once
 * more than one needs what is not up. One that may not run keeps back what stands behind it.
 * @param clear the last look at a call before its effect
 */
export async function startTogether(
  runtime: Runtime,
  stepId: StepId,
  open: readonly ToolCallInfo[],
  clear: (runtime: Runtime, stepId: StepId, call: CallOf<"pending">, policy: Policy) => Promise<object>,
): Promise<void> {
  const row = inARow(runtime, open);
  if (row.filter(({ needs }) => !needs.isUp()).length < 2) return;
  const starts: (() => Promise<void>)[] = [];
  for (const { call, needs } of row) {
    const cleared = await clear(runtime, stepId, call, await runtime.policy(runtime.mode));
    if (!("prepared" in cleared) || runtime.signal.aborted) break;
    if (!needs.isUp()) starts.push(() => needs.start(toolContext(runtime, { callId: call.callId, stepId })));
  }
  // Nobody waits for them here: the first call goes on as soon as its own is up.
  if (starts.length > 1 && !runtime.signal.aborted) for (const start of starts) void start();
}

function inARow({ catalogue }: Runtime, open: readonly ToolCallInfo[]) {
  const row = [];
  for (const call of open) {
    const needs = call.status === "pending" ? catalogue.get(call.toolName)?.needs : undefined;
    if (call.status !== "pending" || needs === undefined) break;
    row.push({ call, needs });
  }
  return row;
}
