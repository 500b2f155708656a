import type { ToolCallInfo } from "../core/call.ts";
import type { Bounds } from "../core/tool.ts";
import { factsOf } from "../graph/calls/call-facts.ts";
import { decide } from "../policy/decide.ts";
import type { Decision, Policy, Rule, RuleSource } from "../policy/types.ts";
import type { Journal } from "../store/types.ts";

/** A recorded call over which a rule would have decided. */
export interface RuledCall {
  callId: string;
  tool: string;
  /** One line, as the person saw it. */
  summary: string;
  /** The decision that policy would have made with the rule. */
  decision: Decision;
  /** The state that it came to. */
  status: ToolCallInfo["status"];
  /** Milliseconds since the epoch. */
  at: number;
}

/** The recorded calls over which the rule would decide, in part or whole, as their plans were; oldest first. Calls without a plan are left out. */
export function ruleHistory(
  journal: Pick<Journal, "allCalls" | "planOf">,
  bounds: Bounds,
  policy: Policy,
  rule: Rule,
): RuledCall[] {
  const tried = { ...policy, rules: [rule, ...policy.rules] };
  const isMeant = ({ file, line }: RuleSource): boolean => file === rule.origin.file && line === rule.origin.line;
  return journal.allCalls().flatMap((call): RuledCall[] => {
    const plan = journal.planOf(call.callId);
    if (plan === undefined) return [];
    // Of a command the effect is told by its plan, which is judged anew.
    const effect = plan.command === undefined ? call.effect : "once";
    const facts = factsOf({ name: call.toolName, effect }, plan, bounds);
    const { decision, rule: decided, parts = [] } = decide(facts, tried);
    if (!isMeant(decided) && !parts.some((part) => isMeant(part.rule))) return [];
    const { callId, toolName: tool, status, times } = call;
    return [{ callId, tool, summary: plan.summary, decision, status, at: times.proposed }];
  });
}
