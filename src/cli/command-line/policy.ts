import type { Command } from "commander";
import { helpPolicy as words } from "../../words/en/help-policy.ts";
import { program as atLarge } from "../../words/en/program.ts";
import type { Add, Run } from "./program.ts";

export function addPolicy(program: Command, add: Add, run: Run): void {
  const policy = program.command("policy").description(atLarge().policy);
  policy
    .showHelpAfterError(`(${atLarge().showsCommands({ path: "agent policy" })})`)
    .exitOverride()
    .helpCommand(false);
  const load = () => import("../commands/policy.ts");
  add(policy, {
    usage: "check [tool] [json]",
    says: words().policyCheck,
    bears: ["cwd", "addDir", "mode", "grantsOf", "rules", "json"],
  })
    .option("--stdin", words().policyCheck.options.stdin)
    .option("--history <rule>", words().policyCheck.options.history)
    .action(
      run(([tool, json], { stdin, history }) => async (at) => {
        if (typeof history === "string")
          return (await import("../commands/policy-history.ts")).judgeHistory(at, history);
        const commands = await load();
        return stdin === true ? commands.checkPolicyLines(at) : commands.checkPolicy(at, tool, json ?? "{}");
      }),
    );
  add(policy, { usage: "list", says: words().policyList, bears: ["cwd", "grantsOf", "json"] }).action(
    run(() => async (at) => (await load()).listPolicy(at)),
  );
  add(policy, { usage: "suggest", says: words().policySuggest, bears: ["cwd", "json"] })
    .option("--since <time>", words().policySuggest.options.since)
    .option("--write <number>", words().policySuggest.options.write)
    .action(
      run((_, { since, write }) => async (at) => {
        const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
        return (await import("../commands/policy-suggest.ts")).suggestRules(at, {
          since: text(since),
          write: text(write),
        });
      }),
    );
  add(policy, { usage: "revoke <id...>", says: words().policyRevoke, bears: [] }).action(
    run((ids) => async (at) => (await load()).revokeGrants(at, ids)),
  );
}
