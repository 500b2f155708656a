import { room } from "../room.ts";

/** The list of all that may run without asking, as it is shown, looked up and suggested. */
export const policyCommands = room("policyCommands", {
  noCall: "no recorded call here would have been decided by it",
  wouldHave: ({ parts }: { parts: readonly string[] }) => `would have ${parts.join(", ")} of the recorded calls`,
  /** The decisions that a rule would have made on so many calls: a part of that sentence. */
  past: {
    allow: ({ calls }: { calls: number }) => `allowed ${calls}`,
    ask: ({ calls }: { calls: number }) => `asked ${calls}`,
    deny: ({ calls }: { calls: number }) => `denied ${calls}`,
  },
  noRule: "it is no rule",
  nothingAlike:
    "nothing to suggest: no question here was answered alike three times, at the question, and never otherwise",
  writeHint: "agent policy suggest --write NUMBER shows the change of your policy.json, and asks",
  number: ({ text }: { text: string }) => `--write takes the number of a suggestion, not ${JSON.stringify(text)}`,
  nothingToSuggest: "there is nothing to suggest here",
  thereAre: ({ count }: { count: number }) => `there are ${count}: agent policy suggest`,
  asksToWrite: "nothing was written: agent policy suggest --write asks at a terminal",
  question: "Write this rule? y/n: ",
  nothingWritten: "nothing was written",
  lookAgain: "look again: agent policy suggest",
  takes: "agent policy check takes a tool and its arguments as JSON, or --stdin",
  takesHint: `agent policy check write_file '{"file_path":"a.txt","content":""}'`,
  notJson: ({ text }: { text: string }) => `the arguments are not JSON: ${JSON.stringify(text)}`,
  elsewhere: ({ session, workspace, cwd }: { session: string; workspace: string; cwd: string }) =>
    `session ${session} works in ${workspace}, not in ${cwd}`,
  elsewhereHint: "its calls are judged where it works: leave out -C",
  noRules: "no rules or grants: the risk table decides (see agent tools)",
  made: "what the session writes, apart from the workspace",
  notInForce: "not in effect: the workspace is not trusted",
  noGrant: ({ id }: { id: string }) => `there is no grant ${JSON.stringify(id)}`,
  grantHint: "agent policy list shows them",
});
