import type { BaseMessage } from "@langchain/core/messages";
import { IllegalMove, mayMove, type ToolCallInfo } from "../../core/call.ts";
import type { ChildNote } from "../../core/child.ts";
import { type StepId, stepText } from "../../core/step-id.ts";
import type { FilePlan, Plan } from "../../core/tool.ts";
import type { RowRef } from "../commit.ts";
import { fromText, toText, wellFormed } from "../plain-codec.ts";
import { StaleMove } from "../problems.ts";
import type { AnswerRow, CallMove, NotedVerdict, RequestEnd, Spending } from "../rows.ts";
import type { AnswerColumns, MirroredCall, Tables } from "../tables.ts";
import { doneFromText, doneToText, movable, packCall, packDigest, planToText, type StoredDigest } from "./call-row.ts";
import { type Draft, textOrNull } from "./draft.ts";
import { draftJobOf } from "./jobs.ts";

/** Tells whether a call may not be run again by itself. */
export const lasts = (effect: string | undefined): boolean => effect !== "none";

/** A call's effect is that of its plan, and changes with it alone. @throws IllegalMove */
export function checkLegal({ before, after, plan }: CallMove): void {
  const isAnother = before.effect !== after.effect && (plan === undefined || plan === null);
  if (before.callId !== after.callId || before.toolName !== after.toolName || isAnother)
    throw new IllegalMove(`call ${before.callId} cannot become another call`);
  if (!mayMove(before.status, after.status))
    throw new IllegalMove(`call ${before.callId} cannot go from ${before.status} to ${after.status}`);
}

/** @param fence of the lease: it tells who began an attempt, as long as it runs. @throws StaleMove, IllegalMove */
export function draftMove(draft: Draft, move: CallMove, fence: number): void {
  const { before, after, plan, verdict, done = [], spend, unspend, judge } = move;
  const row = draft.call(before.callId);
  if (row === undefined || !isAs(row, before)) throw stale(before, row);
  const packed = packCall(after);
  const noted = done.length === 0 ? [] : [...doneOf(row), ...done];
  draft.patchCall(row, {
    ...(Object.fromEntries(movable.map((name) => [name, packed[name]])) as Pick<
      typeof packed,
      (typeof movable)[number]
    >),
    ...packPlan(plan),
    ...(verdict === undefined ? {} : { verdict: toText(verdict) }),
    ...(noted.length === 0 ? {} : { done: doneToText(noted) }),
    fence: after.status === "executing" ? fence : null,
  });
  if (spend !== undefined && !setSpent(draft, row.key, spend, { from: 0, to: 1 }))
    throw new IllegalMove(`call ${before.callId} has no unspent approval of the digest it would run with`);
  if (unspend !== undefined && !setSpent(draft, row.key, unspend, { from: 1, to: 0 }))
    throw new IllegalMove(`call ${before.callId} has no spent approval of this digest`);
  draftJobOf(draft, row, move);
  draft.event(row.key, before, after, judge);
}

/** An approval of a digest that is no longer the call's is refused: what was shown is what is approved. @throws StaleMove */
export function draftAnswer(draft: Draft, answer: AnswerRow): void {
  const call = draft.call(answer.callId);
  if (call === undefined) throw new StaleMove(`there is no call ${answer.callId} to answer`);
  const digest = packDigest(answer.digest);
  if (answer.decision === "approve" && !isSameDigest(call.digest, digest))
    throw new StaleMove(`call ${answer.callId} no longer has the digest that was approved`);
  draft.addAnswer({
    seq: draft.answers().length + 1,
    call: call.key,
    digest,
    decision: answer.decision,
    reason: textOrNull(answer.reason),
    arguments: answer.arguments === undefined ? null : toText(answer.arguments),
    grant_text: answer.grant === undefined ? null : toText(answer.grant),
    at: answer.at,
    spent: 0,
    grant_kept: null,
    given_by: answer.by ?? null,
  });
  if (answer.request !== undefined) draftHeard(draft, answer.request, { became: "taken" });
}

/** A request of another process is heard once. @throws StaleMove */
export function draftHeard(draft: Draft, key: number, { became, said }: { became: RequestEnd; said?: string }): void {
  draft.must("request", { key }, { heard: null });
  draft.patch("request", { key }, { heard: draft.clock(), became, said: textOrNull(said) });
}

/** Notes the verdict of policy on a call that stays pending. @throws StaleMove */
export function draftVerdict(
  draft: Draft,
  { callId, by, risk, effect, verdict, plan, arguments: given }: NotedVerdict,
): void {
  const call = draft.call(callId);
  if (call?.status !== "pending") throw new StaleMove(`call ${callId} is not pending: no verdict is due`);
  const rule = by.rule === undefined ? null : wellFormed(by.rule);
  const changed = given === undefined ? {} : { arguments: toText(given) };
  const judged = { actor: by.actor, rule, risk, verdict: toText(verdict), ...packPlan(plan), ...changed };
  draft.patchCall(call, effect === undefined ? judged : { ...judged, effect });
}

/** @throws StaleMove */
export function draftChild(draft: Draft, callId: string, child: ChildNote): void {
  const call = draft.call(callId);
  if (call?.status !== "executing") throw new StaleMove(`call ${callId} is not executing: it starts no process`);
  draft.patchCall(call, { children: toText([...childrenOf(call), child]) });
}

export const doneOf = ({ done }: Pick<MirroredCall, "done">): FilePlan[] => (done === null ? [] : doneFromText(done));

export const childrenOf = ({ children }: Pick<MirroredCall, "children">): ChildNote[] =>
  children === null ? [] : (fromText(children) as unknown as ChildNote[]);

const isAs = (row: MirroredCall, { status, attempt, digest }: ToolCallInfo): boolean =>
  row.status === status &&
  row.attempt === attempt &&
  isSameDigest(row.digest, digest === undefined ? null : packDigest(digest));

function isSameDigest(one: StoredDigest | null, other: StoredDigest | null): boolean {
  if (one === null || other === null || typeof one === "string" || typeof other === "string") return one === other;
  return Buffer.compare(one, other) === 0;
}

function stale(before: ToolCallInfo, now: MirroredCall | undefined): StaleMove {
  const is = now === undefined ? "is not there" : `is ${now.status} (attempt ${now.attempt})`;
  return new StaleMove(`call ${before.callId} was ${before.status} (attempt ${before.attempt}), but ${is}`);
}

/** No column where the plan stays as it is. */
function packPlan(plan: Plan | null | undefined): Pick<Tables["tool_call"], "plan"> | Record<string, never> {
  if (plan === undefined) return {};
  return { plan: plan === null ? null : planToText(plan) };
}

/** @returns whether there was one to be spent, or given back: the last of this digest. */
function setSpent(draft: Draft, call: number, digest: string, { from, to }: { from: number; to: number }): boolean {
  const packed = packDigest(digest);
  const isIt = (answer: AnswerColumns): boolean =>
    answer.call === call &&
    answer.spent === from &&
    (answer.decision === "approve" || answer.decision === "retry") &&
    isSameDigest(answer.digest, packed);
  const found = draft.answers().findLast(isIt);
  if (found !== undefined) draft.patchAnswer(found, { spent: to });
  return found !== undefined;
}

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
