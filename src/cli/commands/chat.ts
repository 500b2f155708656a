import type { Composition } from "../composition.ts";
import { atTerminal } from "../io.ts";
import { CliProblem } from "../problem.ts";
import { playTour } from "./demo.ts";
import { type ResumeFlags, resumeHeadless } from "./resume.ts";

/** `agent chat`. Without a terminal only the demo can be played. */
export async function chat(composition: Composition, prompt: string | undefined): Promise<number> {
  if (atTerminal(composition.io) && composition.flags.json !== true) {
    const { chatAtTerminal } = await import("./chat-at-terminal.ts");
    return chatAtTerminal(composition, { prompt });
  }
  if (composition.model === "demo") return playTour(composition, await composition.demo());
  throw new CliProblem("usage", "agent chat needs a terminal on stdin and stdout", {
    hint: 'without one: agent run "what to do" (add --json for events), or agent chat --model demo for the tour',
  });
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
    const { chatAtTerminal } = await import("./chat-at-terminal.ts");
    return chatAtTerminal(composition, { resume: { id, takeOver: flags.takeOver }, prompt });
  }
  return resumeHeadless(composition, id, prompt, flags);
}
