import { advance, type CallOf } from "../../../src/core/call.ts";
import { sha256 } from "../../../src/core/json.ts";
import type { Plan } from "../../../src/core/tool.ts";
import type { AnswerRow, Journal } from "../../../src/store/types.ts";
import { commitCalls, pendingCall } from "../support.ts";

export const digest = sha256("the plan");
export const plan: Plan = { summary: "edit a", cwd: "/w", diff: "-a\n+b" };

export const waitingCall = (callId = "c1"): CallOf<"pending"> =>
  pendingCall(callId, { toolName: "edit_file", effect: "file", risk: "medium" });
export const ask = (call: CallOf<"pending">, of = digest): CallOf<"awaiting_approval"> =>
  advance<"pending", "awaiting_approval">(call, { status: "awaiting_approval", digest: of });
export const approve = (call: CallOf<"awaiting_approval">): CallOf<"pending"> =>
  advance<"awaiting_approval", "pending">(call, { status: "pending", by: { actor: "person" } });
export const yes = (callId = "c1", of = digest): AnswerRow => ({
  callId,
  digest: of,
  decision: "approve",
  at: 9,
  by: "person",
});

/** A call that was asked about and approved. */
export async function approved(journal: Journal): Promise<CallOf<"pending">> {
  const call = waitingCall();
  await commitCalls(journal, "1.1", [call]);
  const asked = ask(call);
  await journal.move([{ before: call, after: asked, plan }]);
  const agreed = approve(asked);
  await journal.move([{ before: asked, after: agreed }], yes());
  return agreed;
}
