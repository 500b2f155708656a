import type { CallOf, Decider, ToolCallInfo } from "../../core/call.ts";
import { answererOf, isFinal } from "../../core/call.ts";
import type { Plan, ToolResult } from "../../core/tool.ts";
import type { CallMove } from "../../store/types.ts";
import { runTool } from "../../tools/execute-tool.ts";
import { blindCodes, settleThrown, settleUnseen } from "../calls/evidence.ts";
import { judge, judgeRead, mayRead } from "../calls/judge.ts";
import { createOverlay } from "../calls/overlay.ts";
import { doneIn } from "../calls/partly.ts";
import { imagesOf } from "../calls/pre-images.ts";
import {
  ask,
  begin,
  cancel,
  denyByPolicy,
  giveBack,
  interruptCall,
  policyDecider,
  record,
  refuse,
  settle,
} from "../calls/transitions.ts";
import { type Runtime, toolContext } from "../runtime.ts";
import { type AgentStateUpdate, type AgentStateValue, stepIdOf } from "../state.ts";
import { raced } from "../talk/observation-text.ts";
import { TurnLeft } from "../turn-left.ts";
import { split } from "./split.ts";

type Pending = CallOf<"pending">;

/** How often a call is given back because its bytes drifted between its plan and its effect; then it is an error. */
const maxDrifts = 3;

/**
 * Runs the calls of the message in its order: reads side by side, every other call alone. The journal is asked first, so
 * that a node run again after a death repeats nothing: settled calls keep their result, calls whose end was not seen are
 * settled by evidence or left to the person. Returns early when a call must be asked about (again).
 */
export async function executeCalls(runtime: Runtime, state: AgentStateValue): Promise<AgentStateUpdate> {
  const stepId = stepIdOf(state);
  const routed = new Map(state.pendingToolCalls.map((call) => [call.callId, call]));
  await settleUnseen(runtime, stepId);
  for (;;) {
    const calls = runtime.journal.callsOf(stepId);
    const open = calls.filter((call) => !isFinal(call));
    if (runtime.signal.aborted && runtime.leaving && open.length > 0) throw new TurnLeft();
    if (runtime.signal.aborted) await stopOpen(runtime, open);
    const first = open[0];
    if (runtime.signal.aborted || first === undefined || first.status !== "pending") break;
    const reads = leadingReads(open);
    if (reads.length > 0)
      await runReads(
        runtime,
        stepId,
        reads.map((call) => withDecision(call, routed)),
      );
    else await runAlone(runtime, stepId, first);
  }
  return split(runtime.journal.callsOf(stepId));
}

/** Routing writes no row for what policy allows; its word is in the graph's state. */
function withDecision(call: Pending, routed: ReadonlyMap<string, ToolCallInfo>): Pending {
  const known = routed.get(call.callId);
  return call.by === undefined && known?.status === "pending" && known.by !== undefined
    ? { ...call, risk: known.risk, by: known.by }
    : call;
}

function leadingReads(open: readonly ToolCallInfo[]): Pending[] {
  const reads: Pending[] = [];
  for (const call of open) {
    if (call.status !== "pending" || call.effect !== "none" || answererOf(call.by) !== undefined) break;
    reads.push(call);
  }
  return reads;
}

async function stopOpen(runtime: Runtime, open: readonly ToolCallInfo[]): Promise<void> {
  const moves = open
    .filter((call) => call.status === "pending" || call.status === "awaiting_approval")
    .map((call) => cancel(call, { actor: "person" }, "the person stopped the turn before it ran", runtime.clock()));
  await record(runtime, moves);
}

