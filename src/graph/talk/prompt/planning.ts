import { planToolName } from "../../../core/proposed-plan.ts";
import type { Runtime } from "../../runtime.ts";

/** Tells whether a plan is to be made: helpers of the one that makes it only look. */
export const isPlanning = ({ mode, agent }: Pick<Runtime, "mode" | "agent">): boolean =>
  mode === "plan" && agent === undefined;

const planning = `# You are planning
Nothing may be changed now. Look until you know what the task takes, then call ${planToolName}: the person approves the plan, edits it, or denies it with a reason, and only an approved plan is worked. What is only a question you answer.`;

/** The system prompt as the mode of this moment has it. */
export async function promptNow(runtime: Runtime): Promise<string> {
  const prompt = await runtime.systemPrompt();
  return isPlanning(runtime) ? `${prompt}\n\n${planning}` : prompt;
}
