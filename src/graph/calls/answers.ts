import { type CallOf, type Decider, isFinal, type ToolCallInfo } from "../../core/call.ts";
import { faultPoint } from "../../core/fault-point.ts";
import { canonicalJson, type JsonObject } from "../../core/json.ts";
import type { StepId } from "../../core/step-id.ts";
import type { Overlay, Plan } from "../../core/tool.ts";
import { decide } from "../../policy/decide.ts";
import { grantFrom } from "../../policy/grants.ts";
import type { Grant, GrantOffer, Mode, Policy } from "../../policy/types.ts";
import type { AnswerRow, CallMove } from "../../store/types.ts";
import { isPlanTool } from "../../tools/goals/present-plan.ts";
import { turnNotices } from "../../words/contract/turn-notices.ts";
import type { AnswerOrigin, AnswerOutcome, AnswerRefusal, CallDecision } from "../decisions.ts";
import type { Change } from "../events.ts";
import type { Runtime } from "../runtime.ts";
import { waitingFacts } from "./offers.ts";
import { partialOf, waitsText, wholePrefix } from "./partial.ts";
import { prepareOf } from "./prepare.ts";
import { createOverlay, lay } from "./prepared-call.ts";
import { replan } from "./replan.ts";
import { announceDecision, approve, ask, cancel, policyDecider, record, ruleName } from "./transitions.ts";

type Waiting = CallOf<"awaiting_approval">;
/** The fields of an answer's row that say who gave it. */
type Given = Pick<AnswerRow, "by" | "request">;

/** The effect of an answer: whether it holds, and the other calls that must be asked about anew because of it. */
export interface Answered {
  outcome: AnswerOutcome;
  changes: Map<string, Change>;
}

const refused = (code: AnswerRefusal, message: string): Answered => ({
  outcome: { ok: false, code, message },
  changes: new Map(),
});

/**
 * One answer is one transaction: the row, the call's move, and the moves of later calls of the message whose plans it
 * changes. `published` is the digest that the answer means where it names none; `request`: by which another process gave it.
 */
export async function answerCall(
  runtime: Runtime,
  stepId: StepId,
  callId: string,
  decision: CallDecision,
  { published, request }: AnswerOrigin = {},
): Promise<Answered> {
  const call = runtime.journal.call(callId);
  if (call === undefined) return refused("not_waiting", `this session has no call ${callId}`);
  if (call.status !== "awaiting_approval")
    return refused("not_waiting", `call ${callId} does not wait: it is ${call.status}`);
  const by: Decider = { actor: decision.by === "script" ? "script" : "person" };
  const given: Given = {
    ...(decision.by === undefined ? {} : { by: decision.by }),
    ...(request === undefined ? {} : { request }),
  };
  // What is guarded is of high risk too.
  // Keeps session 2.
  if (decision.by === "script" && call.risk === "high") return refuseScript(runtime, call);
  switch (decision.decision) {
    case "approve":
      if (decision.digest === undefined && partialOf(runtime.journal.planOf(callId) ?? {}) !== undefined)
        return refusePartial(runtime, call);
      return approveCall(runtime, stepId, call, by, decision.digest ?? published ?? call.digest, {
        ...given,
        offer: decision.grant,
        mode: decision.mode ?? modeAfter(runtime, call),
      });
    case "deny":
      return denyCall(runtime, stepId, call, by, { ...given, digest: decision.digest, reason: decision.reason });
    case "edit":
      return editCall(runtime, stepId, call, by, { ...given, edited: decision.arguments });
  }
}

const refuseStale = ({ callId, digest }: Waiting, what: "approved" | "denied", named: string): Answered =>
  refused("stale", `call ${callId} was not ${what}: its digest is ${short(digest)} now, not ${short(named)}`);

/** Whoever approves without a digest has not said that they know what is not shown. */
function refusePartial(runtime: Runtime, call: Waiting): Answered {
  const text = waitsText(call);
  runtime.emit({ type: "notice", code: "partial", text });
  return refused("partial", text);
}

/** A line written beforehand decides nothing that a person must look at. */
function refuseScript(runtime: Runtime, { callId }: Waiting): Answered {
  const text = turnNotices.personOnly({ call: callId });
  runtime.emit({ type: "notice", code: "person_only", text });
  return refused("person", text);
}

