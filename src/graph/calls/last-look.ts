import { answererOf, type CallOf, type Decider } from "../../core/call.ts";
import { canonicalJson } from "../../core/json.ts";
import type { StepId } from "../../core/step-id.ts";
import { effectOf } from "../../core/tool.ts";
import type { Policy } from "../../policy/types.ts";
import type { CallMove } from "../../store/types.ts";
import { pageOf } from "../../tools/use/url-patterns.ts";
import type { Runtime } from "../runtime.ts";
import { callWords } from "../talk/call-words.ts";
import { type WatchedCommand, watchCommand } from "./command-changes.ts";
import { prepareOf } from "./prepare.ts";
import { judgedNow, type Preparation, type PreparedCall } from "./prepared-call.ts";
import { changeOf } from "./replan.ts";
import { ask, denyByPolicy, policyDecider, record, refuse } from "./transitions.ts";

type Pending = CallOf<"pending">;
type Executing = CallOf<"executing">;

/** A call that may run now, and who lets it. */
export interface Cleared {
  prepared: PreparedCall;
  by: Decider;
}

/**
 * The last look before an effect, with the rules in force now. A person's approval holds only for what was shown: anything else
 * goes back to them; what policy alone allowed is planned and judged again by itself.
 * @param changed what is said of a change, where it came behind the person's answer
 * @returns what is written down instead, where it may not run.
 */
export async function clear(
  runtime: Runtime,
  stepId: StepId,
  call: Pending,
  policy: Policy,
  changed?: string,
): Promise<Cleared | CallMove> {
  const prepared = await preparedNow(runtime, stepId, call, policy);
  const at = runtime.clock();
  if (prepared.kind === "refused") return refuse(call, prepared.code, prepared.message, at);
  if (prepared.kind === "denied") return denyByPolicy(call, prepared.verdict, at);
  const answerer = answererOf(call.by);
  if (answerer !== undefined) {
    if (isAsShown(runtime, call, prepared))
      return prepared.fails === undefined
        ? { prepared, by: answerer }
        : refuse(call, prepared.fails.code, prepared.fails.message, at);
  } else if (prepared.verdict.decision === "allow") return { prepared, by: policyDecider(prepared.verdict) };
  noteChange(runtime, call, prepared, changed);
  return ask(call, prepared);
}

/**
 * A call that this process has prepared is not planned again where its tool checks each file of the plan as it opens it, or is one that
 * only reads: what it was judged by is compared with what holds now, and what has drifted is seen at the effect.
 */
export async function preparedNow(
  runtime: Runtime,
  stepId: StepId,
  call: Pending | Executing,
  policy: Policy,
): Promise<Preparation> {
  const known = runtime.prepared.get(call.callId);
  const stands =
    known !== undefined &&
    ((known.tool.checksPlan === true && call.effect === "file") || effectOf(known.tool) === "none");
  const isOther = call.digest !== undefined && call.digest !== known?.digest;
  if (!stands || isOther || !(await known.isUntouched()) || !(await isOnItsPage(runtime, known)))
    return prepareOf(runtime, call, stepId, policy);
  return judgedNow(known, policy, runtime.journal);
}

async function isOnItsPage({ page }: Runtime, { plan }: PreparedCall): Promise<boolean> {
  if (plan.page === undefined) return true;
  await page?.look();
  return plan.page === pageOf(page?.url ?? "");
}

/** Paths that are only read are not in the digest, so they are compared by themselves. */
export function isAsShown({ journal }: Runtime, call: Pending | Executing, { digest, plan }: PreparedCall): boolean {
  const shown = journal.planOf(call.callId)?.reads ?? [];
  return digest === call.digest && canonicalJson(shown) === canonicalJson(plan.reads ?? []);
}

/** A call that may run, and the policy by which that was found. */
export interface Judged {
  cleared: Cleared;
  policy: Policy;
}

/** One whose last look is behind it. */
export interface LookedAt extends Judged {
  /** Undefined of a call of which nothing is kept. */
  watched: WatchedCommand | undefined;
}

