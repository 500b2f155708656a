import type { CommandHelp } from "../help.ts";
import { room } from "../room.ts";

/** The texts of `--help` on the commands of command-line/policy.ts. */
export const helpPolicy = room("helpPolicy", {
  policyCheck: {
    text: "what the policy would decide about a call",
    note: "At a terminal the verdict is told in sentences; with --json,\nand where stdout is no terminal, as a line of JSON.",
    examples: [
      [`agent policy check shell '{"command":"npm test"}'`, "one call"],
      [`agent policy check --history "shell(npm test *)"`, "what a rule would have decided so far"],
      ["agent policy check --stdin < calls.ndjson", "a verdict a line"],
      [`agent policy check --session ID shell '{"command":"ls"}'`, "as a call of that session, or of that helper"],
    ],
    options: {
      history: "recorded calls that a rule would have allowed, asked about or denied",
      stdin: 'read {"tool","args"} lines',
    },
  },
  policyList: {
    text: "rules and grants in force",
    examples: [
      ["agent policy list", "yours, this project's, and grants"],
      ["agent policy list --session brisk-otter", "only what holds in that session"],
    ],
  },
  policySuggest: {
    text: "rules for what you answered alike three times",
    examples: [
      ["agent policy suggest", "what each would have decided here"],
      ["agent policy suggest --since 30d", "by what you answered since then"],
      ["agent policy suggest --write 1", "show the change of your policy.json, and ask"],
    ],
    options: {
      write: "write this one, after a yes at the terminal",
      since: "answers since then: 12h, 30d, 4w or a day",
    },
  },
  policyRevoke: {
    text: "revoke grants",
    examples: [
      ["agent policy list", "shows their ids"],
      ["agent policy revoke g-1a2b", "is asked about again from now on"],
    ],
  },
} satisfies Record<string, CommandHelp>);
