import { interrupt } from "@langchain/langgraph";
import { recoveryQuestion } from "../calls/question.ts";
import { type ResumeValue, resumeSchema, takeAnswers } from "../calls/take-answers.ts";
import type { Runtime } from "../runtime.ts";
import { type AgentStateUpdate, type AgentStateValue, stepIdOf } from "../state.ts";
import { answered, standing } from "./step-calls.ts";

/** A wait as in `awaitApproval`: the person says what becomes of calls whose end was not seen. */
export async function awaitRecovery(runtime: Runtime, state: AgentStateValue): Promise<AgentStateUpdate> {
  const stepId = stepIdOf(state);
  const question = recoveryQuestion(runtime);
  if (question.calls.length === 0) return standing(runtime, state);
  const responseSchema = resumeSchema(runtime);
  const answers = interrupt<typeof question, ResumeValue>(question, { responseSchema });
  const changes = await takeAnswers(runtime, stepId, answers);
  return { ...answered(runtime, state), changes: { ...state.changes, ...changes } };
}
