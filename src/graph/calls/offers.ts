import type { ToolCallInfo } from "../../core/call.ts";
import type { Tool } from "../../core/tool.ts";
import { decide } from "../../policy/decide.ts";
import type { CallFacts, GrantOffer, Mode } from "../../policy/types.ts";
import { isPlanTool } from "../../tools/goals/present-plan.ts";
import type { Runtime } from "../runtime.ts";
import { factsOf, withPast } from "./call-facts.ts";
import { pastOf } from "./read-before.ts";

/** The grants and the mode that would have allowed a call that waits without a question, and such calls from then on. */
export interface Offers {
  /** Narrowest first, at most three. */
  grants: GrantOffer[];
  /** A mode that allows such calls; of a plan one in which it may be worked. */
  mode?: Mode;
}

/**
 * Returns the facts that policy looks at of a call that waits, with those that the session has come upon by now; undefined where its plan is not
 * known.
 */
export function waitingFacts(
  { journal, prepared, ...bounds }: Runtime,
  { callId, digest }: Pick<ToolCallInfo, "callId" | "digest">,
  tool: Tool,
): CallFacts | undefined {
  const past = () => pastOf(journal);
  const known = prepared.get(callId);
  if (known !== undefined && known.digest === digest) return withPast(known.facts, past);
  const plan = journal.planOf(callId);
  return plan && factsOf(tool, plan, bounds, { past });
}

/**
 * Returns the choices that a person has beside "once". They are worked out when somebody looks at them, by the rules of that moment. Nothing of
 * a call that waits no more, and nothing of what the person commanded, which is decided each time.
 */
export async function offersOf(runtime: Runtime, callId: string): Promise<Offers> {
  const call = runtime.journal.call(callId);
  const tool = call && runtime.catalogue.get(call.toolName);
  if (call?.status !== "awaiting_approval" || tool === undefined || tool.audience === "person") return { grants: [] };
  const facts = waitingFacts(runtime, call, tool);
  if (facts === undefined) return { grants: [] };
  const policy = await runtime.policy(runtime.mode);
  // Of a child that was begun with less it would not hold.
  const { rule } = decide(facts, await runtime.policy("accept-edits"));
  const isAccepted = isPlanTool(tool) || (policy.mode === "ask" && rule.source === "mode");
  return {
    grants: runtime.offers(facts, policy),
    ...(isAccepted ? { mode: "accept-edits" } : {}),
  };
}
