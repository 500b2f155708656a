import type { Command } from "commander";
import { type FlagDecision, giveReason, parseApprove, parseEdit, parseNamed } from "../decisions.ts";
import { ofTurns } from "./options.ts";
import type { Add, Run } from "./program.ts";

const answers = ["--answers", "let the person lines of a script:FILE answer"] as const;

export function addTalk(program: Command, add: Add, run: Run): void {
  add(program, {
    usage: "chat [prompt]",
    text: "talk with the agent at a terminal; agent alone does the same",
    bears: [...ofTurns, "session", "continue"],
    examples: [
      ["agent chat", "begin in this folder"],
      ['agent chat "why does the test fail?" --mode read-only', "with a first message; nothing is changed"],
      ["agent chat --model demo", "the tour, without a key"],
    ],
  }).action(
    run(
      ([prompt]) =>
        async (at) =>
          (await import("../commands/chat.ts")).chat(at, prompt),
    ),
  );
  add(program, {
    usage: "run [prompt]",
    text: "one message without a person; `-` reads it from stdin (also: agent -p)",
    bears: [...ofTurns, "session", "continue"],
    examples: [
      ['agent run "update the changelog"', "stops, saved, where something must be asked"],
      ['agent run "fix the test" --allow "edit_file(src/**)" --json', "with a rule for this run; events as JSON"],
      ["git diff | agent run - --continue", "the prompt from stdin, in the newest session"],
    ],
  })
    .option(...answers)
    .action(
      run(
        ([prompt]) =>
          async (at) =>
            (await import("../commands/run.ts")).runOnce(at, prompt),
      ),
    );
  addResume(program, add, run);
}

function addResume(program: Command, add: Add, run: Run): void {
  const resume = add(program, {
    usage: "resume [id] [prompt]",
    text: "continue a session where it stopped (also: agent -r)",
    bears: ofTurns,
    examples: [
      ["agent resume", "choose among the sessions of this folder; without a terminal: the newest"],
      ["agent resume brisk-otter", "one by the beginning of its id"],
      ['agent resume brisk-otter --deny c2 --reason "not that file" --approve all', "answers without a terminal"],
    ],
  });
  const { decisions, note } = approvals(resume.option(...answers), "ID, ID@DIGEST or all");
  resume
    .option("--edit <id=json>", "replace a waiting call's arguments", note(parseEdit))
    .option("--retry <id>", "run a call with an unknown outcome again: ID or all", note(parseNamed("retry")))
    .option("--done <id>", "mark such a call as done", note(parseNamed("done")))
    .option("--cancel <id>", "cancel such a call: ID or all", note(parseNamed("cancel")))
    .option("--take-over", "take the session from the process that holds it")
    .action(
      run(([id, prompt], { takeOver }) => async (at) => {
        const { resume: go } = await import("../commands/chat.ts");
        return go(at, id, prompt, { decisions: decisions(), takeOver: takeOver === true });
      }),
    );
  addElsewhere(program, add, run);
}

/** The flags that decide about calls that wait, in the order in which they were typed. */
function approvals(command: Command, which: string) {
  let decisions: FlagDecision[] = [];
  const note = (parse: (text: string) => FlagDecision) => (text: string) => {
    decisions = [...decisions, parse(text)];
    return decisions;
  };
  command
    .option("--approve <id>", `approve a waiting call: ${which}`, note(parseApprove))
    .option(
      "--deny <id>",
      `deny a waiting call: ${which.replace(", ID@DIGEST", "").replace("@DIGEST", "")}`,
      note(parseNamed("deny")),
    )
    .option("--reason <text>", "the reason for the --deny before it", (text: string) => {
      decisions = giveReason(decisions, text);
      return decisions;
    });
  return { decisions: () => decisions, note };
}

/** What reaches a session that another process drives. */
function addElsewhere(program: Command, add: Add, run: Run): void {
  const load = () => import("../commands/answer-elsewhere.ts");
  const answer = add(program, {
    usage: "answer <id>",
    text: "answer calls of a session that another process drives, or that is resumed later",
    bears: [],
    examples: [
      ["agent answer brisk-otter --approve c3@4fd1c09e2b7a", "what was read with this digest, and nothing else"],
      ['agent answer brisk-otter --deny c4 --reason "not that file"', "the others wait on"],
    ],
  });
  const { decisions } = approvals(answer, "ID@DIGEST");
  answer.action(
    run(
      ([id = ""]) =>
        async (at) =>
          (await load()).answerSession(at, id, decisions()),
    ),
  );
  add(program, {
    usage: "stop <id>",
    text: "stop what runs in a session that another process drives, as Esc does there",
    bears: [],
    examples: [
      ["agent stop brisk-otter", "what waits for you waits on; agent resume goes on with it"],
      ["agent stop brisk-otter-4f2a@delegate-3-20261121T1015-001", "this helper alone; the others go on"],
    ],
  }).action(
    run(
      ([id = ""]) =>
        async (at) =>
          (await load()).stopSession(at, id),
    ),
  );
}
