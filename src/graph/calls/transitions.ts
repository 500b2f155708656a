import {
  advance,
  answererOf,
  type CallEnd,
  type CallOf,
  type CallResult,
  type Decider,
  isFinal,
  type ToolCallInfo,
} from "../../core/call.ts";
import type { ErrorCode } from "../../core/codes.ts";
import { observeLimit } from "../../core/observe-limit.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { Mode, RuleSource, Verdict } from "../../policy/types.ts";
import type { AnswerRow, CallMove } from "../../store/types.ts";
import type { CallDelta } from "../events.ts";
import type { Runtime } from "../runtime.ts";
import { callWords } from "../talk/call-words.ts";
import { withObserveLimit } from "../talk/observation-text.ts";
import { endOfParent } from "./ended-with.ts";
import { keptImages } from "./kept-images.ts";
import { tellPartly } from "./partly.ts";
import type { PreparedCall } from "./prepared-call.ts";

type Pending = CallOf<"pending">;
type Executing = CallOf<"executing">;

/** "user:/home/x/policy.json:4", "grant:g-1a2b3c4d", "table": where a decision came from, for journal and events. */
export function ruleName(rule: RuleSource): string {
  if (rule.grant !== undefined) return `${rule.source}:${rule.grant}`;
  if (rule.file === undefined) return rule.source;
  return rule.line === undefined ? `${rule.source}:${rule.file}` : `${rule.source}:${rule.file}:${rule.line}`;
}

export const policyDecider = (verdict: Verdict): Decider => ({ actor: "policy", rule: ruleName(verdict.rule) });

/** @param ended where another thing ended it than what its code says. */
export function refuse(call: Pending, code: ErrorCode, message: string, at: number, ended?: CallEnd): CallMove {
  const times = { settled: at };
  const after = advance(call, { status: "error", errorCode: code, errorMsg: message, times, ...(ended && { ended }) });
  return { before: call, after };
}

export function denyByPolicy(call: Pending, verdict: Verdict, at: number): CallMove {
  const after = advance(call, {
    status: "cancelled",
    risk: verdict.risk,
    by: policyDecider(verdict),
    ended: { why: "policy", note: verdict.why },
    times: { decided: at, settled: at },
  });
  return { before: call, after, verdict };
}

export function cancel(
  call: Pending | CallOf<"awaiting_approval"> | CallOf<"interrupted">,
  by: Decider,
  ended: CallEnd,
  at: number,
  reason?: string,
): CallMove {
  const times = { decided: at, settled: at };
  const after = advance(call as Pending, {
    status: "cancelled",
    by,
    ended,
    times,
    ...(reason === undefined ? {} : { reason }),
  });
  return { before: call, after };
}

/** Calls off a call that was started and not seen to end: it stays unknown what became of it, unless another's save had won. */
export function callOff(
  call: CallOf<"interrupted">,
  why: CallEnd["why"],
  at: number,
  by: Decider = { actor: "person" },
): CallMove {
  const { files } = call.ended;
  const ended: CallEnd =
    call.ended.why === "raced" || call.ended.why === "overstepped"
      ? call.ended
      : {
          why,
          unknown: true,
          note: callWords.end({ ...call, ended: withoutFiles(call.ended) }),
          ...(files && { files }),
        };
  return cancel(call, by, ended, at);
}

const withoutFiles = ({ files: _, ...rest }: CallEnd): CallEnd => rest;

/** The plan goes into the journal with the question, so that the same dialog can come back after a death. */
export function ask(
  call: Pending | CallOf<"awaiting_approval">,
  { verdict, facts, plan, digest }: Pick<PreparedCall, "verdict" | "facts" | "plan" | "digest">,
  changes: Partial<Pick<ToolCallInfo, "arguments">> = {},
): CallMove {
  const judged = { risk: verdict.risk, effect: facts.effect, digest };
  const after = advance(call as Pending, { status: "awaiting_approval", ...judged, ...changes });
  return { before: call, after, plan, judge: policyDecider(verdict), verdict };
}

export function approve(call: CallOf<"awaiting_approval">, by: Decider, at: number): CallMove {
  return { before: call, after: advance(call, { status: "pending", by, times: { decided: at } }) };
}

/** The grounds on which a call is begun: who lets it run, by which verdict, and what is kept of what was made of it. */
interface Grounds {
  by: Decider;
  verdict: Verdict;
  prepared?: Pick<PreparedCall, "facts" | "plan" | "digest"> | undefined;
}

// Keeps graph 3, graph 5.
/**
 * The durable mark before an effect, with what effect it is; spends the approval of an answer where there is one. A verdict that policy lets it run by takes the
 * place of the one that was noted; one that a person approved keeps that by which they were asked.
 */
