import type { CallOf, ToolCallInfo } from "../../core/call.ts";
import { addressOf } from "../../core/call-ref.ts";
import type { PlannedCommand } from "../../core/command.ts";
import { canonicalJson } from "../../core/json.ts";
import type { Plan } from "../../core/tool.ts";
import type { Verdict } from "../../policy/types.ts";
import type { JournalReading } from "../../store/types.ts";
import type { ChildSessions } from "../child-sessions.ts";
import type { Change, News, RecoveryChoice, UnsettledCall, WaitingCall } from "../events.ts";
import type { Runtime } from "../runtime.ts";
import { callWords } from "../talk/call-words.ts";
import { partialOf } from "./partial.ts";

/** The questions that the person is asked; the value of the graph's interrupt. */
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

/** Returns the question of the children that have come to rest; undefined where none asks. Reads only. */
export async function childrenQuestion(children: ChildSessions): Promise<Question | undefined> {
  const recoveries = children.recoveries();
  if (recoveries.length > 0) return { kind: "recovery", calls: recoveries };
  const approvals = await children.approvals();
  return approvals.length > 0 ? { kind: "approval", calls: approvals } : undefined;
}

/** Returns the part of a question that waits yet, where answers and stops have come since; undefined where nothing does, or another plan. */
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
  const tool = runtime.catalogue.get(call.toolName);
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

/** Lists the choices that the person has. A call that came to its end is not run again. */
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

/** So many of the latest approvals are looked at. */
export const mostApprovals = 200;

interface Approved {
  call: ToolCallInfo;
  plan: Plan;
}

type Reading = Pick<JournalReading, "allCalls" | "call" | "planOf">;

/**
 * Compares a waiting call with the latest approved ones, by their plans alone. Nothing is said of a call of high risk, which is read whole; nor where
 * nothing was approved; nor is a call told to be the first where older approvals were not looked at.
 */
export function newsOf(journal: Reading, callId: string): News | undefined {
  const [call, plan] = [journal.call(callId), journal.planOf(callId)];
  if (call === undefined || plan === undefined || call.risk === "high") return undefined;
  const before = approvedBefore(journal, callId);
  if (before.length === 0) return undefined;
  const news = newsAgainst({ call, plan }, before.slice(0, mostApprovals));
  return before.length > mostApprovals && news.is.startsWith("first_") ? undefined : news;
}

/** The newest first, one more than are looked at. */
function approvedBefore(journal: Reading, callId: string): Approved[] {
  const found: Approved[] = [];
  for (const call of journal.allCalls().toReversed()) {
    if (found.length > mostApprovals) break;
    if (call.callId === callId || !isApproved(call)) continue;
    const plan = journal.planOf(call.callId);
    if (plan !== undefined) found.push({ call, plan });
  }
  return found;
}

/** By the person, and done. What the person said in a recovery is no approval. */
const isApproved = (call: ToolCallInfo): boolean =>
  call.status === "success" && call.by?.actor === "person" && call.by.rule !== "recovery";

/** `same`: by the digest, so letter for letter with its folder, what surrounds it and the files that it runs. */
function newsAgainst({ call, plan }: Approved, before: readonly Approved[]): News {
  if (call.digest !== undefined && before.some((one) => one.call.digest === call.digest)) return { is: "same" };
  if (plan.command !== undefined) return ofCommand(plan, before);
  // Whichever tool changed it.
  if (plan.files !== undefined && plan.files.length > 0) return ofFiles(plan, before);
  const isKnown = before.some((one) => one.call.toolName === call.toolName);
  return { is: isKnown ? "other_arguments" : "first_of_tool" };
}

function ofCommand(plan: Plan, before: readonly Approved[]): News {
  if (before.some((one) => one.plan.command === plan.command)) return { is: "same_words" };
  const programs = programsOf(plan);
  const isSeen = programs !== undefined && before.some((one) => programsOf(one.plan) === programs);
  return { is: isSeen ? "same_program" : "first_command" };
}

/** The programs of a line, in its order; undefined where one is known only when it runs, or nothing is known of the line. */
function programsOf({ commands = [] }: Plan): string | undefined {
  const isKnown = ({ argv, understood }: PlannedCommand): boolean => understood && typeof argv[0] === "string";
  if (commands.length === 0 || !commands.every(isKnown)) return undefined;
  return canonicalJson(commands.map(({ argv, program }) => [argv[0] ?? "", program ?? ""]));
}

function ofFiles(plan: Plan, before: readonly Approved[]): News {
  const files = plan.files ?? [];
  const changed = before.flatMap((one) => one.plan.files ?? []);
  if (files.some(({ kind }) => kind === "delete") && !changed.some(({ kind }) => kind === "delete"))
    return { is: "first_deletion" };
  const times = files.map(({ real }) => changed.filter((one) => one.real === real).length);
  const least = Math.min(...times);
  if (least > 0) return { is: "same_file", times: least };
  const folders = new Set(changed.map(({ real }) => folderOf(real)));
  return { is: files.every(({ real }) => folders.has(folderOf(real))) ? "other_file" : "first_folder" };
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));
