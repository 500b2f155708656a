import { starting } from "../../words/en/starting.ts";
import type { Composition } from "../composition.ts";
import { applyDecisions, type FlagDecision, refuseContradictions } from "../decisions.ts";
import { play, type RunState } from "../headless.ts";
import { CliProblem } from "../problem.ts";
import { ignoredAnswers, scriptedPerson } from "../scripted-person.ts";
import { sessionServices } from "../services/open-services.ts";
import { imagesOf, printerOf, saidBy } from "./run.ts";

export interface ResumeFlags {
  decisions: FlagDecision[];
  takeOver: boolean;
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
    throw new CliProblem("usage", starting().schemaOfTurn, { hint: starting().schemaHint });
  const { image = [] } = composition.flags;
  if (image.length > 0 && prompt === undefined)
    throw new CliProblem("usage", starting().imageOfMessage, { hint: starting().imageHint });
  const services = sessionServices(composition);
  const { session, model } = await services.sessions.open(id, { takeOver: flags.takeOver });
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
    if (held) warn(starting().notSent);
    else {
      const { text, brought } = saidBy(services.folder, prompt, session, images);
      await session.submit(text, brought);
    }
  };
  const notices = [...(await services.folder.notices(session, model)), ...(await ignoredAnswers(composition, model))];
  return play(session, composition, await printerOf(composition), act, answer, notices);
}