async function approveCall(
  runtime: Runtime,
  stepId: StepId,
  call: Waiting,
  by: Decider,
  digest: string,
  {
    offer,
    mode,
    ...given
  }: Given & { offer: Extract<CallDecision, { decision: "approve" }>["grant"]; mode: Mode | undefined },
): Promise<Answered> {
  if (digest !== call.digest) return refuseStale(call, "approved", digest);
  const at = runtime.clock();
  const row: AnswerRow = { callId: call.callId, digest, decision: "approve", at, ...given };
  if (offer !== undefined) row.grant = offer as unknown as JsonObject;
  await record(runtime, [approve(call, by, at)], row);
  const grant = offer && (await keptGrant(runtime, call.callId, grantFrom(offer, at)));
  const said = grant === undefined || offer === undefined ? {} : { reason: `from now on ${offer.text}` };
  const now = mode === undefined ? {} : { mode };
  const decider = grant === undefined ? by : granter(by, grant);
  announceDecision(runtime, call.callId, "approve", decider, { digest, ...said, ...now });
  if (grant !== undefined) await applyGrant(runtime, stepId).catch((error: unknown) => sayNotKept(runtime, error));
  return { outcome: { ok: true, ...now }, changes: new Map() };
}

/** With its plan approved a turn goes on to work it, and asks as it does. */
function modeAfter({ mode, catalogue }: Runtime, { toolName }: Waiting): Mode | undefined {
  const tool = catalogue.get(toolName);
  return mode === "plan" && tool !== undefined && isPlanTool(tool) ? "ask" : undefined;
}

/** Returns the decider of this call and of the later ones that the grant reaches over. */
const granter = (by: Decider, { id }: Grant): Decider => ({ ...by, rule: ruleName({ source: "grant", grant: id }) });

/** The approval holds whatever becomes of the grant: that it could not be kept is said. @returns the grant that is in force. */
async function keptGrant(runtime: Runtime, callId: string, grant: Grant): Promise<Grant | undefined> {
  try {
    await addGrant(runtime, callId, grant, false);
    return grant;
  } catch (error) {
    sayNotKept(runtime, error);
    return undefined;
  }
}

/** Noted after it was added: a death in between adds it again, which is told of (`isAgain`). */
async function addGrant(runtime: Runtime, callId: string, grant: Grant, isAgain: boolean): Promise<void> {
  faultPoint("before grant kept");
  await runtime.addGrant(grant, isAgain);
  faultPoint("after grant kept");
  faultPoint("before grant noted");
  await runtime.journal.noteGrantKept(callId);
  faultPoint("after grant noted");
}

function sayNotKept(runtime: Runtime, error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  runtime.emit({ type: "notice", code: "grant_not_kept", text: turnNotices.grantNotKept({ why }) });
}

/**
 * Adds the grants of answers whose process died between the answer and the grant: they were acknowledged. Only those of calls
 * that have not begun yet and whose grant was never noted as added, so that a grant revoked since does not come back.
 */
export async function addLostGrants(runtime: Runtime): Promise<void> {
  for (const call of runtime.journal.openCalls()) {
    if (call.status !== "pending") continue;
    for (const { grant, grantKept, at } of runtime.journal.answersOf(call.callId)) {
      if (grant === undefined || grantKept !== undefined) continue;
      await addGrant(runtime, call.callId, grantFrom(grant as unknown as GrantOffer, at), true).catch(
        (error: unknown) => sayNotKept(runtime, error),
      );
    }
  }
}

/** Other calls of the message that the new grant allows need no answer of their own any more. */
async function applyGrant(runtime: Runtime, stepId: StepId): Promise<void> {
  const policy = await runtime.policy(runtime.mode);
  for (const call of runtime.journal.callsOf(stepId)) {
    const tool = runtime.catalogue.get(call.toolName);
    if (call.status !== "awaiting_approval" || tool === undefined) continue;
    const facts = waitingFacts(runtime, call, tool);
    const verdict = facts && decide(facts, policy);
    if (verdict?.decision !== "allow") continue;
    const by = policyDecider(verdict);
    await record(runtime, [{ ...approve(call, by, runtime.clock()), verdict }]);
    announceDecision(runtime, call.callId, "allow", by);
  }
}

async function denyCall(
  runtime: Runtime,
  stepId: StepId,
  call: Waiting,
  by: Decider,
  { digest, reason, ...given }: Given & { digest: string | undefined; reason: string | undefined },
): Promise<Answered> {
  if (digest !== undefined && digest !== call.digest) return refuseStale(call, "denied", digest);
  const at = runtime.clock();
  const told = reason === undefined || reason.trim() === "" ? undefined : reason.trim();
  const move = cancel(call, by, { why: "denied" }, at, told);
  const row: AnswerRow = {
    callId: call.callId,
    digest: call.digest,
    decision: "deny",
    at,
    ...given,
    ...(told === undefined ? {} : { reason: told }),
  };
  const changes = await withLaterCalls(runtime, stepId, move, row, `call ${call.callId} before it was denied`);
  announceDecision(runtime, call.callId, "deny", by, told === undefined ? {} : { reason: told });
  return { outcome: { ok: true }, changes };
}

