import type { ResumedSession } from "../../session/open-agent.ts";
import type { Composition } from "../composition.ts";
import { applyDecisions, type FlagDecision, refuseContradictions } from "../decisions.ts";
import { checkFolder, findRoot, newestSession } from "../find-session.ts";
import { play, type RunState } from "../headless.ts";
import { openingNotices } from "../opening-notices.ts";
import { CliProblem } from "../problem.ts";
import { ignoredAnswers, scriptedPerson } from "../scripted-person.ts";
import { checkMode } from "../wide-workspace.ts";
import { refuseDemoIn } from "./demo.ts";
import { imagesOf, printerOf, saidBy } from "./run.ts";

export interface ResumeFlags {
  decisions: FlagDecision[];
  takeOver: boolean;
}

/** An older session that this process holds now, and the model it goes on with. */
export interface Reopened {
  session: ResumedSession;
  model: string;
}

/** Takes the session's lease; its workspace must still be there. */
export async function reopen(
  composition: Composition,
  id: string | undefined,
  takeOver: boolean,
  { toDo = "to resume", mostEntries }: { toDo?: string; mostEntries?: number } = {},
): Promise<Reopened> {
  const row = await (id === undefined ? newestSession(composition, toDo) : findRoot(composition, id));
  await checkFolder(row);
  checkMode(composition.mode, row.workspace, composition.io.env["HOME"]);
  await composition.addDirs(row.workspace);
  const agent = await composition.agent();
  const model = composition.flags.model ?? row.model;
  refuseDemoIn(row, model);
  const options = {
    mode: composition.flags.mode,
    takeOver,
    model,
    ...(mostEntries === undefined ? {} : { mostEntries }),
  };
  return { session: await agent.resume(row, options), model };
}

/** `agent resume` without a terminal: decisions come as flags, then the prompt. @returns the exit code. */
export async function resumeHeadless(
  composition: Composition,
  id: string | undefined,
  prompt: string | undefined,
  flags: ResumeFlags,
): Promise<number> {
  refuseContradictions(flags.decisions);
  if (composition.flags.outputSchema !== undefined && prompt === undefined)
    throw new CliProblem("usage", "--output-schema is for the turn that a prompt begins", {
      hint: "a turn that goes on keeps the schema that it was begun with",
    });
  const { image = [] } = composition.flags;
  if (image.length > 0 && prompt === undefined)
    throw new CliProblem("usage", "-i comes with a message", { hint: 'agent resume ID "what is it?" -i FILE' });
  const { session, model } = await reopen(composition, id, flags.takeOver);
  const images = await imagesOf(composition, session);
  const { io } = composition;
  const person = scriptedPerson(composition, session, model);
  const answer = async (heard: RunState) => (await person(heard)) === "answered";
  const act = async (heard: RunState) => {
    const decides = flags.decisions.length > 0;
    const goesOn = (prompt === undefined || decides) && (await session.proceed());
    const warn = (text: string) => io.stderr.write(`${text}\n`);
    const held = decides && (await applyDecisions(session, flags.decisions, heard, goesOn, warn));
    if (prompt === undefined) return;
    await session.settled();
    if (held) warn("the message was not sent: answer the waiting calls first");
    else {
      const { text, brought } = saidBy(composition, prompt, session, images);
      await session.submit(text, brought);
    }
  };
  const notices = [
    ...(await openingNotices(composition, session, model)),
    ...(await ignoredAnswers(composition, model)),
  ];
  return play(session, composition, await printerOf(composition), act, answer, notices);
}
