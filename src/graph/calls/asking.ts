import type { ToolCallInfo } from "../../core/call.ts";
import type { CallMove } from "../../store/types.ts";
import type { Runtime } from "../runtime.ts";
import { settleUnseen } from "./evidence.ts";
import { type Change, presentUnsettled, presentWaiting } from "./present.ts";
import { replan } from "./replan.ts";
import { callOff, cancel, record } from "./transitions.ts";

/** Publishes what waits: calls whose end was not seen first, else the questions of the step. */
export async function askPerson(runtime: Runtime, changes: ReadonlyMap<string, Change>): Promise<void> {
  const open = runtime.journal.openCalls();
  const unsettled = open.filter((call) => call.status === "interrupted");
  if (unsettled.length > 0) {
    runtime.emit({ type: "recovery_requested", calls: unsettled.map((call) => presentUnsettled(runtime, call)) });
    return;
  }
  const waiting = open.filter((call) => call.status === "awaiting_approval");
  const calls = await Promise.all(waiting.map((call) => presentWaiting(runtime, call, changes.get(call.callId))));
  if (calls.length === 0) return;
  runtime.emit({ type: "approval_requested", calls });
  // After it was said: an approval that names no digest means one that was shown, and a death in between only asks again.
  await runtime.journal.notePublished(calls.map(({ callId, digest }) => ({ callId, digest })));
}

/** The same question as before; with new plans where the files have changed since. */
export async function askAgain(runtime: Runtime, stepId: string): Promise<void> {
  const again = await replan(runtime, stepId, runtime.journal.callsOf(stepId), "the file changed since you were asked");
  await record(runtime, again.moves);
  await askPerson(runtime, again.changes);
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
    if (call.status === "interrupted") return [callOff(call, "superseded", at)];
    if (call.status !== "pending" && call.status !== "awaiting_approval") return [];
    const unknown = started.has(call.callId) ? { unknown: true as const } : {};
    return [cancel(call, { actor: "person" }, { why: "superseded", ...unknown }, at)];
  });
  await record(runtime, moves);
  if (moves.length > 0) {
    const text = `your new message cancelled ${moves.length} open call${moves.length === 1 ? "" : "s"}`;
    runtime.emit({ type: "notice", code: "superseded", text });
  }
  return true;
}
