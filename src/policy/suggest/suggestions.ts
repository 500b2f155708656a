import { canonicalJson } from "../../core/json.ts";
import { decide } from "../decide.ts";
import { askedCommand } from "../grants.ts";
import { judgedPaths } from "../names.ts";
import { touches } from "../rule-match.ts";
import { boundFiles } from "../shell/bound-files.ts";
import { partsOf } from "../shell/line-parts.ts";
import type { CallFacts, Decision, Policy, Rule } from "../types.ts";
import { examplesOf } from "./examples.ts";
import type { PastCall } from "./past-call.ts";
import { ruleOf, type SuggestedRule } from "./rule-of.ts";

/** Answers alike, each to another message of the model. */
export const leastAnswers = 3;

/** A rule that would have answered what the person answered. */
export interface Suggestion {
  rule: SuggestedRule;
  /** The calls that the person answered so, oldest first. */
  answered: PastCall[];
  /** The number of asked calls that it would have decided, those among them. */
  decided: number;
  /** The other calls that it would have decided otherwise than they were: not asked, or answered by nobody who is known. */
  also: PastCall[];
  /** Each is to be tried as the rule would be loaded; one that does not come out as it says is left out. */
  examples: { match: string[]; notMatch: string[] };
}

/** The things beside the history by which suggestions are judged. */
export interface SuggestedBy {
  policy: Policy;
  /** Answers from then on count, in milliseconds since the epoch; what was answered otherwise before is shown. */
  since?: number;
}

interface Tried {
  calls: readonly PastCall[];
  policy: Policy;
  since: number;
}

// Keeps policy 7.
/**
 * Rules for what the person answered alike at least three times and never otherwise, those first that would have spared most. Pure.
 * @param history of one workspace, the sessions oldest first.
 */
export function suggestions(history: readonly PastCall[], { policy, since = 0 }: SuggestedBy): Suggestion[] {
  const calls = [...new Map(history.toReversed().map((call) => [call.identity, call])).values()].toReversed();
  const tried = { calls, policy: { ...policy, mode: "ask" as const }, since };
  const groups = new Map<string, { rule: SuggestedRule; answered: PastCall[] }>();
  for (const call of calls) {
    const rule = call.byPerson && call.at >= since ? ruleOf(call) : undefined;
    if (rule === undefined) continue;
    const key = canonicalJson(rule as never);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { rule, answered: [call] });
    else group.answered.push(call);
  }
  return [...groups.values()]
    .filter(({ answered }) => mostAlike(answered) >= leastAnswers)
    .flatMap((group) => fitting(group, tried) ?? [])
    .toSorted((one, other) => other.decided - one.decided || lastOf(other) - lastOf(one));
}

/**
 * To how many messages of the model one and the same call was answered: a denial means words wherever they run, but what was denied in
 * several folders, or while files that say what it does were others, is not three times the same.
 */
function mostAlike(answered: readonly PastCall[]): number {
  const messages = new Map<string, Set<string>>();
  for (const { facts, message } of answered) {
    const command = askedCommand(facts)?.command;
    const { cwd = null, isFed = false } = command ?? {};
    const scripts = command === undefined ? [] : boundFiles(command);
    const key = canonicalJson([cwd, isFed, facts.sandbox === true, scripts] as never);
    messages.set(key, (messages.get(key) ?? new Set()).add(message));
  }
  return Math.max(...[...messages.values()].map(({ size }) => size));
}

const lastOf = ({ answered }: Pick<Suggestion, "answered">): number => Math.max(...answered.map(({ at }) => at));

function fitting(
  { rule, answered }: { rule: SuggestedRule; answered: PastCall[] },
  { calls, policy, since }: Tried,
): Suggestion | undefined {
  const whole: Rule = { ...rule, why: "", origin: { source: "user", file: "suggested", line: 1 } };
  const withRule = { ...policy, rules: [whole, ...policy.rules] };
  const now = (call: PastCall): Decision => decide(call.facts, policy).decision;
  const then = (call: PastCall): Decision => decide(call.facts, withRule).decision;
  // It must be of use, and nothing that decides before it may stand in its way.
  const isOfUse = answered.every((call) => now(call) === "ask" && then(call) === rule.decision);
  const others = calls.filter((call) => call.facts.tool === rule.tool && !answered.includes(call));
  if (!isOfUse || answered.some(({ overstepped }) => overstepped === true)) return undefined;
  const asked = new Set(answered.map((call) => call.asked));
  // Whatever it would decide has its words, files or hosts: all else is not judged.
  const alike = new Set(others.filter(({ facts }) => isAlike(whole, facts)));
  const isMeant = (call: PastCall): boolean => asked.has(call.asked) || alike.has(call);
  if (others.some((call) => call.at >= since && isMeant(call) && isOtherwise(call, answered))) return undefined;
  const also = [...alike].filter((call) => then(call) === rule.decision && now(call) !== rule.decision);
  const all = [...answered, ...also];
  return {
    rule,
    answered,
    decided: all.filter(({ verdict }) => verdict?.decision === "ask").length,
    also,
    examples: examplesOf(rule, others),
  };
}

/** The same words, files or hosts, wherever and however: in another folder, with another input, in or out of the sandbox. */
function isAlike({ cwd: _, piped: __, scripts: ___, sandbox: ____, ...rule }: Rule, facts: CallFacts): boolean {
  const loose: Rule = { ...rule, decision: "deny" };
  if (facts.commands.length > 0) return partsOf(facts).some((part) => touches(loose, part));
  return judgedPaths(facts).length + facts.hosts.length > 0 && touches(loose, facts);
}

/**
 * Tells whether a call that is alike speaks against it: it was answered otherwise, whoever did, or changed, or did harm; or the person allowed the
 * same words where files that say what they do were others, between these answers or after them.
 */
function isOtherwise(call: PastCall, answered: readonly PastCall[]): boolean {
  const [first] = answered;
  if (call.overstepped === true || call.answer === "edited") return true;
  if (call.answer === "none" || first === undefined) return false;
  if (call.answer !== first.answer) return true;
  const hashes = (one: PastCall): string =>
    canonicalJson(one.facts.commands.map(({ scripts = [] }) => scripts.map(({ path, sha }) => [path, sha])) as never);
  const isSamePlace = call.facts.commands.some(({ cwd }) => first.facts.commands.some((one) => one.cwd === cwd));
  const start = Math.min(...answered.map(({ at }) => at));
  return (
    first.answer === "yes" && call.at >= start && isSamePlace && !answered.some((one) => hashes(one) === hashes(call))
  );
}
