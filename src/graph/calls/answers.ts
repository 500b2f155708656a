import type { CallOf, Decider, ToolCallInfo } from "../../core/call.ts";
import { faultPoint } from "../../core/fault-point.ts";
import { canonicalJson, type JsonObject } from "../../core/json.ts";
import { decide } from "../../policy/decide.ts";
import { grantFrom } from "../../policy/grants.ts";
import type { Grant, GrantOffer } from "../../policy/types.ts";
import type { AnswerRow, CallMove } from "../../store/types.ts";
import { parseArguments } from "../../tools/arguments.ts";
import type { AnswerOutcome, AnswerRefusal, CallDecision } from "../decisions.ts";
import { type Runtime, toolContext } from "../runtime.ts";
import { factsOf, judge, ruleName } from "./judge.ts";
import { createOverlay } from "./overlay.ts";
import { partialOf, waitsText } from "./partial.ts";
import type { Change } from "./present.ts";
import { replan } from "./replan.ts";
import { announceDecision, approve, ask, cancel, policyDecider, record } from "./transitions.ts";

type Waiting = CallOf<"awaiting_approval">;
const person = { actor: "person" } as const;

/** What an answer did: whether it holds, and which other calls must be asked about anew because of it. */
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
 * changes. `published` is the digest that the answer means where it names none.
 */
export async function answerCall(
  runtime: Runtime,
  stepId: string,
  callId: string,
  decision: CallDecision,
  published: string | undefined,
): Promise<Answered> {
  const call = runtime.journal.call(callId);
  if (call === undefined) return refused("not_waiting", `this session has no call ${callId}`);
  if (call.status !== "awaiting_approval")
    return refused("not_waiting", `call ${callId} does not wait: it is ${call.status}`);
  switch (decision.decision) {
    case "approve":
      if (decision.digest === undefined && partialOf(runtime.journal.planOf(callId) ?? {}) !== undefined)
        return refusePartial(runtime, call);
      return approveCall(runtime, stepId, call, decision.digest ?? published ?? call.digest, decision.grant);
    case "deny":
      return denyCall(runtime, stepId, call, decision.reason);
    case "edit":
      return editCall(runtime, stepId, call, decision.arguments);
  }
}

/** Whoever approves without a digest has not said that they know what is not shown. */
function refusePartial(runtime: Runtime, call: Waiting): Answered {
  const text = waitsText(call);
  runtime.emit({ type: "notice", code: "partial", text });
  return refused("partial", text);
}

async function approveCall(
  runtime: Runtime,
  stepId: string,
  call: Waiting,
  digest: string,
  offer: Extract<CallDecision, { decision: "approve" }>["grant"],
): Promise<Answered> {
  if (digest !== call.digest) {
    return refused(
      "stale",
      `call ${call.callId} is not what was approved any more: ${short(digest)} was, ${short(call.digest)} is asked now`,
    );
  }
  const at = runtime.clock();
  const row: AnswerRow = { callId: call.callId, digest, decision: "approve", at };
  if (offer !== undefined) row.grant = offer as unknown as JsonObject;
  await record(runtime, [approve(call, at)], row);
  const grant = offer && (await keptGrant(runtime, call.callId, grantFrom(offer, at)));
  const said = grant === undefined || offer === undefined ? {} : { reason: `from now on ${offer.text}` };
  announceDecision(runtime, call.callId, "approve", grant === undefined ? person : granter(grant), { digest, ...said });
  if (grant !== undefined) await applyGrant(runtime, stepId).catch((error: unknown) => sayNotKept(runtime, error));
  return { outcome: { ok: true }, changes: new Map() };
}

/** The person, who decided this call and the later ones that the grant reaches over. */
const granter = ({ id }: Grant): Decider => ({ ...person, rule: ruleName({ source: "grant", grant: id }) });

/** The approval holds whatever becomes of the grant: that it could not be kept is said. @returns the grant that is in force. */
async function keptGrant(runtime: Runtime, callId: string, grant: Grant): Promise<Grant | undefined> {
  try {
    await addGrant(runtime, callId, grant);
    return grant;
  } catch (error) {
    sayNotKept(runtime, error);
    return undefined;
  }
}

/** Noted after it was added: a death in between adds it again. */
async function addGrant(runtime: Runtime, callId: string, grant: Grant): Promise<void> {
  faultPoint("before grant kept");
  await runtime.addGrant(grant);
  faultPoint("after grant kept");
  faultPoint("before grant noted");
  await runtime.journal.noteGrantKept(callId);
  faultPoint("after grant noted");
}

function sayNotKept(runtime: Runtime, error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  runtime.emit({
    type: "notice",
    code: "grant_not_kept",
    text: `the call is approved, but the grant could not be kept: ${why}`,
  });
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
      await addGrant(runtime, call.callId, grantFrom(grant as unknown as GrantOffer, at)).catch((error: unknown) =>
        sayNotKept(runtime, error),
      );
    }
  }
}

