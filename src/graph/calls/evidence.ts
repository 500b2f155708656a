import { dirname } from "node:path";
import { answererOf, type CallEnd, type CallOf, type Decider, undoToolName } from "../../core/call.ts";
import type { ErrorCode } from "../../core/codes.ts";
import { limits } from "../../core/limits.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { StepId } from "../../core/step-id.ts";
import type { FilePlan, Plan } from "../../core/tool.ts";
import { hashFile, sweepTemporaries } from "../../files/bytes/temporaries.ts";
import { namedDiffs, recordedDiff, totalOf } from "../../files/diff/diff-text.ts";
import type { CallMove } from "../../store/types.ts";
import type { Runtime } from "../runtime.ts";
import { callWords } from "../talk/call-words.ts";
import { goesOn } from "./child-calls.ts";
import { changedUnseen } from "./command-changes.ts";
import { endLeftChildren } from "./left-children.ts";
import { namesOf } from "./partly.ts";
import { announceDecision, foundDone, giveUp, interruptCall, record, retry, settle } from "./transitions.ts";

/**
 * Beyond so many starts whose end was never seen nothing is started again by itself: the call may be what ends the process. A read is an
 * error then, and what changes artifacts alone, for they leave nothing to be decided; of any other call the person decides.
 */
const maxUnseenStarts = limits.unseenStarts.most;

export type Evidence =
  | { kind: "done" | "not_done" }
  /** Some of its files (`done`) are as approved, the others as before. */
  | { kind: "partly"; done: FilePlan[] }
  /** Neither; `why` in words for the person. Some of the files can still be as approved. */
  | { kind: "unclear"; why: string; done: FilePlan[] };

/**
 * Tells the state of a file effect by the bytes on disk: all as approved, all as before, or neither. Leftovers of the interrupted write are
 * removed first; bytes that somebody else saved in its last instant are kept, and make the case unclear.
 */
export async function evidenceOf(plan: Plan | undefined): Promise<Evidence> {
  const files: FilePlan[] = plan?.files ?? [];
  if (isOfArtifactsAlone(plan)) return { kind: "not_done" };
  if (files.length === 0) return { kind: "unclear", why: "its plan names no file", done: [] };
  const swept = await Promise.all([...new Set(files.map((file) => dirname(file.real)))].map(sweepOf));
  const kept = swept.flat();
  const now = await Promise.all(files.map((file) => hashFile(file.real).catch(() => undefined)));
  const isDone = (file: FilePlan, i: number): boolean => now[i] === file.after && file.before !== file.after;
  const done = files.length === 1 ? [] : files.filter(isDone);
  if (kept.length > 0)
    return { kind: "unclear", why: `what another program saved is kept in ${kept.join(", ")}`, done };
  if (files.every((file, i) => now[i] === file.after)) return { kind: "done" };
  if (files.every((file, i) => now[i] === file.before)) return { kind: "not_done" };
  if (files.every((file, i) => now[i] === file.before || now[i] === file.after)) return { kind: "partly", done };
  return { kind: "unclear", why: "the file on disk is neither as it was before nor as it was approved", done };
}

/** Tells whether a plan is of artifacts alone: their fate is told by the call's own end. */
const isOfArtifactsAlone = (plan: Plan | undefined): boolean =>
  plan?.artifacts !== undefined && (plan.files ?? []).length === 0;

/** Returns the files that are noted as done beside a call's end: part of a plan. All of it, or the one file of most plans, goes with its end. */
const doneOf = (evidence: Evidence): FilePlan[] => ("done" in evidence ? evidence.done : []);

/**
 * Sweeps a folder and lists the files of another program that it keeps; of one that cannot be read to its end they are not known: the files
 * themselves are asked next.
 */
const sweepOf = (folder: string): Promise<string[]> =>
  sweepTemporaries(folder).then(
    ({ kept }) => kept,
    () => [],
  );

// Keeps graph 1.
/**
 * Calls found `executing` at a node's first line: no end was seen. They become `interrupted`, and from there, without the
 * person: reads and our own idempotent data run again; file effects are settled by the bytes on disk. The rest waits. A call whose children
 * have begun is no such call: it goes on where they are.
 */
export async function settleUnseen(runtime: Runtime, stepId: StepId): Promise<void> {
  const found = runtime.journal
    .callsOf(stepId)
    .filter((call) => call.status === "executing")
    .filter((call) => !goesOn(runtime, call));
  const interrupted = found.map(async (call): Promise<CallMove> => {
    const move = interruptCall(call, await unseenEnd(runtime, call));
    if (call.effect === "file") return { ...move, done: doneOf(await evidenceOf(runtime.journal.planOf(call.callId))) };
    return call.effect === "once" ? { ...move, done: await changedUnseen(runtime, call.callId) } : move;
  });
  await record(runtime, await Promise.all(interrupted));
  for (const call of runtime.journal.callsOf(stepId)) {
    if (call.status !== "interrupted" || call.ended.why !== "unseen") continue;
    // Nothing is run again beside its first run: what it had started must be gone.
    const children = await endLeftChildren(runtime.journal.childrenOf(call.callId));
    if (children.some(({ fate }) => fate === "unsure")) continue;
    if (call.attempt >= maxUnseenStarts && leavesNothing(runtime, call)) {
      await record(runtime, giveUp(call, callWords.neverEnds(call.attempt), runtime.clock()));
      continue;
    }
    const move = await byEvidence(runtime, call);
    if (move === undefined) continue;
    await record(runtime, [move]);
    const decision = move.after.status === "pending" ? "retry" : "done";
    announceDecision(runtime, call.callId, decision, { actor: "recovery", rule: "evidence" });
  }
}

