import { decide } from "./decide.ts";
import type { CallFacts, Decision, Grant, GrantScope, Policy, PolicyCheckLine, Rule } from "./types.ts";

/** The line of `agent policy check` for one call: what `decide` says, and for which tool. */
export function checkCall(facts: CallFacts, policy: Policy): PolicyCheckLine {
  return { tool: facts.tool, ...decide(facts, policy) };
}

/** One line of `agent policy list`. */
export interface PolicyRow {
  decision: Decision;
  tool: string;
  paths?: string[];
  command?: string;
  hosts?: string[];
  methods?: string[];
  secrets?: string[];
  /** True if it means files that the session made whole, where they run apart from the workspace. */
  made?: true;
  why: string;
  source: "user" | "project" | "grant";
  /** False for the project's allow rules until the workspace is trusted. */
  inForce: boolean;
  file?: string;
  line?: number;
  /** Of grants: what `agent policy revoke` takes. */
  id?: string;
  scope?: GrantScope;
  /** Of a grant for one session: in force there and nowhere else. */
  session?: string;
  /** Of grants: milliseconds since the epoch. */
  at?: number;
}

/**
 * All rules and grants that `decide` looks at, in its order, then those that are not in force.
 * @param grants those to be listed, which may be more than the policy's: a session's hold in that session only.
 */
export function listRules(policy: Policy, grants: readonly Grant[] = policy.grants): PolicyRow[] {
  const granted = grants.map(
    ({ key, ...grant }): PolicyRow => ({
      decision: "allow",
      ...grant,
      ...(grant.scope === "session" && key !== undefined ? { session: key } : {}),
      source: "grant",
      inForce: true,
    }),
  );
  const row = (rule: Rule, inForce: boolean): PolicyRow => {
    const { origin, ...said } = rule;
    return { ...said, ...origin, inForce };
  };
  const order: Record<Decision, number> = { deny: 0, ask: 1, allow: 2 };
  const rules = policy.rules.toSorted((one, other) => order[one.decision] - order[other.decision]);
  return [...rules.map((rule) => row(rule, true)), ...granted, ...(policy.inert ?? []).map((rule) => row(rule, false))];
}