/** The number of times that a command that nobody was asked about is planned anew for what changed while its tree was kept; then it is an error. */
const maxReplans = 3;

// Keeps graph 3.
/**
 * Keeps what a command may change, and looks at it once more: of a large tree a copy takes seconds, in which files and rules may become others. One
 * that policy alone allows, and that is another by then, is kept and looked at anew as what it is now; one that a person approved goes back to them.
 * @returns undefined where it does not run now: that is written down, but of a turn that is being stopped
 */
export async function keptAndJudged(
  runtime: Runtime,
  stepId: StepId,
  call: Pending,
  first: Judged,
): Promise<LookedAt | undefined> {
  let judged = first;
  for (let replans = 0; ; replans += 1) {
    const watched = await watchJudged(runtime, call, judged);
    if (watched === "stopped") return undefined;
    if (watched === undefined) return { ...judged, watched };
    if ("lost" in watched) {
      await record(runtime, [refuse(call, watched.code, `not run: ${watched.lost}`, runtime.clock())]);
      return undefined;
    }
    const now = await judgedAgain(runtime, stepId, call, watched);
    if (now === undefined) return undefined;
    const [{ prepared: before }, { prepared: after }] = [judged.cleared, now.cleared];
    if (after.digest === before.digest && isKept(after, watched)) return { ...now, watched };
    if (replans >= maxReplans || changesOwnFiles(before) || changesOwnFiles(after)) {
      await record(runtime, [refuse(call, "STALE", callWords.changedBefore, runtime.clock())]);
      return undefined;
    }
    judged = now;
  }
}

/** It says that it can be taken back only where something was kept for that. */
const isKept = ({ plan }: PreparedCall, { covered }: WatchedCommand): boolean => plan.covered !== true || covered;

/** A call takes its turn for the files of its plan, and holds it for no others. */
const changesOwnFiles = ({ plan }: PreparedCall): boolean => (plan.files ?? []).length > 0;

async function watchJudged(runtime: Runtime, { callId }: Pending, { cleared: { prepared }, policy }: Judged) {
  if (prepared.plan.command === undefined) return undefined;
  return watchCommand(runtime, callId, prepared, policy).catch((error: unknown) => {
    // Stopped while files were copied: nothing was run, and the call is called off like all that wait.
    if (runtime.signal.aborted) return "stopped" as const;
    throw error;
  });
}

/** @returns undefined where it may not run any more; that is written down, but of a turn that is being stopped. */
async function judgedAgain(
  runtime: Runtime,
  stepId: StepId,
  call: Pending,
  watched: WatchedCommand,
): Promise<Judged | undefined> {
  const policy = await runtime.policy(runtime.mode);
  const isAnswered = answererOf(call.by) !== undefined;
  const changed = isAnswered ? "after your answer, before it ran" : "since it was planned";
  const now = await clear(runtime, stepId, call, policy, `something of it changed ${changed}`);
  if (runtime.signal.aborted) return undefined;
  if (!("prepared" in now)) {
    await record(runtime, [now]);
    return undefined;
  }
  if (isAnswered && !isKept(now.prepared, watched)) {
    await record(runtime, [refuse(call, "FAILED", `not run: ${callWords.notCovered(undefined)}`, runtime.clock())]);
    return undefined;
  }
  return { cleared: now, policy };
}

function noteChange(runtime: Runtime, call: Pending, prepared: PreparedCall, changed: string | undefined): void {
  if (call.digest === undefined || call.digest === prepared.digest) return;
  const before = runtime.journal.planOf(call.callId);
  const partly = call.by?.actor === "recovery";
  const others = before?.hosts === undefined ? "the file changed" : "its host leads to another place than was known";
  const why = partly
    ? "part of it was done before its process ended"
    : (changed ?? `${others} while you were deciding`);
  runtime.changes.set(call.callId, changeOf(runtime, call.callId, call.digest, prepared, why));
}
