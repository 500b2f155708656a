import { setImmediate as nextTurn } from "node:timers/promises";
import type { Decision, GrantOffer, Rule } from "../../policy/types.ts";
import { type RuledCall, ruleHistory } from "../../records/rule-history.ts";
import type { Store } from "../../store/types.ts";
import { policyCommands } from "../../words/en/policy-commands.ts";
import type { Composition } from "../composition.ts";

/** The flag that asks for it, which is where such a rule is from. */
export const told = "--history";

/** Recorded calls over which the rule would decide, oldest session first; keys that come meanwhile wait for one session at most. */
export async function* ruledCalls(
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
