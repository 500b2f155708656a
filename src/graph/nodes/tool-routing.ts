import type { CallOf, Decider } from "../../core/call.ts";
import type { JsonObject } from "../../core/json.ts";
import type { StepId } from "../../core/step-id.ts";
import type { Overlay } from "../../core/tool.ts";
import type { Policy } from "../../policy/types.ts";
import type { CallMove, NotedVerdict } from "../../store/types.ts";
import { concernsHooks, hearBefore } from "../calls/hooks.ts";
import { prepareOf } from "../calls/prepare.ts";
import { createOverlay, layerOver, type Preparation } from "../calls/prepared-call.ts";
import { announceDecision, ask, cancel, denyByPolicy, policyDecider, record, refuse } from "../calls/transitions.ts";
import { type Runtime, stayUnlessLeaving } from "../runtime.ts";
import { type AgentStateUpdate, type AgentStateValue, stepIdOf } from "../state.ts";
import { isCheckMessage } from "../talk/checks.ts";
import { hookWords } from "../talk/hook-words.ts";
import { isCommandCall } from "../talk/person-call.ts";
import { split } from "./step-calls.ts";

/** A hook of the person's. */
const byHook: Decider = { actor: "policy", rule: "hook" };
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
  const made = journal.callsOf(stepId);
  // Others may change its files before it runs, and its process may end: what it was planned on is known by this alone.
  const isInTree = runtime.agent !== undefined || made.some(({ effect }) => effect === "child");
  const refuses = runtime.toolChoice === "none" && !isCheckMessage(state.messages.at(-1));
  const all: Routed[] = [];
  for (const call of made) {
    // Nothing is written yet: whoever resumes begins anew with the first of them.
    stayUnlessLeaving(runtime);
    if (call.status !== "pending" || call.by !== undefined) continue;
    if (refuses && !isCommandCall(runtime.catalogue, call)) all.push(denied(runtime, call, byChoice, noCalls));
    else all.push(await routed(runtime, call, { stepId, policy, overlay, isInTree }));
  }
  // What was found while the process leaves may be found because of that.
  stayUnlessLeaving(runtime);
  await record(
    runtime,
    all.flatMap(({ move }) => move ?? []),
  );
  // Keeps graph 5.
  await journal.noteVerdicts(all.flatMap(({ allowed }) => allowed ?? []));
  for (const { announce } of all) announce?.();
  return split(journal.callsOf(stepId));
}

/** The notes that are written down of one call, and the words that are said then. */
interface Routed {
  move?: CallMove;
  allowed?: NotedVerdict;
  announce?(): void;
}

interface Way {
  stepId: StepId;
  policy: Policy;
  overlay: Overlay;
  isInTree: boolean;
}

async function routed(runtime: Runtime, call: CallOf<"pending">, way: Way): Promise<Routed> {
  const found = await preparedAndHeard(runtime, call, way);
  if (!("prepared" in found)) return found;
  const { prepared, given } = found;
  const { callId } = call;
  const made = madeOf(call, given);
  const whyNot = (why: string): string => (given === undefined ? why : hookWords.changed(why));
  if (prepared.kind === "refused")
    return { move: refuse(made, prepared.code, whyNot(prepared.message), runtime.clock()) };
  const { verdict } = prepared;
  const by = policyDecider(verdict);
  if (prepared.kind === "denied") {
    const reason = whyNot(verdict.why);
    const move = denyByPolicy(made, { ...verdict, why: reason }, runtime.clock());
    return { move, announce: () => announceDecision(runtime, callId, "deny", by, { reason }) };
  }
  const changed = given === undefined ? {} : { arguments: prepared.canonical };
  if (verdict.decision === "ask") return { move: ask(call, prepared, changed) };
  const { effect } = prepared.facts;
  const kept = effect === "file" && way.isInTree ? { plan: prepared.plan } : {};
  const allowed = { callId, by, risk: verdict.risk, effect, verdict, ...kept, ...changed };
  return { allowed, announce: () => announceDecision(runtime, callId, "allow", by) };
}

function denied(runtime: Runtime, call: CallOf<"pending">, by: Decider, reason: string): Routed {
  const move = cancel(call, by, { why: "policy", note: reason }, runtime.clock());
  return { move, announce: () => announceDecision(runtime, call.callId, "deny", by, { reason }) };
}

/** The call as hooks have left it. */
const madeOf = (call: CallOf<"pending">, given: JsonObject | undefined): CallOf<"pending"> =>
  given === undefined ? call : { ...call, arguments: given };

/**
 * A call as it is prepared, after the person's hooks have looked at it where policy does not deny it. They may change its arguments, and files: so it
 * is prepared anew behind them, as what it is by then. `given`: the arguments that it has from them. Else what is written down instead.
 */
async function preparedAndHeard(
  runtime: Runtime,
  call: CallOf<"pending">,
  { stepId, policy, overlay }: Way,
): Promise<Routed | { prepared: Preparation; given?: JsonObject }> {
  const isLookedAt = concernsHooks(runtime, call);
  const before = await prepareOf(runtime, call, stepId, policy, isLookedAt ? layerOver(overlay) : overlay);
  if (!isLookedAt || before.kind !== "ready") return { prepared: before };
  const heard = await hearBefore(runtime, { call, stepId, given: before.canonical });
  const { arguments: given } = heard;
  const made = madeOf(call, given);
  if (runtime.signal.aborted) {
    stayUnlessLeaving(runtime);
    return { move: cancel(made, { actor: "person" }, { why: "stopped" }, runtime.clock()) };
  }
  if (heard.denied !== undefined) return denied(runtime, made, byHook, heard.denied);
  const prepared = await prepareOf(runtime, made, stepId, policy, overlay);
  return { prepared, ...(given === undefined ? {} : { given }) };
}
