import type { CallOf, ToolCallInfo } from "../../core/call.ts";
import { isFinal } from "../../core/call.ts";
import type { CallMove } from "../../store/types.ts";
import { judge, judgeRead } from "../calls/judge.ts";
import { createOverlay } from "../calls/overlay.ts";
import { announceDecision, ask, denyByPolicy, policyDecider, record, refuse } from "../calls/transitions.ts";
import type { Runtime } from "../runtime.ts";
import { type AgentStateUpdate, type AgentStateValue, stepIdOf } from "../state.ts";
import { split } from "./split.ts";

/**
 * Gives each pending call of the message its verdict, in order, over an overlay of the "after" of the calls before it.
 * What policy allows stays pending and carries who allowed it; only questions, denials and refusals are written, in one
 * transaction. Run again after a death it finds them and judges nothing twice.
 */
export async function routeCalls(runtime: Runtime, state: AgentStateValue): Promise<AgentStateUpdate> {
  const stepId = stepIdOf(state);
  const calls = runtime.journal.callsOf(stepId);
  const policy = await runtime.policy(runtime.mode);
  const overlay = createOverlay();
  const moves: CallMove[] = [];
  const say: (() => void)[] = [];
  const routed: ToolCallInfo[] = [];

  const routeOne = async (call: CallOf<"pending">): Promise<ToolCallInfo> => {
    const judged = await judgeFor(call);
    if (judged.kind === "refused") return write(refuse(call, judged.code, judged.message, runtime.clock()));
    if (judged.kind === "denied") {
      const move = denyByPolicy(call, judged.verdict, runtime.clock());
      say.push(() =>
        announceDecision(runtime, call.callId, "deny", policyDecider(judged.verdict), { reason: judged.verdict.why }),
      );
      return write(move);
    }
    if (judged.kind === "judged" && judged.verdict.decision === "ask") return write(ask(call, judged));
    const by = policyDecider(judged.verdict);
    say.push(() => announceDecision(runtime, call.callId, "allow", by));
    return { ...call, risk: judged.verdict.risk, by };
  };
  const judgeFor = (call: CallOf<"pending">) =>
    call.effect === "none" ? judgeRead(runtime, call, stepId, policy) : judge(runtime, call, stepId, policy, overlay);
  const write = (move: CallMove): ToolCallInfo => {
    moves.push(move);
    return move.after;
  };

  for (const call of calls) {
    const open = call.status === "pending" && call.by === undefined && !isFinal(call);
    routed.push(open ? await routeOne(call) : call);
  }
  await record(runtime, moves);
  for (const announce of say) announce();
  return split(routed);
}