/** Without an end that was seen there is nothing that it can have done. */
function leavesNothing({ journal }: Runtime, { effect, callId }: CallOf<"interrupted">): boolean {
  if (effect === "none" || effect === "child") return true;
  return effect === "file" && isOfArtifactsAlone(journal.planOf(callId));
}

/** Codes of errors that do not say whether the files were changed: an exception nobody foresaw, a device that failed. */
export const blindCodes: readonly ErrorCode[] = ["FAILED", "EIO"];

/**
 * A tool that failed in a way that it did not foresee may still have changed its files: then the bytes say what became of
 * the call, not the error. It is an error where they are as before.
 */
export async function settleThrown(
  runtime: Runtime,
  call: CallOf<"executing">,
  outcome: Extract<Outcome, { kind: "failed" }>,
  plan: Plan,
): Promise<void> {
  const evidence = await evidenceOf(plan);
  const { kind } = evidence;
  const unreadable = kind === "unclear" && outcome.code === "EIO";
  if (kind === "not_done" || unreadable)
    return record(runtime, [settle(call, { ...outcome, changed: doneOf(evidence) }, runtime.clock())]);
  const ended: CallEnd = { why: "unclear", note: `it failed while it ran: ${outcome.message}` };
  const move = { ...interruptCall(call, ended), done: doneOf(evidence) };
  await record(runtime, [move]);
  if (kind !== "done") return;
  await record(runtime, [foundOnDisk(runtime, move.after as CallOf<"interrupted">, plan, outcome.message)]);
}

/** The person and the model read it: that the end was not seen, and that nothing of the call runs any more. */
async function unseenEnd({ journal, jobs }: Runtime, { callId, attempt }: CallOf<"executing">): Promise<CallEnd> {
  jobs.recover(callId, attempt);
  const note = callWords.children(await endLeftChildren(journal.childrenOf(callId)));
  // What came to its own end before is told as that.
  await jobs.keepAll();
  // Begun by this process, which lives: the store failed when the end was to be written.
  const unwritten = journal.startedHere(callId) ? { unwritten: true as const } : {};
  return { why: "unseen", ...unwritten, ...(note === "" ? {} : { note }) };
}

async function byEvidence(runtime: Runtime, call: CallOf<"interrupted">): Promise<CallMove | undefined> {
  if (call.attempt >= maxUnseenStarts && call.effect !== "file") return undefined;
  const by: Decider = call.by ?? { actor: "recovery" };
  const at = runtime.clock();
  switch (call.effect) {
    case "none":
    case "store":
    case "child":
      return retryAsApproved(call, by, at);
    case "file":
      return byBytes(runtime, call, by);
    case "once":
      return undefined;
  }
}

async function byBytes(runtime: Runtime, call: CallOf<"interrupted">, by: Decider): Promise<CallMove | undefined> {
  const plan = runtime.journal.planOf(call.callId);
  const evidence = await evidenceOf(plan);
  const at = runtime.clock();
  if (evidence.kind === "done" && plan !== undefined) return foundOnDisk(runtime, call, plan);
  if (evidence.kind === "unclear" || call.attempt >= maxUnseenStarts) return undefined;
  // What is left to do is another plan than the one approved: it is judged, and asked about, anew.
  if (evidence.kind === "partly") return retry(call, { actor: "recovery", rule: "evidence" }, at);
  return retryAsApproved(call, by, at);
}

/** Run again by who allowed it. What a person approved is approved still: the approval that its first run spent is given back. */
function retryAsApproved(call: CallOf<"interrupted">, by: Decider, at: number): CallMove {
  const move = retry(call, by, at);
  if (answererOf(by) !== undefined && call.digest !== undefined) move.unspend = call.digest;
  return move;
}

/**
 * Told of all its files, as after a run whose end was seen.
 * @param trouble what went wrong although the bytes are as approved, for the model
 */
function foundOnDisk(runtime: Runtime, call: CallOf<"interrupted">, plan: Plan, trouble?: string): CallMove {
  const { files = [], summary, cwd } = plan;
  const names = namesOf(files);
  // As after a write of its own: later calls of the session know these bytes. What an undo puts back is read again first.
  const known =
    call.toolName === undoToolName
      ? []
      : files.flatMap(({ real, after }) => (after === null ? [] : [{ path: real, sha: after }]));
  for (const { path, sha } of known) runtime.seen.note(path, sha);
  const [only, ...more] = known;
  const result = {
    output: callWords.foundDone(call, names, trouble),
    title: names.length > 1 ? `${summary}: ${names.join(", ")}` : summary,
    metadata: {
      ...recordedDiff(namedDiffs(files, cwd)),
      ...totalOf(files),
      ...(more.length > 0 ? { files: known } : only),
    },
  };
  return foundDone(call, { actor: "recovery", rule: "evidence" }, result, runtime.clock());
}

// Keeps graph 26.
/**
 * Tells whether a call that failed while the process leaves stands as before it was begun: its tool was asked for nothing, or the work that it
 * was ended in may be done again. Whoever goes on with the session runs it then, as it was allowed; a call that may have done something keeps
 * its end.
 */
export async function isAsNotBegun(
  { leaving, journal }: Pick<Runtime, "leaving" | "journal">,
  { callId, effect }: CallOf<"executing">,
  outcome: Outcome,
): Promise<boolean> {
  if (!leaving || outcome.kind !== "failed") return false;
  if (outcome.begun === false || effect === "none") return true;
  if (outcome.code !== "CANCELLED" || effect === "once") return false;
  return effect !== "file" || (await evidenceOf(journal.planOf(callId))).kind === "not_done";
}
