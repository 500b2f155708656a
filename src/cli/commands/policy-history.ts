import { setImmediate as nextTurn } from "node:timers/promises";
import { jsonLine } from "../../core/json-line.ts";
import { parseAllowFlags, parseRules } from "../../policy/files/rules.ts";
import type { Decision, GrantOffer, Rule } from "../../policy/types.ts";
import { type RuledCall, ruleHistory } from "../../records/rule-history.ts";
import type { Store } from "../../store/types.ts";
import { policyCommands } from "../../words/en/policy-commands.ts";
import { titleAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import { CliProblem } from "../problem.ts";
import { cleanText } from "../terminal/sanitise.ts";

const told = "--history";

/**
 * `agent policy check --history RULE`: the recorded calls of this workspace that the rule would have allowed, asked about or denied.
 * @param text a rule as in policy.json, or in its short form (`shell(npm test *)`).
 * @throws CliProblem usage for a rule that cannot be read.
 */
export async function judgeHistory(composition: Composition, text: string): Promise<number> {
  const { io, flags, workspace } = composition;
  const rule = await ruleOf(text);
  let count = 0;
  for await (const { session, ...call } of ruledCalls(composition, await composition.reading(), { workspace, rule })) {
    count += 1;
    const line = `${call.decision.padEnd(5)}  ${titleAgain(call.tool, call.summary)}  ·  ${titleAgain("an event", call.status)}, ${session} ${call.callId}\n`;
    io.stdout.write(flags.json === true ? jsonLine({ session, ...call }) : cleanText(line));
  }
  if (count === 0 && flags.json !== true) io.stdout.write(`${policyCommands().noCall}\n`);
  return 0;
}

/** Recorded calls over which the rule would decide, oldest session first; keys that come meanwhile wait for one session at most. */
async function* ruledCalls(
  composition: Composition,
  store: Pick<Store, "sessions" | "readJournal">,
  { workspace, rule, only }: { workspace: string; rule: Rule; only?: string | undefined },
): AsyncGenerator<RuledCall & { session: string }> {
  const { mode } = composition;
  for (const { id } of store.sessions.list({ workspace }).toReversed()) {
    if (only !== undefined && id !== only) continue;
    await nextTurn();
    const policy = await composition.policy({ session: id, workspace, mode });
    for (const call of ruleHistory(store.readJournal(id), { workspace }, policy, rule)) yield { session: id, ...call };
  }
}

/**
 * Tells how a grant that the dialog offers would have decided over the recorded calls that it reaches, in words; undefined for one that
 * holds for scripts as they are, of which the record says nothing.
 */
export async function grantHistory(
  composition: Composition,
  workspace: string,
  { grant, scope }: GrantOffer,
): Promise<string | undefined> {
  const { tool, paths, command, hosts, scripts, made } = grant;
  if (scripts !== undefined || made !== undefined) return undefined;
  const reach = { ...(paths && { paths }), ...(command !== undefined && { command }), ...(hosts && { hosts }) };
  const origin = { source: "user", file: told, line: 1 } as const;
  const rule: Rule = { tool, ...reach, decision: "allow", why: "", origin };
  const only = scope === "session" ? grant.key : undefined;
  const counts: Record<Decision, number> = { allow: 0, ask: 0, deny: 0 };
  for await (const { decision } of ruledCalls(composition, await composition.store(), { workspace, rule, only }))
    counts[decision] += 1;
  const parts = (["allow", "ask", "deny"] as const)
    .filter((decision) => decision === "allow" || counts[decision] > 0)
    .map((decision) => policyCommands().past[decision]({ calls: counts[decision] }));
  return policyCommands().wouldHave({ parts });
}

async function ruleOf(text: string): Promise<Rule> {
  const isWhole = text.trimStart().startsWith("{");
  const parsed = isWhole ? await parseRules(`{"rules":[${text}]}`, told, "user") : await parseAllowFlags([text], told);
  const problems = "problems" in parsed ? parsed.problems.map(({ message }) => message) : [];
  const [rule] = "rules" in parsed ? parsed.rules : [];
  if (rule !== undefined) return rule;
  throw new CliProblem("usage", `${told}: ${problems.join("\n") || policyCommands().noRule}`);
}
