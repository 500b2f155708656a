import type { ToolCallInfo } from "../../core/call.ts";
import type { CallMove } from "../../store/types.ts";
import type { Runtime } from "../runtime.ts";
import { givenUp, giveUpOf } from "../talk/observation-text.ts";
import { settleUnseen } from "./evidence.ts";
import type { Change } from "./present.ts";
import { openQuestion, publish } from "./question.ts";
import { replan } from "./replan.ts";
import { cancel, record } from "./transitions.ts";

/** Publishes what waits: calls whose end was not seen first, else the questions of the step. */
export async function askPerson(runtime: Runtime, stepId: string, changes: ReadonlyMap<string, Change>): Promise<void> {
  const question = await openQuestion(runtime, stepId, Object.fromEntries(changes));
  if (question !== undefined) await publish(runtime, question);
}

/** The same question as before; with new plans where the files have changed since. */
export async function askAgain(runtime: Runtime, stepId: string): Promise<void> {
  const again = await replan(runtime, stepId, runtime.journal.callsOf(stepId), "the file changed since you were asked");
  await record(runtime, again.moves);
  await askPerson(runtime, stepId, again.changes);
}

const wasStarted = (call: ToolCallInfo): boolean =>
  call.effect !== "file" && (call.status === "executing" || call.status === "interrupted");

/**
 * Settles all open calls of a step because the person went on with a new message. What was never run is cancelled; what was
 * started and not seen to end stays unknown, and is told so.
 * @returns false where the step has nothing that the graph must still take in.
 */
export async function settleOpen(runtime: Runtime, stepId: string): Promise<boolean> {
  const { journal } = runtime;
  if (journal.findReply(stepId) === undefined) return false;
  // What bytes on disk cannot settle stays unknown, also where it could simply be run again.
  const started = new Set(
    journal
      .callsOf(stepId)
      .filter(wasStarted)
      .map((call) => call.callId),
  );
  await settleUnseen(runtime, stepId);
  const moves = journal.callsOf(stepId).flatMap((call): CallMove[] => {
    const at = runtime.clock();
    if (call.status === "interrupted") {
      const reason = `${call.reason}; the person went on with a new message`;
      return [cancel(call, giveUpOf(call), reason, at)];
    }
    if (call.status !== "pending" && call.status !== "awaiting_approval") return [];
    if (started.has(call.callId)) {
      const reason = "its process ended while it ran, and the person went on with a new message";
      return [cancel(call, { actor: "person", rule: givenUp }, reason, at)];
    }
    return [cancel(call, { actor: "person" }, "the person sent a new message instead of an answer", at)];
  });
  await record(runtime, moves);
  if (moves.length > 0) {
    const text = `your new message cancelled ${moves.length} open call${moves.length === 1 ? "" : "s"}`;
    runtime.emit({ type: "notice", code: "superseded", text });
  }
  return true;
}
