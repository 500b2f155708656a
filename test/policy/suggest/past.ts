import { decide } from "../../../src/policy/decide.ts";
import type { PastCall } from "../../../src/policy/suggest/past-call.ts";
import type { CallFacts, Policy, Verdict } from "../../../src/policy/types.ts";
import { emptyPolicy } from "../support/build.ts";

/** A call as the journal tells it; `said` by a person who saw the question. */
export function past(
  number: number,
  facts: CallFacts,
  more: Partial<PastCall> = {},
  policy: Policy = emptyPolicy,
): PastCall {
  const verdict: Verdict = decide(facts, policy);
  return {
    identity: `call ${number}`,
    session: "brisk-otter-4f2a",
    callId: `c${number}`,
    message: `message ${number}`,
    at: number,
    summary: facts.commands.map(({ text }) => text).join(" ") || facts.tool,
    asked: `asked ${number}`,
    facts,
    verdict,
    answer: "yes",
    byPerson: true,
    ...more,
  };
}

/** The same call so many times, each in a message of its own. */
export const pastTimes = (times: number, facts: CallFacts, more: Partial<PastCall> = {}, from = 1): PastCall[] =>
  Array.from({ length: times }, (_, at) => past(from + at, facts, more));