/** Other calls of the message that the new grant allows need no answer of their own any more. */
async function applyGrant(runtime: Runtime, stepId: string): Promise<void> {
  const policy = await runtime.policy(runtime.mode);
  for (const call of runtime.journal.callsOf(stepId)) {
    const tool = runtime.registry.get(call.toolName);
    if (call.status !== "awaiting_approval" || tool === undefined) continue;
    // A call whose paths lead nowhere any more keeps its own question.
    const facts = await factsOf(runtime, tool, call, stepId).catch(() => undefined);
    const verdict = facts && decide(facts, policy);
    if (verdict?.decision !== "allow") continue;
    const by = policyDecider(verdict);
    const move = approve(call, runtime.clock());
    await record(runtime, [{ ...move, after: { ...(move.after as CallOf<"pending">), by } }]);
    announceDecision(runtime, call.callId, "allow", by);
  }
}

async function denyCall(
  runtime: Runtime,
  stepId: string,
  call: Waiting,
  reason: string | undefined,
): Promise<Answered> {
  const at = runtime.clock();
  const told = reason === undefined || reason.trim() === "" ? undefined : reason.trim();
  const move = cancel(call, person, told === undefined ? "denied by the person" : `denied by the person: ${told}`, at);
  const row: AnswerRow = {
    callId: call.callId,
    digest: call.digest,
    decision: "deny",
    at,
    ...(told === undefined ? {} : { reason: told }),
  };
  const changes = await withLaterCalls(runtime, stepId, move, row, `call ${call.callId} before it was denied`);
  announceDecision(runtime, call.callId, "deny", person, told === undefined ? {} : { reason: told });
  return { outcome: { ok: true }, changes };
}

async function editCall(runtime: Runtime, stepId: string, call: Waiting, edited: JsonObject): Promise<Answered> {
  const tool = runtime.registry.get(call.toolName);
  if (tool === undefined) return refused("invalid", `there is no tool ${call.toolName} any more`);
  const locked = Object.keys({ ...call.arguments, ...edited }).filter(
    (key) =>
      tool.editable !== undefined &&
      !tool.editable.includes(key) &&
      canonicalJson(edited[key] ?? null) !== canonicalJson(call.arguments[key] ?? null),
  );
  if (locked.length > 0) return refused("invalid", `${locked.join(", ")} of ${call.toolName} may not be edited`);
  const parsed = await parseArguments(tool, edited, toolContext(runtime, { callId: call.callId, stepId }));
  if (!parsed.ok) return refused("invalid", parsed.message);
  const changed: Waiting = { ...call, arguments: parsed.canonical };
  const judged = await judge(
    runtime,
    changed,
    stepId,
    await runtime.policy(runtime.mode),
    await overlayBefore(runtime, stepId, call.callId),
  );
  if (judged.kind === "refused") return refused("invalid", judged.message);
  if (judged.kind === "denied") return refused("invalid", `denied by policy: ${judged.verdict.why}`);
  const at = runtime.clock();
  const row: AnswerRow = {
    callId: call.callId,
    digest: call.digest,
    decision: "edit",
    arguments: parsed.canonical,
    at,
  };
  const move = ask(call, judged, { arguments: parsed.canonical });
  const before = runtime.journal.planOf(call.callId);
  const changes = await withLaterCalls(runtime, stepId, move, row, `call ${call.callId} before it was edited`);
  announceDecision(runtime, call.callId, "edit", person, { digest: judged.digest });
  const own: Change = {
    from: call.digest,
    to: judged.digest,
    why: "edited by you",
    ...(before === undefined ? {} : { before }),
  };
  changes.set(call.callId, own);
  return { outcome: { ok: true }, changes };
}

/** The "after" of the open calls before this one. */
async function overlayBefore(runtime: Runtime, stepId: string, callId: string) {
  const overlay = createOverlay();
  const policy = await runtime.policy(runtime.mode);
  for (const call of runtime.journal.callsOf(stepId)) {
    if (call.callId === callId) break;
    if (call.status === "pending" || call.status === "awaiting_approval")
      await judge(runtime, call, stepId, policy, overlay);
  }
  return overlay;
}

async function withLaterCalls(
  runtime: Runtime,
  stepId: string,
  move: CallMove,
  row: AnswerRow,
  why: string,
): Promise<Map<string, Change>> {
  const calls = runtime.journal
    .callsOf(stepId)
    .map((call): ToolCallInfo => (call.callId === move.after.callId ? move.after : call));
  const later = await replan(runtime, stepId, calls, why);
  const others = later.moves.filter((other) => other.after.callId !== move.after.callId);
  await record(runtime, [move, ...others], row);
  later.changes.delete(move.after.callId);
  return later.changes;
}

const short = (digest: string) => digest.slice(0, 8);
