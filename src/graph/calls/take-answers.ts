import type { StepId } from "../../core/step-id.ts";
import type { AnswerOutcome, CallDecision } from "../decisions.ts";
import type { Change } from "../events.ts";
import type { Runtime } from "../runtime.ts";
import { type AnsweredCall, answeredCall } from "./answered-call.ts";
import { answerCall } from "./answers.ts";
import { recoverCall } from "./recover.ts";
import type { ResumeAnswer, ResumeValue } from "./resume-value.ts";

/**
 * Writes the answers that came with the graph's resume value to the journal, in the order of the message, as a session does
 * with those that came to it. One that does not hold (another digest, a call that no longer waits) decides nothing, which
 * is said; one that was written before the process died is not written again.
 * @returns calls whose question is another one because of these answers.
 */
export async function takeAnswers(
  runtime: Runtime,
  stepId: StepId,
  { answers }: ResumeValue,
): Promise<Record<string, Change>> {
  const changes: Record<string, Change> = {};
  const order = runtime.journal.openCalls().map(({ callId }) => callId);
  const given = Object.entries(answers).flatMap(([name, answer]) => {
    const call = answeredCall(runtime, name);
    return call === undefined
      ? []
      : [{ name, answer, call, at: call.isOwn ? order.indexOf(call.callId) : order.length }];
  });
  for (const { name, answer, call } of given.toSorted((a, b) => a.at - b.at)) {
    if (wasTaken(call, answer)) continue;
    const taken = call.isOwn
      ? await take(runtime, stepId, call.callId, answer)
      : { outcome: await takeOfChild(runtime, call, name, answer), changes: new Map() };
    Object.assign(changes, Object.fromEntries(taken.changes));
    if (!taken.outcome.ok) runtime.emit({ type: "notice", code: "answer_refused", text: taken.outcome.message });
  }
  return changes;
}

/** The child itself keeps what of its questions is another one because of it. */
async function takeOfChild(
  { signal }: Runtime,
  { callId, child }: AnsweredCall,
  name: string,
  answer: ResumeAnswer,
): Promise<AnswerOutcome> {
  if (child === undefined) return { ok: false, code: "not_waiting", message: `call ${name} does not wait any more` };
  if ("choice" in answer) return child.recover(callId, answer.choice, signal);
  return (await child.answer(callId, decisionOf(answer), {}, signal)).outcome;
}

async function take(
  runtime: Runtime,
  stepId: StepId,
  callId: string,
  answer: ResumeAnswer,
): Promise<{ outcome: AnswerOutcome; changes: ReadonlyMap<string, Change> }> {
  if ("choice" in answer) return { outcome: await recoverCall(runtime, callId, answer.choice), changes: new Map() };
  return answerCall(runtime, stepId, callId, decisionOf(answer));
}

function decisionOf(answer: Exclude<ResumeAnswer, { choice: unknown }>): CallDecision {
  if (answer.decision !== "deny") return answer;
  return { decision: "deny", ...(answer.reason === undefined ? {} : { reason: answer.reason }) };
}

/** The graph was resumed with it before, by a process that did not come to the node's end. */
function wasTaken({ callId, journal }: AnsweredCall, answer: ResumeAnswer): boolean {
  const call = journal.call(callId);
  const open = "choice" in answer ? call?.status === "interrupted" : call?.status === "awaiting_approval";
  const decision = "choice" in answer ? answer.choice : answer.decision;
  return !open && journal.answersOf(callId).some((row) => row.decision === decision);
}
