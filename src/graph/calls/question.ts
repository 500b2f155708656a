import type { CallOf } from "../../core/call.ts";
import { addressOf } from "../../core/call-ref.ts";
import type { Plan } from "../../core/tool.ts";
import type { Verdict } from "../../policy/types.ts";
import type { ChildSessions } from "../child-sessions.ts";
import type { Change, RecoveryChoice, UnsettledCall, WaitingCall } from "../events.ts";
import type { Runtime } from "../runtime.ts";
import { callWords } from "../talk/call-words.ts";
import { newsOf } from "./news.ts";
import { partialOf } from "./partial.ts";

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

/** What the children ask that have come to rest; undefined where none does. Reads only. */
export async function childrenQuestion(children: ChildSessions): Promise<Question | undefined> {
  const recoveries = children.recoveries();
  if (recoveries.length > 0) return { kind: "recovery", calls: recoveries };
  const approvals = await children.approvals();
  return approvals.length > 0 ? { kind: "approval", calls: approvals } : undefined;
}

/** What of it waits yet, where answers and stops have come since; undefined where nothing does, or another plan. */
export function stillAsked(
  { journal, children }: Pick<Runtime, "journal" | "children">,
  question: Question,
): Question | undefined {
  const own = journal.openCalls().map((call) => ({ session: journal.session, call }));
  const open = new Map(
    [...own, ...(children?.openCalls() ?? [])].map(({ session, call }) => [
      addressOf({ session, call: call.callId }),
      call,
    ]),
  );
  const now = ({ session, callId: call }: { session: string; callId: string }) =>
    open.get(addressOf({ session, call }));
  const asked: Question =
    question.kind === "approval"
      ? { kind: "approval", calls: question.calls.filter((call) => now(call)?.status === "awaiting_approval") }
      : { kind: "recovery", calls: question.calls.filter((call) => now(call)?.status === "interrupted") };
  // One that was edited since is another question: that is made anew.
  const isOther = asked.kind === "approval" && asked.calls.some((call) => call.digest !== now(call)?.digest);
  return asked.calls.length > 0 && !isOther ? asked : undefined;
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

/**
 * All that is said of one waiting call: its published plan and the verdict that was written down with it. Nothing is planned or judged here: what
 * is shown is what an approval is bound to.
 */
function presentWaiting(runtime: Runtime, call: CallOf<"awaiting_approval">, changed?: Change): WaitingCall {
  const tool = runtime.registry.get(call.toolName);
  const plan: Plan = runtime.journal.planOf(call.callId) ?? { summary: call.toolName, cwd: runtime.workspace };
  const verdict =
    (runtime.journal.verdictOf(call.callId) as Verdict | undefined) ??
    runtime.prepared.get(call.callId)?.verdict ??
    unjudged(call, tool !== undefined);
  const partial = partialOf(plan);
  const news = tool?.audience === "person" ? undefined : newsOf(runtime.journal, call.callId);
  return {
    session: runtime.journal.session,
    callId: call.callId,
    toolName: call.toolName,
    arguments: call.arguments,
    risk: call.risk,
    digest: call.digest,
    plan,
    ...(partial === undefined ? {} : { partial }),
    verdict,
    ...(changed === undefined ? {} : { changed }),
    ...(tool?.editable === undefined ? {} : { editable: [...tool.editable] }),
    ...(news === undefined ? {} : { news }),
  };
}

/** Of a call from an older store, which had no verdicts. */
const unjudged = ({ toolName, risk }: CallOf<"awaiting_approval">, isThere: boolean): Verdict => ({
  decision: "ask",
  risk,
  rule: { source: "table" },
  why: isThere ? `${risk} risk` : `there is no tool ${toolName} any more`,
});

/** What the person may choose. A call that came to its end is not run again. */
export const choicesOf = ({ ended }: CallOf<"interrupted">): RecoveryChoice[] =>
  ended.why === "overstepped" ? ["done", "cancel"] : ["retry", "done", "cancel"];

/** One call whose end was not seen, or that waits for a word on what it did, for the recovery menu. */
function presentUnsettled(runtime: Runtime, call: CallOf<"interrupted">): UnsettledCall {
  const plan = runtime.journal.planOf(call.callId);
  return {
    session: runtime.journal.session,
    callId: call.callId,
    toolName: call.toolName,
    arguments: call.arguments,
    effect: call.effect,
    startedAt: new Date(call.times.started ?? call.times.proposed).toISOString(),
    known: `${isSeen(call) ? "" : "Outcome unknown: "}${callWords.end(call)}`,
    ...(plan === undefined ? {} : { plan }),
    choices: choicesOf(call),
  };
}

const isSeen = ({ ended }: CallOf<"interrupted">): boolean => ended.why === "raced" || ended.why === "overstepped";
