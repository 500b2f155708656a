import { starting } from "../../words/en/starting.ts";
import type { Composition } from "../composition.ts";
import { atTerminal, type Io } from "../io.ts";
import { CliProblem } from "../problem.ts";
import { drawingEnvironment } from "../terminal/colors.ts";
import { beginsDemo, playTour } from "./demo.ts";
import { type ResumeFlags, resumeHeadless } from "./resume.ts";

/** `agent chat`. Without a terminal only the demo can be played. */
export async function chat(composition: Composition, prompt: string | undefined): Promise<number> {
  if (atTerminal(composition.io) && composition.flags.json !== true) {
    return (await loadScreen(composition.io))(composition, { prompt });
  }
  if (beginsDemo(composition)) return playTour(composition);
  throw new CliProblem("usage", starting().needsTerminal, { hint: starting().needsTerminalHint });
}

/** The screen's libraries look at the environment once, when they are loaded: it must say what the terminal can show by then. */
async function loadScreen(io: Io) {
  const { set, unset } = drawingEnvironment(io.env);
  for (const name of unset) delete process.env[name];
  Object.assign(process.env, set);
  return (await import("./chat-at-terminal.ts")).chatAtTerminal;
}

/** `agent resume`: at a terminal the dialog, else decisions by flags. */
export async function resume(
  composition: Composition,
  id: string | undefined,
  prompt: string | undefined,
  flags: ResumeFlags,
): Promise<number> {
  const { io } = composition;
  if (atTerminal(io) && composition.flags.json !== true && flags.decisions.length === 0) {
    return (await loadScreen(io))(composition, { resume: { id, takeOver: flags.takeOver }, prompt });
  }
  return resumeHeadless(composition, id, prompt, flags);
}
