import type { Change, UnsettledCall, WaitingCall } from "../events.ts";
import type { Runtime } from "../runtime.ts";
import { presentUnsettled, presentWaiting } from "./present.ts";

/** What the person is asked; the value of the graph's interrupt. */
export type ApprovalQuestion = { kind: "approval"; calls: WaitingCall[] };
export type RecoveryQuestion = { kind: "recovery"; calls: UnsettledCall[] };
export type Question = ApprovalQuestion | RecoveryQuestion;

/** Published digests that were replaced, by callId. */
export type Changes = Readonly<Record<string, Change>>;

/** All calls that wait for approval, those of children behind the session's own. Reads only. */
export async function approvalQuestion(runtime: Runtime, changes: Changes): Promise<ApprovalQuestion> {
  const waiting = runtime.journal.openCalls().filter((call) => call.status === "awaiting_approval");
  const calls = waiting.map((call) => {
    const change = changes[call.callId];
    return presentWaiting(runtime, call, change?.to === call.digest ? change : undefined);
  });
  const ofChildren = await runtime.children?.approvals();
  return { kind: "approval", calls: [...calls, ...(ofChildren ?? [])] };
}

/** All calls whose end was not seen, of children too. Reads only. */
export function recoveryQuestion(runtime: Runtime): RecoveryQuestion {
  const unsettled = runtime.journal.openCalls().filter((call) => call.status === "interrupted");
  const own = unsettled.map((call) => presentUnsettled(runtime, call));
  return { kind: "recovery", calls: [...own, ...(runtime.children?.recoveries() ?? [])] };
}

/** Calls whose end was not seen first, else those that wait for approval; undefined where nothing is asked. Reads only. */
export async function openQuestion(runtime: Runtime, changes: Changes): Promise<Question | undefined> {
  const recovery = recoveryQuestion(runtime);
  if (recovery.calls.length > 0) return recovery;
  const approval = await approvalQuestion(runtime, changes);
  return approval.calls.length > 0 ? approval : undefined;
}

/** Says what is asked, and notes what was shown: an approval that names no digest means one that was shown. */
export async function publish(
  runtime: Pick<Runtime, "emit" | "journal" | "children">,
  question: Question,
): Promise<void> {
  if (question.kind === "recovery") return runtime.emit({ type: "recovery_requested", calls: question.calls });
  runtime.emit({ type: "approval_requested", calls: question.calls });
  // A death before this only asks again.
  const own = runtime.journal.session;
  for (const of of new Set([own, ...question.calls.map(({ session }) => session)])) {
    const shown = question.calls.flatMap(({ session, callId, digest }) => (session === of ? [{ callId, digest }] : []));
    await (of === own ? runtime.journal.notePublished(shown) : runtime.children?.notePublished(of, shown));
  }
}
