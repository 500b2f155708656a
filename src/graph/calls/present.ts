import type { CallOf } from "../../core/call.ts";
import { ToolRefusal } from "../../core/codes.ts";
import type { Plan } from "../../core/tool.ts";
import { decide } from "../../policy/decide.ts";
import type { CallFacts } from "../../policy/types.ts";
import type { RecoveryChoice, UnsettledCall, WaitingCall } from "../events.ts";
import type { Runtime } from "../runtime.ts";
import { raced } from "../talk/observation-text.ts";
import { factsOf } from "./judge.ts";
import { partialOf } from "./partial.ts";

export type Change = NonNullable<WaitingCall["changed"]>;

/** All that a dialog shows of one waiting call: its published plan, the verdict with its reason, what may be granted. */
export async function presentWaiting(
  runtime: Runtime,
  call: CallOf<"awaiting_approval">,
  stepId: string,
  changed?: Change,
): Promise<WaitingCall> {
  const policy = await runtime.policy(runtime.mode);
  const tool = runtime.registry.get(call.toolName);
  const facts = tool === undefined ? undefined : await factsOrNothing(runtime, call, stepId);
  const verdict =
    facts === undefined
      ? {
          decision: "ask" as const,
          risk: call.risk,
          rule: { source: "table" as const },
          why: "its paths can no longer be read",
        }
      : decide(facts, policy);
  const plan: Plan = runtime.journal.planOf(call.callId) ?? { summary: call.toolName, cwd: runtime.workspace };
  const partial = partialOf(plan);
  return {
    callId: call.callId,
    toolName: call.toolName,
    arguments: call.arguments,
    risk: call.risk,
    digest: call.digest,
    plan,
    ...(partial === undefined ? {} : { partial }),
    verdict,
    ...(changed === undefined ? {} : { changed }),
    // What the person commanded is decided each time: there is nothing to allow from now on.
    ...(facts === undefined || tool?.audience === "person" ? {} : { grants: runtime.offers(facts, policy) }),
    ...(tool?.editable === undefined ? {} : { editable: [...tool.editable] }),
  };
}

async function factsOrNothing(
  runtime: Runtime,
  call: CallOf<"awaiting_approval">,
  stepId: string,
): Promise<CallFacts | undefined> {
  const tool = runtime.registry.get(call.toolName);
  if (tool === undefined) return undefined;
  try {
    return await factsOf(runtime, tool, call, stepId);
  } catch (error) {
    if (error instanceof ToolRefusal) return undefined;
    throw error;
  }
}

/** One call whose end was not seen, for the recovery menu. */
export function presentUnsettled(runtime: Runtime, call: CallOf<"interrupted">): UnsettledCall {
  const plan = runtime.journal.planOf(call.callId);
  const choices: RecoveryChoice[] = ["retry", "done", "cancel"];
  return {
    callId: call.callId,
    toolName: call.toolName,
    arguments: call.arguments,
    effect: call.effect,
    startedAt: new Date(call.times.started ?? call.times.proposed).toISOString(),
    known: call.by?.rule === raced ? call.reason : `Outcome unknown: ${call.reason}`,
    ...(plan === undefined ? {} : { plan }),
    choices,
  };
}
