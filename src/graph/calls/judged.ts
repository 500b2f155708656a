import { decide } from "../../policy/decide.ts";
import { heedsPast } from "../../policy/past.ts";
import type { CallFacts, PastFacts, Policy } from "../../policy/types.ts";
import type { Journal } from "../../store/types.ts";
import { pastOf } from "./past.ts";
import type { Preparation, PreparedCall } from "./prepared-call.ts";

/**
 * What a verdict hangs on beside the call itself, as one text: all of the policy that can decide (rules, grants, mode, trust, protected places and
 * what leads to them), and what the session has come upon where that bears on the call. It is compared by value, for a policy may be changed in
 * place; a field that a policy gets later counts by itself.
 */
export const markOf = ({ inert: _, ...policy }: Policy, { past }: Pick<CallFacts, "past">): string =>
  JSON.stringify([policy, past ?? null], (_key, value: unknown) => (value instanceof Map ? [...value] : value));

// Keeps graph 16.
/**
 * A call that was prepared in this process, judged by the rules in force now and by what the session has come upon since. Its verdict stands
 * where none of that is another than when it was made.
 */
export function judgedNow(known: PreparedCall, policy: Policy, journal: Pick<Journal, "heardCalls">): Preparation {
  const facts = withPast(known.facts, () => pastOf(journal));
  const mark = markOf(policy, facts);
  if (mark === known.mark) return known;
  const verdict = decide(facts, policy);
  return verdict.decision === "deny" ? { kind: "denied", verdict } : { ...known, facts, verdict, mark };
}

/** `past` is asked only where it bears on the call. */
export const withPast = (facts: CallFacts, past: () => PastFacts): CallFacts =>
  heedsPast(facts) ? { ...facts, past: past() } : facts;
