import type { ToolCallInfo } from "../../core/call.ts";
import type { StepId } from "../../core/step-id.ts";
import type { CallMove } from "../../store/types.ts";
import { turnNotices } from "../../words/contract/turn-notices.ts";
import type { Runtime } from "../runtime.ts";
import { callWords } from "../talk/call-words.ts";
import { endWithChildren, goesOn } from "./child-calls.ts";
import type { EndedWith } from "./ended-with.ts";
import { settleUnseen } from "./evidence.ts";
import { callOff, cancel, record } from "./transitions.ts";

const wasStarted = (call: ToolCallInfo): boolean =>
  call.effect !== "file" && (call.status === "executing" || call.status === "interrupted");

/**
 * Settles all open calls of a step because the person went on with a new message, or because the call has ended that drives the session. What was never run is cancelled; what was
 * started and not seen to end stays unknown, and its words say so.
 * @returns false where the step has nothing that the graph must still take in.
 */
export async function settleOpen(runtime: Runtime, stepId: StepId, cause: EndedWith): Promise<boolean> {
  const { journal } = runtime;
  const { why } = cause.ended;
  if (journal.findReply(stepId) === undefined) return false;
  // What bytes on disk cannot settle stays unknown, also where it could simply be run again.
  const started = new Set(
    journal
      .callsOf(stepId)
      .filter(wasStarted)
      .map((call) => call.callId),
  );
  for (const call of journal.callsOf(stepId))
    if (call.status === "executing" && goesOn(runtime, call))
      await record(runtime, [
        await endWithChildren(runtime, call, [callWords[why === "superseded" ? why : "stopped"], cause]),
      ]);
  await settleUnseen(runtime, stepId);
  const moves = journal.callsOf(stepId).flatMap((call): CallMove[] => {
    const at = runtime.clock();
    if (call.status === "interrupted") return [callOff(call, why, at, cause.by)];
    if (call.status !== "pending" && call.status !== "awaiting_approval") return [];
    const ended = started.has(call.callId) ? { why, unknown: true as const } : cause.ended;
    return [cancel(call, cause.by, ended, at, cause.reason)];
  });
  await record(runtime, moves);
  if (moves.length > 0 && why === "superseded") {
    runtime.emit({ type: "notice", code: "superseded", text: turnNotices.superseded({ calls: moves.length }) });
  }
  return true;
}
