import { interrupt } from "@langchain/langgraph";
import { approvalQuestion } from "../calls/question.ts";
import { type ResumeValue, resumeSchema, takeAnswers } from "../calls/take-answers.ts";
import type { Runtime } from "../runtime.ts";
import { type AgentStateUpdate, type AgentStateValue, stepIdOf } from "../state.ts";
import { answered, standing } from "./step-calls.ts";

/**
 * Waits for the person. LangGraph runs a node again from its first line when it is resumed, and `interrupt` throws: so
 * nothing but reading stands before it, and nothing catches it. What a session has answered is in the journal by then; what
 * came as the graph's resume value is written there now. Calls that still wait lead back here, with a new question.
 */
export async function awaitApproval(runtime: Runtime, state: AgentStateValue): Promise<AgentStateUpdate> {
  const stepId = stepIdOf(state);
  const question = await approvalQuestion(runtime, state.changes);
  if (question.calls.length === 0) return standing(runtime, state);
  const responseSchema = resumeSchema(runtime);
  const answers = interrupt<typeof question, ResumeValue>(question, { responseSchema });
  const changes = await takeAnswers(runtime, stepId, answers);
  return { ...answered(runtime, state), changes: { ...state.changes, ...changes } };
}
