import { jsonLine } from "../../core/json-line.ts";
import { parseAllowFlags, parseRules } from "../../policy/files/rules.ts";
import type { Rule } from "../../policy/types.ts";
import { policyCommands } from "../../words/en/policy-commands.ts";
import { titleAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import { CliProblem } from "../problem.ts";
import { ruledCalls, told } from "../services/grant-history.ts";
import { cleanText } from "../terminal/sanitise.ts";

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

async function ruleOf(text: string): Promise<Rule> {
  const isWhole = text.trimStart().startsWith("{");
  const parsed = isWhole ? await parseRules(`{"rules":[${text}]}`, told, "user") : await parseAllowFlags([text], told);
  const problems = "problems" in parsed ? parsed.problems.map(({ message }) => message) : [];
  const [rule] = "rules" in parsed ? parsed.rules : [];
  if (rule !== undefined) return rule;
  throw new CliProblem("usage", `${told}: ${problems.join("\n") || policyCommands().noRule}`);
}
