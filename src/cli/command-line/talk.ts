import type { Command } from "commander";
import { helpTalk as words } from "../../words/en/help-talk.ts";
import { type FlagDecision, giveReason, parseApprove, parseEdit, parseNamed } from "../decisions.ts";
import { ofTurns } from "./options.ts";
import type { Add, Run } from "./program.ts";

const answers = () => ["--answers", words().answers] as const;

export function addTalk(program: Command, add: Add, run: Run): void {
  add(program, { usage: "chat [prompt]", says: words().chat, bears: [...ofTurns, "session", "continue"] }).action(
    run(
      ([prompt]) =>
        async (at) =>
          (await import("../commands/chat.ts")).chat(at, prompt),
    ),
  );
  add(program, { usage: "run [prompt]", says: words().run, bears: [...ofTurns, "session", "continue"] })
    .option(...answers())
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
  const resume = add(program, { usage: "resume [id] [prompt]", says: words().resume, bears: ofTurns });
  const { decisions, note } = approvals(resume.option(...answers()), { all: true });
  resume
    .option("--edit <id=json>", words().resume.options.edit, note(parseEdit))
    .option("--retry <id>", words().resume.options.retry, note(parseNamed("retry")))
    .option("--done <id>", words().resume.options.done, note(parseNamed("done")))
    .option("--cancel <id>", words().resume.options.cancel, note(parseNamed("cancel")))
    .option("--take-over", words().resume.options.takeOver)
    .action(
      run(([id, prompt], { takeOver }) => async (at) => {
        const { resume: go } = await import("../commands/chat.ts");
        return go(at, id, prompt, { decisions: decisions(), takeOver: takeOver === true });
      }),
    );
  addElsewhere(program, add, run);
}

/** The flags that decide about calls that wait, in the order in which they were typed. @param which whether one flag may mean all of them */
function approvals(command: Command, which: { all: boolean }) {
  let decisions: FlagDecision[] = [];
  const note = (parse: (text: string) => FlagDecision) => (text: string) => {
    decisions = [...decisions, parse(text)];
    return decisions;
  };
  command
    .option("--approve <id>", words().approve(which), note(parseApprove))
    .option("--deny <id>", words().deny(which), note(parseNamed("deny")))
    .option("--reason <text>", words().reason, (text: string) => {
      decisions = giveReason(decisions, text);
      return decisions;
    });
  return { decisions: () => decisions, note };
}

/** Adds the commands that reach a session that another process drives. */
function addElsewhere(program: Command, add: Add, run: Run): void {
  const load = () => import("../commands/answer-elsewhere.ts");
  const answer = add(program, { usage: "answer <id>", says: words().answer, bears: [] });
  const { decisions } = approvals(answer, { all: false });
  answer.action(
    run(
      ([id = ""]) =>
        async (at) =>
          (await load()).answerSession(at, id, decisions()),
    ),
  );
  add(program, { usage: "stop <id>", says: words().stop, bears: [] }).action(
    run(
      ([id = ""]) =>
        async (at) =>
          (await load()).stopSession(at, id),
    ),
  );
}