/** One transaction starts the group, one settles it. */
async function runReads(runtime: Runtime, stepId: string, reads: Pending[]): Promise<void> {
  const starts: CallMove[] = [];
  const policy = reads.every((call) => call.by !== undefined) ? undefined : await runtime.policy(runtime.mode);
  for (const call of reads) {
    const by = call.by ?? (policy && (await allowedNow(call)));
    if (by !== undefined) starts.push(begin(call, by, runtime.clock()));
  }
  await record(runtime, starts);
  const settled = await Promise.all(
    starts.map(async ({ after }) => {
      const call = after as CallOf<"executing">;
      const result = await run(runtime, stepId, call);
      return settle(call, result, runtime.clock());
    }),
  );
  await record(runtime, settled);

  async function allowedNow(call: Pending): Promise<Decider | undefined> {
    if (policy === undefined) return undefined;
    const judged = await judgeRead(runtime, call, stepId, policy);
    const at = runtime.clock();
    if (judged.kind === "refused") await record(runtime, [refuse(call, judged.code, judged.message, at)]);
    else if (judged.kind === "denied") await record(runtime, [denyByPolicy(call, judged.verdict, at)]);
    else if (judged.kind === "judged" && judged.verdict.decision === "ask") await record(runtime, [ask(call, judged)]);
    else return policyDecider(judged.verdict);
    return undefined;
  }
}

/**
 * Plans on the bytes as they are now. A person's approval holds only for the digest that was shown: another one goes
 * back to them; what policy alone allowed is judged again by itself.
 */
async function runAlone(runtime: Runtime, stepId: string, call: Pending): Promise<void> {
  const overlay = createOverlay();
  const judged = await judge(runtime, call, stepId, await runtime.policy(runtime.mode), overlay);
  const at = runtime.clock();
  if (judged.kind === "refused") return record(runtime, [refuse(call, judged.code, judged.message, at)]);
  if (judged.kind === "denied") return record(runtime, [denyByPolicy(call, judged.verdict, at)]);
  const answerer = answererOf(call.by);
  if (answerer !== undefined ? judged.digest !== call.digest : judged.verdict.decision === "ask") {
    noteChange(runtime, call, judged.digest);
    return record(runtime, [ask(call, judged)]);
  }
  const by: Decider = answerer ?? policyDecider(judged.verdict);
  const keep = await imagesOf(judged.plan, overlay);
  const start: CallMove = { ...begin(call, by, at, judged), keep };
  await record(runtime, [start]);
  await finish(runtime, stepId, start.after as CallOf<"executing">, judged.plan);
}

function noteChange(runtime: Runtime, call: Pending, to: string): void {
  if (call.digest === undefined || call.digest === to) return;
  const before = runtime.journal.planOf(call.callId);
  const partly = call.by?.actor === "recovery";
  const why = partly ? "part of it was done when its process ended" : "the file changed while you were deciding";
  runtime.changes.set(call.callId, { from: call.digest, to, why, ...(before === undefined ? {} : { before }) });
}

async function finish(runtime: Runtime, stepId: string, call: CallOf<"executing">, plan: Plan): Promise<void> {
  const result = await run(runtime, stepId, call, plan);
  const { drifted, raced: lostRace, code } = result.metadata ?? {};
  if (lostRace === true) {
    const reason = result.error ?? "the file was saved by another program at the same instant";
    await record(runtime, [{ ...interruptCall(call, reason, raced), done: doneIn(result) }]);
  } else if (code === "OUTCOME_UNKNOWN") {
    await record(runtime, [interruptCall(call, result.error ?? "its end was not seen")]);
  } else if (drifted === true && call.attempt <= maxDrifts) {
    await record(runtime, [giveBack(call)]);
  } else if (call.effect === "file" && blindCodes.includes(code)) {
    await settleThrown(runtime, call, result, plan);
  } else {
    await record(runtime, [{ ...settle(call, result, runtime.clock()), done: doneIn(result) }]);
  }
}

async function run(runtime: Runtime, stepId: string, call: CallOf<"executing">, plan?: Plan): Promise<ToolResult> {
  const tool = runtime.registry.get(call.toolName);
  if (tool === undefined) throw new Error(`the tool ${call.toolName} went away while it was called`);
  const policy = await runtime.policy(runtime.mode);
  const mayShow = (real: string) => mayRead(real, policy, runtime.workspace);
  const ctx = toolContext(
    runtime,
    { callId: call.callId, stepId },
    plan === undefined ? { mayShow } : { plan, mayShow },
  );
  return runTool(tool, call.arguments, ctx);
}
