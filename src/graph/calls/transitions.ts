import {
  advance,
  answererOf,
  type CallOf,
  type CallResult,
  type Decider,
  isFinal,
  type ToolCallInfo,
} from "../../core/call.ts";
import type { ErrorCode } from "../../core/codes.ts";
import type { Plan, ToolResult } from "../../core/tool.ts";
import type { Verdict } from "../../policy/types.ts";
import type { AnswerRow, CallMove } from "../../store/types.ts";
import type { CallDelta } from "../events.ts";
import type { Runtime } from "../runtime.ts";
import { ruleName } from "./judge.ts";
import { tellPartly } from "./partly.ts";

type Pending = CallOf<"pending">;
type Executing = CallOf<"executing">;

export const policyDecider = (verdict: Verdict): Decider => ({ actor: "policy", rule: ruleName(verdict.rule) });

export function refuse(call: Pending, code: ErrorCode, message: string, at: number): CallMove {
  const after = advance(call, { status: "error", errorCode: code, errorMsg: message, times: { settled: at } });
  return { before: call, after };
}

export function denyByPolicy(call: Pending, verdict: Verdict, at: number): CallMove {
  const after = advance(call, {
    status: "cancelled",
    risk: verdict.risk,
    by: policyDecider(verdict),
    reason: `denied by policy: ${verdict.why}`,
    times: { decided: at, settled: at },
  });
  return { before: call, after };
}

export function cancel(
  call: Pending | CallOf<"awaiting_approval"> | CallOf<"interrupted">,
  by: Decider,
  reason: string,
  at: number,
): CallMove {
  const after = advance(call as Pending, { status: "cancelled", by, reason, times: { decided: at, settled: at } });
  return { before: call, after };
}

/** The plan goes into the journal with the question, so that the same dialog can come back after a death. */
export function ask(
  call: Pending | CallOf<"awaiting_approval">,
  judged: { verdict: Verdict; plan: Plan; digest: string },
  changes: Partial<Pick<ToolCallInfo, "arguments">> = {},
): CallMove {
  const after = advance(call as Pending, {
    status: "awaiting_approval",
    risk: judged.verdict.risk,
    digest: judged.digest,
    ...changes,
  });
  return { before: call, after, plan: judged.plan, judge: policyDecider(judged.verdict) };
}

export function approve(call: CallOf<"awaiting_approval">, by: Decider, at: number): CallMove {
  return { before: call, after: advance(call, { status: "pending", by, times: { decided: at } }) };
}

/** The durable mark before an effect; spends the approval of an answer where there is one. */
export function begin(call: Pending, by: Decider, at: number, planned?: { plan: Plan; digest: string }): CallMove {
  const digest = planned === undefined ? {} : { digest: planned.digest };
  const after = advance(call, { status: "executing", by, ...digest, times: { started: at } });
  const move: CallMove = { before: call, after };
  if (planned !== undefined) move.plan = planned.plan;
  if (answererOf(by) !== undefined && after.digest !== undefined) move.spend = after.digest;
  // Routing wrote no row for what policy allows: this event is the first to say who allowed it.
  if (by.actor === "policy") move.judge = by;
  return move;
}

/** Nothing was done: the bytes drifted between plan and effect. */
export function giveBack(call: Executing): CallMove {
  const move: CallMove = { before: call, after: advance(call, { status: "pending", attempt: call.attempt + 1 }) };
  if (answererOf(call.by) !== undefined && call.digest !== undefined) move.unspend = call.digest;
  return move;
}

export function settle(call: Executing, result: ToolResult, at: number): CallMove {
  const kept: CallResult = {
    output: result.output,
    ...(result.title === undefined ? {} : { title: result.title }),
    ...(result.display === undefined ? {} : { display: result.display }),
    ...(result.metadata === undefined ? {} : { metadata: result.metadata }),
    ...(result.longTermMemory === undefined ? {} : { longTermMemory: result.longTermMemory }),
    ...(result.outputOnce === undefined ? {} : { outputOnce: result.outputOnce }),
  };
  const times = { settled: at };
  if (result.error === undefined)
    return { before: call, after: advance(call, { status: "success", result: kept, times }) };
  const code = result.metadata?.["code"];
  const after = advance(call, {
    status: "error",
    errorMsg: result.error,
    errorCode: (typeof code === "string" ? code : "FAILED") as ErrorCode,
    result: kept,
    times,
  });
  return { before: call, after };
}

/** `rule` where it is known what became of it, see `raced`. */
export function interruptCall(call: Executing, reason: string, rule?: string): CallMove {
  const by = rule === undefined ? {} : { by: { actor: call.by?.actor ?? ("policy" as const), rule } };
  return { before: call, after: advance(call, { status: "interrupted", reason, ...by }) };
}

/** Run it again. `unspend` where evidence showed that its first run did nothing. */
export function retry(call: CallOf<"interrupted">, by: Decider, at: number): CallMove {
  const after = advance(call, { status: "pending", by, attempt: call.attempt + 1, times: { decided: at } });
  return { before: call, after };
}

export function foundDone(
  call: CallOf<"interrupted">,
  by: Decider,
  result: CallResult,
  reason: string,
  at: number,
): CallMove {
  return { before: call, after: advance(call, { status: "success", by, result, reason, times: { settled: at } }) };
}

const delta = (call: ToolCallInfo): CallDelta => ({
  callId: call.callId,
  status: call.status,
  attempt: call.attempt,
  ...("digest" in call && call.digest !== undefined ? { digest: call.digest } : {}),
  ...("by" in call && call.by !== undefined ? { by: call.by } : {}),
  ...("reason" in call && call.reason !== undefined ? { reason: call.reason } : {}),
});

/** Write, then say: the moves are committed in one transaction before their events go out. */
export async function record(runtime: Runtime, moves: CallMove[], answer?: AnswerRow): Promise<void> {
  if (moves.length === 0) return;
  const told = moves.map((move) => tellPartly(runtime.journal, move));
  await runtime.journal.move(told, answer);
  for (const { after } of told) {
    runtime.emit({ type: "tool_call", call: isFinal(after) ? after : delta(after) });
  }
}

/** Says who decided, after it was committed. */
export function announceDecision(
  runtime: Runtime,
  callId: string,
  decision: string,
  by: Decider,
  more: { digest?: string; reason?: string } = {},
): void {
  runtime.emit({
    type: "decision",
    callId,
    decision,
    by: by.actor,
    ...(by.rule === undefined ? {} : { rule: by.rule }),
    ...more,
  });
}
