import type { CommandHelp } from "../help.ts";
import { room } from "../room.ts";

/** The texts of `--help` on the commands of command-line/talk.ts. */
export const helpTalk = room("helpTalk", {
  /** Options of several commands. `all`: they may mean all calls, and one without what was read of it. */
  answers: "let the person lines of a script:FILE answer",
  approve: ({ all }: { all: boolean }) => `approve a waiting call: ${all ? "ID, ID@DIGEST or all" : "ID@DIGEST"}`,
  deny: ({ all }: { all: boolean }) => `deny a waiting call: ${all ? "ID or all" : "ID"}`,
  reason: "the reason for the --deny before it",
  chat: {
    text: "talk with the agent at a terminal; agent alone does the same",
    examples: [
      ["agent chat", "begin in this folder"],
      ['agent chat "why does the test fail?" --mode read-only', "with a first message; nothing is changed"],
      ["agent chat --model demo", "the tour, without a key"],
    ],
  },
  run: {
    text: "one message without a person; `-` reads it from stdin (also: agent -p)",
    examples: [
      ['agent run "update the changelog"', "stops, saved, where something must be asked"],
      ['agent run "fix the test" --allow "edit_file(src/**)" --json', "with a rule for this run; events as JSON"],
      ["git diff | agent run - --continue", "the prompt from stdin, in the newest session"],
    ],
  },
  resume: {
    text: "continue a session where it stopped (also: agent -r)",
    examples: [
      ["agent resume", "choose among the sessions of this folder; without a terminal: the newest"],
      ["agent resume brisk-otter", "one by the beginning of its id"],
      ['agent resume brisk-otter --deny c2 --reason "not that file" --approve all', "answers without a terminal"],
    ],
    options: {
      takeOver: "take the session from the process that holds it",
      cancel: "cancel such a call: ID or all",
      done: "mark such a call as done",
      retry: "run a call with an unknown outcome again: ID or all",
      edit: "replace a waiting call's arguments",
    },
  },
  answer: {
    text: "answer calls of a session that another process drives, or that is resumed later",
    examples: [
      ["agent answer brisk-otter --approve c3@4fd1c09e2b7a", "what was read with this digest, and nothing else"],
      ['agent answer brisk-otter --deny c4 --reason "not that file"', "the others wait on"],
    ],
  },
  stop: {
    text: "stop what runs in a session that another process drives, as Esc does there",
    examples: [
      ["agent stop brisk-otter", "what waits for you waits on; agent resume goes on with it"],
      ["agent stop brisk-otter-4f2a@delegate-3-20261121T1015-001", "this helper alone; the others go on"],
    ],
  },
} satisfies Record<string, CommandHelp | string | ((about: never) => string)>);
