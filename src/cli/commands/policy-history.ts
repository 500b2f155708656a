import { jsonLine } from "../../core/json-line.ts";
import { parseAllowFlags, parseRules } from "../../policy/files/rules.ts";
import type { Rule } from "../../policy/types.ts";
import { ruleHistory } from "../../records/rule-history.ts";
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
  const { io, flags, workspace, mode } = composition;
  const rule = await ruleOf(text);
  const store = await composition.reading();
  const rows = store.sessions.list({ workspace }).toReversed();
  let count = 0;
  for (const { id } of rows) {
    const policy = await composition.policy({ session: id, workspace, mode });
    for (const call of ruleHistory(store.readJournal(id), { workspace }, policy, rule)) {
      count += 1;
      const line = `${call.decision.padEnd(5)}  ${call.summary}  ·  ${call.status}, ${id} ${call.callId}\n`;
      io.stdout.write(flags.json === true ? jsonLine({ session: id, ...call }) : cleanText(line));
    }
  }
  if (count === 0 && flags.json !== true) io.stdout.write("no recorded call here would have been decided by it\n");
  return 0;
}

async function ruleOf(text: string): Promise<Rule> {
  const isWhole = text.trimStart().startsWith("{");
  const parsed = isWhole ? await parseRules(`{"rules":[${text}]}`, told, "user") : await parseAllowFlags([text], told);
  const problems = "problems" in parsed ? parsed.problems.map(({ message }) => message) : [];
  const [rule] = "rules" in parsed ? parsed.rules : [];
  if (rule !== undefined) return rule;
  throw new CliProblem("usage", `${told}: ${problems.join("\n") || "it is no rule"}`);
}
