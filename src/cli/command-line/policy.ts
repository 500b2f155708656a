import type { Command } from "commander";
import type { Add, Run } from "./program.ts";

export function addPolicy(program: Command, add: Add, run: Run): void {
  const policy = program.command("policy").description("what may run without asking, and why");
  policy.showHelpAfterError("(agent policy --help shows its commands)").exitOverride().helpCommand(false);
  const load = () => import("../commands/policy.ts");
  add(policy, {
    usage: "check [tool] [json]",
    text: "what the policy would decide about a call",
    bears: ["cwd", "addDir", "mode", "grantsOf", "rules", "json"],
    note: "At a terminal the verdict is told in sentences; with --json,\nand where stdout is no terminal, as a line of JSON.",
    examples: [
      [`agent policy check shell '{"command":"npm test"}'`, "one call"],
      [`agent policy check --history "shell(npm test *)"`, "what a rule would have decided so far"],
      ["agent policy check --stdin < calls.ndjson", "a verdict a line"],
      [`agent policy check --session ID shell '{"command":"ls"}'`, "as a call of that session, or of that helper"],
    ],
  })
    .option("--stdin", 'read {"tool","args"} lines')
    .option("--history <rule>", "recorded calls that a rule would have allowed, asked about or denied")
    .action(
      run(([tool, json], { stdin, history }) => async (at) => {
        if (typeof history === "string")
          return (await import("../commands/policy-history.ts")).judgeHistory(at, history);
        const commands = await load();
        return stdin === true ? commands.checkPolicyLines(at) : commands.checkPolicy(at, tool, json ?? "{}");
      }),
    );
  add(policy, {
    usage: "list",
    text: "rules and grants in force",
    bears: ["cwd", "grantsOf", "json"],
    examples: [
      ["agent policy list", "yours, this project's, and grants"],
      ["agent policy list --session brisk-otter", "only what holds in that session"],
    ],
  }).action(run(() => async (at) => (await load()).listPolicy(at)));
  add(policy, {
    usage: "suggest",
    text: "rules for what you answered alike three times",
    bears: ["cwd", "json"],
    examples: [
      ["agent policy suggest", "what each would have decided here"],
      ["agent policy suggest --since 30d", "by what you answered since then"],
      ["agent policy suggest --write 1", "show the change of your policy.json, and ask"],
    ],
  })
    .option("--since <time>", "answers since then: 12h, 30d, 4w or a day")
    .option("--write <number>", "write this one, after a yes at the terminal")
    .action(
      run((_, { since, write }) => async (at) => {
        const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
        return (await import("../commands/policy-suggest.ts")).suggestRules(at, {
          since: text(since),
          write: text(write),
        });
      }),
    );
  add(policy, {
    usage: "revoke <id...>",
    text: "revoke grants",
    bears: [],
    examples: [
      ["agent policy list", "shows their ids"],
      ["agent policy revoke g-1a2b", "is asked about again from now on"],
    ],
  }).action(run((ids) => async (at) => (await load()).revokeGrants(at, ids)));
}
