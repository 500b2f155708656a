import type { CallOf } from "../../core/call.ts";
import type { Plan } from "../../core/tool.ts";
import { decide } from "../../policy/decide.ts";
import type { CallFacts, Policy, Verdict } from "../../policy/types.ts";
import type { Change, RecoveryChoice, UnsettledCall, WaitingCall } from "../events.ts";
import type { Runtime } from "../runtime.ts";
import { callWords } from "../talk/call-words.ts";
import { partialOf } from "./partial.ts";
import { pastOf } from "./past.ts";
import { factsOf } from "./prepare.ts";

/**
 * All that a dialog shows of one waiting call: its published plan, the verdict that was written down with it, what may be granted.
 * Nothing is planned or judged here: what is shown is what an approval is bound to.
 */
export async function presentWaiting(
  runtime: Runtime,
  call: CallOf<"awaiting_approval">,
  changed?: Change,
): Promise<WaitingCall> {
  const policy = await runtime.policy(runtime.mode);
  const tool = runtime.registry.get(call.toolName);
  const plan: Plan = runtime.journal.planOf(call.callId) ?? { summary: call.toolName, cwd: runtime.workspace };
  const facts = tool && factsOf(tool, plan, runtime, { past: () => pastOf(runtime.journal) });
  const verdict =
    (runtime.journal.verdictOf(call.callId) as Verdict | undefined) ??
    (facts === undefined ? unjudged(call) : decide(facts, policy));
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
    ...(facts === undefined || tool?.audience === "person" ? {} : fromNowOn(facts, policy, runtime)),
    ...(tool?.editable === undefined ? {} : { editable: [...tool.editable] }),
  };
}

/** What would have allowed this very call without a question. */
function fromNowOn(facts: CallFacts, policy: Policy, runtime: Runtime): Pick<WaitingCall, "grants" | "mode"> {
  const { rule } = decide(facts, { ...policy, mode: "accept-edits" });
  const isAccepted = policy.mode === "ask" && rule.source === "mode";
  return { grants: runtime.offers(facts, policy), ...(isAccepted ? { mode: "accept-edits" } : {}) };
}

/** Of a call from an older store, whose tool is not there any more. */
const unjudged = ({ toolName, risk }: CallOf<"awaiting_approval">): Verdict => ({
  decision: "ask",
  risk,
  rule: { source: "table" },
  why: `there is no tool ${toolName} any more`,
});

/** What the person may choose. A call that came to its end is not run again. */
export const choicesOf = ({ ended }: CallOf<"interrupted">): RecoveryChoice[] =>
  ended.why === "overstepped" ? ["done", "cancel"] : ["retry", "done", "cancel"];

/** One call whose end was not seen, or that waits for a word on what it did, for the recovery menu. */
export function presentUnsettled(runtime: Runtime, call: CallOf<"interrupted">): UnsettledCall {
  const plan = runtime.journal.planOf(call.callId);
  return {
    callId: call.callId,
    toolName: call.toolName,
    arguments: call.arguments,
    effect: call.effect,
    startedAt: new Date(call.times.started ?? call.times.proposed).toISOString(),
    known: `${isSeen(call) ? "" : "Outcome unknown: "}${callWords.end(call)}`,
    ...(plan === undefined ? {} : { plan }),
    choices: choicesOf(call),
  };
}

const isSeen = ({ ended }: CallOf<"interrupted">): boolean => ended.why === "raced" || ended.why === "overstepped";
