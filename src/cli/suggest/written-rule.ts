import { canonicalJson, type JsonObject } from "../../core/json.ts";
import { readPolicyFile } from "../../policy/files/policy-file.ts";
import { parseRules } from "../../policy/files/rules.ts";
import type { Suggestion } from "../../policy/suggest/suggestions.ts";
import { ruleWhys } from "../../words/contract/rule-why.ts";
import { suggestions as words } from "../../words/en/suggestions.ts";
import { endedLine, type FileChange, rulesIn, withAllOf } from "../policy-change.ts";
import { CliProblem } from "../problem.ts";
import { withRule } from "../with-rule.ts";
import { dayText } from "./suggestion-text.ts";

/** As a rule stands in policy.json. */
export type WrittenRule = JsonObject;

/** The rule with its reason, and with those of its examples that come out as they say. */
export async function writtenRule({ rule, answered, examples }: Suggestion): Promise<WrittenRule> {
  const last = Math.max(...answered.map(({ at }) => at));
  const why = ruleWhys.answered({ decision: rule.decision, times: answered.length, last: dayText(last) });
  const { decision, ...reach } = rule;
  const bare = { ...reach, decision, why } as unknown as WrittenRule;
  const held: Record<string, string[]> = {};
  for (const key of ["match", "notMatch"] as const) {
    const good: string[] = [];
    for (const example of examples[key])
      if ("rules" in (await parseRules(JSON.stringify({ rules: [{ ...bare, [key]: [example] }] }), "", "user")))
        good.push(example);
    if (good.length > 0) held[key] = good;
  }
  return { ...bare, ...held };
}

/**
 * The person's policy file with this rule behind the others, comments and layout left as they are.
 * @throws PolicyProblem, CliProblem where the file cannot be read, is broken, or does not take the rule as it is
 */
export async function changeWith(file: string, suggestion: Suggestion): Promise<FileChange> {
  const before = await readPolicyFile(file);
  const known = await rulesIn(before, file, "user");
  const after = endedLine(withRule(before ?? '{ "rules": [] }\n', await writtenRule(suggestion)));
  const now = await withAllOf(after, known.length + 1, file, "user");
  const { why: _, origin: __, ...added } = now.at(-1) ?? { why: "", origin: undefined };
  if (canonicalJson(added as never) !== canonicalJson(suggestion.rule as never))
    throw new CliProblem("failed", words().otherRule({ file }));
  return { file, before, after };
}