export function begin(call: Pending, { by, verdict: present, prepared }: Grounds, at: number): CallMove {
  const verdict = by.actor === "policy" ? present : undefined;
  const judged = prepared === undefined ? {} : { digest: prepared.digest, effect: prepared.facts.effect };
  const risk = verdict === undefined ? {} : { risk: verdict.risk };
  const after = advance(call, { status: "executing", by, ...judged, ...risk, times: { started: at } });
  const move: CallMove = { before: call, after, ...(verdict === undefined ? {} : { verdict }) };
  if (prepared !== undefined) move.plan = prepared.plan;
  if (answererOf(by) !== undefined && after.digest !== undefined) move.spend = after.digest;
  // Routing wrote no event for what policy allows: this one is the first to say who allowed it.
  if (by.actor === "policy") move.judge = by;
  return move;
}

/** Nothing was done: the bytes drifted between plan and effect. */
export const giveBack = (call: Executing): CallMove => pendingAgain(call, call.attempt + 1);

/** The process leaves, and it stands as before it was begun: that start is none of those that are counted. */
export const leave = (call: Executing): CallMove => pendingAgain(call, call.attempt);

function pendingAgain(call: Executing, attempt: number): CallMove {
  const move: CallMove = { before: call, after: advance(call, { status: "pending", attempt }) };
  if (answererOf(call.by) !== undefined && call.digest !== undefined) move.unspend = call.digest;
  return move;
}

/** The end of a run that was seen. */
export function settle(call: Executing, outcome: Extract<Outcome, { kind: "done" | "failed" }>, at: number): CallMove {
  const times = { settled: at };
  if (outcome.kind === "done") {
    const after = advance(call, { status: "success", result: outcome.result, times });
    return { before: call, after, ...(outcome.changed === undefined ? {} : { done: outcome.changed }) };
  }
  const { message, code, result, changed = [] } = outcome;
  const after = advance(call, {
    status: "error",
    errorMsg: message,
    errorCode: code,
    ...(result === undefined ? {} : { result }),
    times,
  });
  return { before: call, after, done: changed };
}

/** `result`: of a call that came to its end, and waits for the person's word on it. */
export const interruptCall = (call: Executing, ended: CallEnd, result?: CallResult): CallMove => ({
  before: call,
  after: advance(call, { status: "interrupted", ended, ...(result === undefined ? {} : { result }) }),
});

/** Run it again. `unspend` where evidence showed that its first run did nothing. */
export function retry(call: CallOf<"interrupted">, by: Decider, at: number): CallMove {
  const after = advance(call, { status: "pending", by, attempt: call.attempt + 1, times: { decided: at } });
  return { before: call, after };
}

/** A read that is not run again: an error, in one transaction with its way back. */
export function giveUp(call: CallOf<"interrupted">, message: string, at: number): CallMove[] {
  const by: Decider = { actor: "recovery", rule: "evidence" };
  const pending = advance(call, { status: "pending", by, times: { decided: at } });
  return [{ before: call, after: pending }, refuse(pending, "FAILED", message, at, { why: "unseen" })];
}

export function foundDone(call: CallOf<"interrupted">, by: Decider, result: CallResult, at: number): CallMove {
  return { before: call, after: advance(call, { status: "success", by, result, times: { settled: at } }) };
}

const delta = (call: ToolCallInfo): CallDelta => ({
  callId: call.callId,
  status: call.status,
  attempt: call.attempt,
  ...("digest" in call && call.digest !== undefined ? { digest: call.digest } : {}),
  ...("by" in call && call.by !== undefined ? { by: call.by } : {}),
  ...("ended" in call && call.ended !== undefined ? { ended: call.ended } : {}),
});

/** Settles with a call the limit of what the model will read of it. */
function limited({ catalogue, maxObserve }: Runtime, move: CallMove): CallMove {
  const tool = catalogue.get(move.after.toolName);
  return { ...move, after: withObserveLimit(move.after, observeLimit(tool?.maxObserve, maxObserve)) };
}

/** The same move, with the pictures of its call's result kept by their hash. */
function withKeptImages(move: CallMove): CallMove {
  const { after } = move;
  const result = "result" in after ? after.result : undefined;
  if (result?.images === undefined) return move;
  const { images, keep } = keptImages(result.images);
  return {
    ...move,
    after: { ...after, result: { ...result, images } } as ToolCallInfo,
    keep: [...(move.keep ?? []), ...keep],
  };
}

/**
 * Write, then say: the moves are committed in one transaction before their events go out. What a call drives ends before it does, so that
 * nothing is awaited any more of a child that nobody goes on with.
 */
export async function record(runtime: Runtime, moves: CallMove[], answer?: AnswerRow): Promise<void> {
  if (moves.length === 0) return;
  for (const { after } of moves)
    if (after.effect === "child" && isFinal(after)) await runtime.children?.end(after.callId, endOfParent(after));
  const told = moves.map((move) => {
    const whole = move.after.effect === "file" ? tellPartly(runtime.journal, move) : move;
    return withKeptImages(limited(runtime, whole));
  });
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
  more: { digest?: string; reason?: string; mode?: Mode } = {},
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
