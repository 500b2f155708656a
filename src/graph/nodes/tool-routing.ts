import type { CallOf, Decider } from "../../core/call.ts";
import type { CallMove, Journal } from "../../store/types.ts";
import { createOverlay } from "../calls/overlay.ts";
import { prepareOf } from "../calls/prepare.ts";
import { announceDecision, ask, cancel, denyByPolicy, policyDecider, record, refuse } from "../calls/transitions.ts";
import type { Runtime } from "../runtime.ts";
import { type AgentStateUpdate, type AgentStateValue, stepIdOf } from "../state.ts";
import { isCheckMessage } from "../talk/checks.ts";
import { isCommandCall } from "../talk/person-call.ts";
import { TurnLeft } from "../turn-left.ts";
import { split } from "./split.ts";

/** In a run without tools. */
const byChoice: Decider = { actor: "policy", rule: "tool-choice" };
const noCalls = "no tool is to be called in this run (tool choice none)";

/**
 * Prepares each pending call of the message, in order, over an overlay of what the calls before it will leave, and writes down
 * its verdict: questions, denials and refusals as moves in one transaction, who allowed the others beside the calls. Run again
 * after a death it finds them and judges nothing twice.
 */
export async function routeCalls(runtime: Runtime, state: AgentStateValue): Promise<AgentStateUpdate> {
  const stepId = stepIdOf(state);
  const { journal } = runtime;
  runtime.pins?.check();
  const policy = await runtime.policy(runtime.mode);
  const overlay = createOverlay();
  const moves: CallMove[] = [];
  const allowed: Parameters<Journal["noteVerdicts"]>[0][number][] = [];
  const announcements: (() => void)[] = [];

  const made = journal.callsOf(stepId);
  // Others may change its files before it runs, and its process may end: what it was planned on is known by this alone.
  const isInTree = runtime.agent !== undefined || made.some(({ effect }) => effect === "child");
  const refuses = runtime.toolChoice === "none" && !isCheckMessage(state.messages.at(-1));
  const route = async (call: CallOf<"pending">): Promise<void> => {
    const { callId } = call;
    if (refuses && !isCommandCall(runtime.registry, call)) {
      moves.push(cancel(call, byChoice, { why: "policy", note: noCalls }, runtime.clock()));
      announcements.push(() => announceDecision(runtime, callId, "deny", byChoice, { reason: noCalls }));
      return;
    }
    const prepared = await prepareOf(runtime, call, stepId, policy, overlay);
    if (prepared.kind === "refused") {
      moves.push(refuse(call, prepared.code, prepared.message, runtime.clock()));
      return;
    }
    const { verdict } = prepared;
    const by = policyDecider(verdict);
    if (prepared.kind === "denied") {
      moves.push(denyByPolicy(call, verdict, runtime.clock()));
      announcements.push(() => announceDecision(runtime, callId, "deny", by, { reason: verdict.why }));
    } else if (verdict.decision === "ask") moves.push(ask(call, prepared));
    else {
      const { effect } = prepared.facts;
      const kept = effect === "file" && isInTree ? { plan: prepared.plan } : {};
      allowed.push({ callId, by, risk: verdict.risk, effect, verdict, ...kept });
      announcements.push(() => announceDecision(runtime, callId, "allow", by));
    }
  };

  for (const call of made) {
    // Nothing is written yet: whoever resumes begins anew with the first of them.
    if (runtime.signal.aborted && runtime.leaving) throw new TurnLeft();
    if (call.status === "pending" && call.by === undefined) await route(call);
  }
  await record(runtime, moves);
  // Keeps graph 5.
  await journal.noteVerdicts(allowed);
  for (const announce of announcements) announce();
  return split(journal.callsOf(stepId));
}