async function editCall(
  runtime: Runtime,
  stepId: StepId,
  call: Waiting,
  by: Decider,
  { edited, ...given }: Given & { edited: JsonObject },
): Promise<Answered> {
  const tool = runtime.catalogue.get(call.toolName);
  if (tool === undefined) return refused("invalid", `there is no tool ${call.toolName} any more`);
  const locked = Object.keys({ ...call.arguments, ...edited }).filter(
    (key) =>
      tool.editable !== undefined &&
      !tool.editable.includes(key) &&
      canonicalJson(edited[key] ?? null) !== canonicalJson(call.arguments[key] ?? null),
  );
  if (locked.length > 0) return refused("invalid", `${locked.join(", ")} of ${call.toolName} may not be edited`);
  const policy = await runtime.policy(runtime.mode);
  const overlay = await overlayBefore(runtime, stepId, call.callId, policy);
  const prepared = await prepareOf(runtime, { ...call, arguments: edited }, stepId, policy, overlay);
  if (prepared.kind === "refused") return refused("invalid", prepared.message);
  if (prepared.kind === "denied") return refused("invalid", `denied by policy: ${prepared.verdict.why}`);
  const at = runtime.clock();
  const row: AnswerRow = {
    callId: call.callId,
    digest: call.digest,
    decision: "edit",
    arguments: prepared.canonical,
    at,
    ...given,
  };
  const move = ask(call, prepared, { arguments: prepared.canonical });
  const before = runtime.journal.planOf(call.callId);
  const changes = await withLaterCalls(runtime, stepId, move, row, `call ${call.callId} before it was edited`);
  announceDecision(runtime, call.callId, "edit", by, { digest: prepared.digest });
  const own: Change = {
    from: call.digest,
    to: prepared.digest,
    why: "edited by you",
    ...(before === undefined ? {} : { before }),
  };
  changes.set(call.callId, own);
  return { outcome: { ok: true }, changes };
}

/** The contents that the open calls before this one will leave. */
async function overlayBefore(runtime: Runtime, stepId: StepId, callId: string, policy: Policy): Promise<Overlay> {
  const overlay = createOverlay();
  for (const call of runtime.journal.callsOf(stepId)) {
    if (call.callId === callId) break;
    if (call.status !== "pending" && call.status !== "awaiting_approval") continue;
    const known = runtime.prepared.get(call.callId);
    if (known === undefined) await prepareOf(runtime, call, stepId, policy, overlay);
    else lay(known, overlay);
  }
  return overlay;
}

/** The answer, the call's move, and what becomes of later calls of the message, in one transaction. */
async function withLaterCalls(
  runtime: Runtime,
  stepId: StepId,
  move: CallMove,
  row: AnswerRow,
  why: string,
): Promise<Map<string, Change>> {
  const calls = runtime.journal
    .callsOf(stepId)
    .map((call): ToolCallInfo => (call.callId === move.after.callId ? move.after : call));
  const later = isAlone(runtime, calls, move) ? undefined : await replan(runtime, stepId, calls, why);
  const others = (later?.moves ?? []).filter((other) => other.after.callId !== move.after.callId);
  await record(runtime, [move, ...others], row);
  const changes = later?.changes ?? new Map<string, Change>();
  changes.delete(move.after.callId);
  return changes;
}

/** No other open call of the message is about a file of this one: their plans stand as they are. */
function isAlone({ journal, prepared }: Runtime, calls: readonly ToolCallInfo[], { after, plan }: CallMove): boolean {
  const filesOf = (of: Plan | null | undefined): string[] => (of?.files ?? []).map(({ real }) => real);
  // What policy allowed has its plan in the journal only when it begins.
  const planned = (callId: string): string[] => filesOf(prepared.get(callId)?.plan ?? journal.planOf(callId));
  const own = new Set([...filesOf(plan), ...filesOf(journal.planOf(after.callId))]);
  const others = calls.filter((call) => call.callId !== after.callId && !isFinal(call));
  return !others.some(({ callId }) => planned(callId).some((real) => own.has(real)));
}

const short = (digest: string) => digest.slice(0, wholePrefix);
