import { z } from "zod";
import { namedIn, readCallName } from "../../core/call-ref.ts";
import type { StepId } from "../../core/step-id.ts";
import type { Journal, JournalReading } from "../../store/types.ts";
import type { AnsweredChild, ChildSessions } from "../child-sessions.ts";
import type { AnswerOutcome, CallDecision } from "../decisions.ts";
import type { Change } from "../events.ts";
import type { Runtime } from "../runtime.ts";
import { answerCall } from "./answers.ts";
import { recoverCall } from "./recover.ts";

const answerShape = z.union([
  z.strictObject({ decision: z.literal("approve"), digest: z.string().min(1) }),
  z.strictObject({ decision: z.literal("deny"), reason: z.string().optional() }),
  z.strictObject({ decision: z.literal("edit"), arguments: z.record(z.string(), z.json()) }),
  z.strictObject({ choice: z.enum(["retry", "done", "cancel"]) }),
]);
const resumeValue = z.strictObject({ answers: z.record(z.string(), answerShape) });

/** The person's answer on one call, in the value that a graph is resumed with. */
export type ResumeAnswer = z.infer<typeof answerShape>;
export type ResumeValue = z.infer<typeof resumeValue>;

/** A graph was resumed with something that is no answer: nothing was decided, and the question stays. */
export class MalformedAnswer extends Error {
  override readonly name = "MalformedAnswer";
}

const shape =
  '{answers: {[callId]: {decision: "approve", digest} | {decision: "deny", reason?} | {decision: "edit", arguments} | {choice: "retry" | "done" | "cancel"}}}';

/**
 * For `interrupt`, which checks the value before it counts as given: after a refusal the same question can be answered
 * again. (What a node throws after its interrupt has returned would leave the malformed value with the task for good.)
 */
export const resumeSchema = (session: Parameters<typeof answeredCall>[0]) =>
  z.preprocess((given): ResumeValue => {
    const parsed = resumeValue.safeParse(given);
    if (!parsed.success)
      throw new MalformedAnswer(
        `a resumed graph needs ${shape}; nothing was decided\n${z.prettifyError(parsed.error)}`,
      );
    const unknown = Object.keys(parsed.data.answers).filter((name) => answeredCall(session, name) === undefined);
    if (unknown.length > 0)
      throw new MalformedAnswer(`this session has no call ${unknown.join(", ")}; nothing was decided`);
    return parsed.data;
  }, resumeValue);

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

/** The call to which an answer belongs that came with the graph's resume value. */
interface AnsweredCall {
  callId: string;
  journal: Pick<JournalReading, "call" | "answersOf">;
  /** Whose call it is, where it is a child's that has not come to its end. */
  child?: AnsweredChild | undefined;
  isOwn: boolean;
}

/** A call of the session by its id, or one of a session that it drives, by its whole address; undefined where there is none. */
function answeredCall(
  { journal, children }: { journal: Pick<Journal, "session" | "call" | "answersOf">; children?: ChildSessions },
  name: string,
): AnsweredCall | undefined {
  const read = readCallName(name);
  if (read === undefined || read.digest !== undefined) return undefined;
  const { session, call: callId } = namedIn(journal.session, read);
  const isOwn = session === journal.session;
  const of = isOwn ? journal : children?.journalOf(session);
  if (of?.call(callId) === undefined) return undefined;
  return { callId, journal: of, child: isOwn ? undefined : children?.of(session), isOwn };
}
