import { answererOf, type CallOf, isFinal, type ToolCallInfo } from "../../core/call.ts";
import type { Outcome } from "../../core/outcome.ts";
import { shownPath } from "../../core/shown-path.ts";
import type { StepId } from "../../core/step-id.ts";
import type { Policy } from "../../policy/types.ts";
import type { CallMove } from "../../store/types.ts";
import { endWithChildren, goesOn, isHeldUp, runChildOf } from "../calls/child-calls.ts";
import { type CommandChanges, type WatchedCommand, watchCommand, withChanges } from "../calls/command-changes.ts";
import { byPerson, deniedWith, lapsedWith } from "../calls/ended-with.ts";
import { blindCodes, isAsNotBegun, settleThrown, settleUnseen } from "../calls/evidence.ts";
import { hearAfter } from "../calls/hooks.ts";
import { type Cleared, clear, isAsShown, type Judged, keptAndJudged, preparedNow } from "../calls/last-look.ts";
import { writtenOver } from "../calls/path-turns.ts";
import { asksGit, imagesOf, type PreparedCall } from "../calls/prepared-call.ts";
import { startTogether } from "../calls/start-together.ts";
import {
  begin,
  cancel,
  giveBack,
  interruptCall,
  leave,
  policyDecider,
  record,
  refuse,
  settle,
} from "../calls/transitions.ts";
import { type Runtime, TurnLeft } from "../runtime.ts";
import { type AgentStateUpdate, type AgentStateValue, stepIdOf } from "../state.ts";
import { callWords } from "../talk/call-words.ts";
import { standing } from "./step-calls.ts";

type Pending = CallOf<"pending">;
type Executing = CallOf<"executing">;

/**
 * The number of times that a call that policy alone allowed is given back because its bytes drifted between its plan and its effect; then it is
 * an error. One that a person approved goes back to them each time.
 */
const maxDrifts = 3;

/**
 * Runs the calls of the message in its order: reads side by side, every other call alone. The journal is asked first, so
 * that a node run again after a death repeats nothing: settled calls keep their result, calls whose end was not seen are
 * settled by evidence or left to the person. Returns early when a call must be asked about (again).
 */
export async function executeCalls(runtime: Runtime, state: AgentStateValue): Promise<AgentStateUpdate> {
  const stepId = stepIdOf(state);
  // What bytes tell of a call is asked of its own folder.
  runtime.pins?.check();
  if (runtime.journal.callsOf(stepId).some(wasStarted)) await settleUnseen(runtime, stepId);
  for (let isFirst = true; ; isFirst = false) {
    const open = runtime.journal.callsOf(stepId).filter((call) => !isFinal(call));
    if (runtime.signal.aborted && runtime.leaving && open.length > 0) throw new TurnLeft();
    if (runtime.signal.aborted) await stopOpen(runtime, open);
    if (runtime.signal.aborted || !(await runFirst(runtime, stepId, open, isFirst))) break;
    await hearAfter(runtime, stepId);
  }
  return standing(runtime, state);
}

const wasStarted = ({ status }: ToolCallInfo): boolean => status === "executing" || status === "interrupted";

/** @param isFirst nothing was done in this node yet @returns false where the first of them can do nothing now */
async function runFirst(
  runtime: Runtime,
  stepId: StepId,
  open: readonly ToolCallInfo[],
  isFirst: boolean,
): Promise<boolean> {
  const [first] = open;
  if (first === undefined) return false;
  runtime.pins?.check();
  if (first.status === "executing") {
    if (!goesOn(runtime, first)) return false;
    // One that was left may have children that go on beside those that wait, or that have not begun.
    if (isHeldUp(runtime, first) && !isFirst) return false;
    await goOnWith(runtime, stepId, first);
    return true;
  }
  if (first.status !== "pending") return false;
  const reads = leadingReads(open);
  if (reads.length > 0) await runReads(runtime, stepId, reads);
  else {
    await startTogether(runtime, stepId, open, clear);
    await runAlone(runtime, stepId, first);
  }
  return true;
}

function leadingReads(open: readonly ToolCallInfo[]): Pending[] {
  const reads: Pending[] = [];
  for (const call of open) {
    if (call.status !== "pending" || call.effect !== "none" || answererOf(call.by) !== undefined) break;
    reads.push(call);
  }
  return reads;
}

async function stopOpen(runtime: Runtime, open: readonly ToolCallInfo[]): Promise<void> {
  const moves = open
    .filter((call) => call.status === "pending" || call.status === "awaiting_approval")
    .map((call) => cancel(call, { actor: "person" }, { why: "stopped" }, runtime.clock()));
  await record(runtime, moves);
  for (const call of open)
    if (call.status === "executing")
      await record(runtime, [await endWithChildren(runtime, call, [callWords.stopped, byPerson("stopped")])]);
}

/**
 * One transaction starts the group, one settles it. It ends before a call of which it is seen only now that it does more than read: that
 * is written down, and the call runs alone.
 */
async function runReads(runtime: Runtime, stepId: StepId, reads: Pending[]): Promise<void> {
  const policy = await runtime.policy(runtime.mode);
  const all = await Promise.all(reads.map((call) => clear(runtime, stepId, call, policy)));
  // What was found under a signal that is aborted may be found because of it: nothing is made of it.
  if (runtime.signal.aborted) return;
  const end = all.findIndex((one) => "prepared" in one && one.prepared.facts.effect !== "none");
  const cleared = end === -1 ? all : all.slice(0, end);
  await noteEffect(runtime, reads[end], all[end]);
  const running: { call: Executing; prepared: PreparedCall }[] = [];
  const moves = cleared.map((one, index): CallMove => {
    const call = reads[index];
    if (call === undefined || !("prepared" in one)) return one as CallMove;
    // What hosts told is known to later calls of the session by the plan; a command's says that it only reads.
    const { hosts, command } = one.prepared.plan;
    const told = hosts === undefined && command === undefined ? undefined : one.prepared;
    const grounds = { by: one.by, verdict: one.prepared.verdict, prepared: told };
    const start = begin(call, grounds, runtime.clock());
    running.push({ call: start.after as Executing, prepared: one.prepared });
    return start;
  });
  const watched = await watchReads(runtime, running, policy);
  if (watched === "stopped" || runtime.signal.aborted) return;
  await record(runtime, moves);
  const ended = await Promise.all(
    running.map(async (one) => ({
      ...one,
      outcome: await one.prepared.run(runtime.signal, {
        policy,
        facts: one.prepared.facts,
        timeoutMs: runtime.toolTimeoutMs,
      }),
    })),
  );
  const overstepped = (await watched?.changes())?.overstepped ?? [];
  const settled = ended.map(async ({ call, prepared, outcome }) => {
    if (outcome.kind === "drifted" && mayDriftAgain(call)) {
      runtime.prepared.delete(call.callId);
      return giveBack(call);
    }
    const seen = outcome.kind === "done" || outcome.kind === "failed" ? outcome : failedRead(outcome);
    if (overstepped.length > 0 && asksGit(prepared.facts)) return interruptOverstepped(call, overstepped, seen);
    if (await isAsNotBegun(runtime, call, outcome)) return leave(call);
    return settle(call, seen, runtime.clock());
  });
  await record(runtime, await Promise.all(settled));
}

/** One look serves all of the group: it is not known which of them ran what should not have run. */
async function watchReads(
  runtime: Runtime,
  running: readonly { call: Executing; prepared: PreparedCall }[],
  policy: Policy,
): Promise<{ changes(): ReturnType<WatchedCommand["changes"]> } | "stopped" | undefined> {
  const first = running.find(({ prepared }) => asksGit(prepared.facts));
  if (first === undefined) return undefined;
  const watched = await watchCommand(runtime, first.call.callId, first.prepared, policy);
  if (runtime.signal.aborted) return "stopped";
  if (watched === undefined || "lost" in watched) return undefined;
  return { changes: () => watched.changes({ prepared: first.prepared, policy }) };
}

function interruptOverstepped(
  call: Executing,
  overstepped: readonly string[],
  told: Extract<Outcome, { kind: "done" | "failed" }>,
): CallMove {
  const note = callWords.overstepped(overstepped, told.kind === "failed" ? told.message : undefined);
  return interruptCall(call, { why: "overstepped", note }, told.result);
}

/** Policy allows it as it is now, which is not what was noted of it. */
async function noteEffect(
  { journal }: Runtime,
  call: Pending | undefined,
  cleared: Cleared | CallMove | undefined,
): Promise<void> {
  if (call === undefined || cleared === undefined || !("prepared" in cleared)) return;
  const { verdict, facts } = cleared.prepared;
  const { callId } = call;
  // Keeps graph 5.
  await journal.noteVerdicts([{ callId, by: cleared.by, risk: verdict.risk, effect: facts.effect, verdict }]);
}

/**
 * Tells whether a call, of which nothing was done yet, may drift again: one that a person approved goes back to them, one that policy alone
 * allowed is judged anew.
 */
const mayDriftAgain = (call: Executing): boolean => answererOf(call.by) !== undefined || call.attempt <= maxDrifts;

/** A read leaves nothing behind, whatever held it up. */
const failedRead = ({
  kind,
  message,
}: Exclude<Outcome, { kind: "done" | "failed" }>): Extract<Outcome, { kind: "failed" }> => ({
  kind: "failed",
  code: kind === "unknown" ? "OUTCOME_UNKNOWN" : "STALE",
  message,
});

// Keeps graph 20.
/**
 * A call that had to wait for another session's change of its file is looked at once more: by then it may be another plan. Of what a call
 * has children do each takes its own turn, so it has none itself: its children would wait for it.
 */
async function runAlone(runtime: Runtime, stepId: StepId, call: Pending): Promise<void> {
  const policy = await runtime.policy(runtime.mode);
  const inProcess = runtime.prepared.get(call.callId)?.plan;
  const cleared = await clear(runtime, stepId, call, policy);
  if (runtime.signal.aborted) return;
  if (!("prepared" in cleared)) return record(runtime, [cleared]);
  if (cleared.prepared.facts.effect === "child") return runCleared(runtime, stepId, call, { cleared, policy });
  const files = cleared.prepared.plan.files?.map(({ real }) => real) ?? [];
  if (files.length === 0) return runCleared(runtime, stepId, call, { cleared, policy });
  const { paths, signal, journal } = runtime;
  const planned = journal.planOf(call.callId) ?? inProcess ?? cleared.prepared.plan;
  const waits = paths.areTaken(files);
  await paths.during(files, signal, async () => {
    const rules = waits ? await runtime.policy(runtime.mode) : policy;
    const now = waits ? await clear(runtime, stepId, call, rules) : cleared;
    if (signal.aborted) return;
    if (!("prepared" in now)) return record(runtime, [now]);
    const lost = writtenOver(journal, planned, now.prepared.plan);
    if (lost === undefined) return runCleared(runtime, stepId, call, { cleared: now, policy: rules });
    const message = callWords.writesOver(shownPath(runtime.workspace, lost.real), lost.by);
    return record(runtime, [refuse(call, "STALE", message, runtime.clock())]);
  });
}

async function runCleared(runtime: Runtime, stepId: StepId, call: Pending, judged: Judged): Promise<void> {
  const last = await keptAndJudged(runtime, stepId, call, judged);
  if (last === undefined) return;
  const { cleared, policy, watched } = last;
  const { prepared, by } = cleared;
  const start: CallMove = {
    ...begin(call, { by, verdict: prepared.verdict, prepared }, runtime.clock()),
    keep: await imagesOf(prepared),
  };
  // What was copied and noted is its own, and it still waits where it is not.
  runtime.pins?.check();
  if (runtime.signal.aborted) return;
  await record(runtime, [start]);
  const executing = start.after as Executing;
  const outcome = await run(runtime, executing, prepared, policy);
  if (outcome === "held up") return;
  const changes = outcome.kind === "drifted" ? undefined : await watched?.changes({ prepared, policy });
  const isClean = (changes?.overstepped ?? []).length === 0 || (outcome.kind === "failed" && outcome.begun === false);
  if (isClean && (await isAsNotBegun(runtime, executing, outcome))) return record(runtime, [leave(executing)]);
  if (changes === undefined) await finish(runtime, executing, prepared, outcome);
  else await finishCommand(runtime, executing, prepared, { outcome, changes });
}

/**
 * A call of which a child waits for the person, or stays where it is, has no outcome, whatever its tool made of that.
 * @throws TurnLeft; what keeps a child where it is, once none works any more: the turn fails by it
 */
async function run(
  runtime: Runtime,
  call: Executing,
  prepared: PreparedCall,
  policy: Policy,
): Promise<Outcome | "held up"> {
  const drives = call.effect === "child" ? runChildOf(runtime, call) : undefined;
  const outcome = await prepared.run(runtime.signal, {
    policy,
    facts: prepared.facts,
    approved: answererOf(call.by) === undefined ? undefined : prepared.verdict.rule,
    timeoutMs: runtime.toolTimeoutMs,
    ...(drives && { runChild: drives.runChild }),
  });
  if (drives === undefined) return outcome;
  drives.end();
  await runtime.children?.leave(call.callId);
  await drives.stopped();
  if (goesOn(runtime, call) && runtime.leaving) throw new TurnLeft();
  const unfinished = drives.unfinished();
  if (unfinished !== undefined && !runtime.signal.aborted) throw unfinished.cause;
  if (!isHeldUp(runtime, call) && !drives.waited() && unfinished === undefined) return outcome;
  await runtime.children?.planAgain(call.callId, runtime.signal);
  return "held up";
}

/** Goes on with a call whose children have begun, under the rules in force now: where a person must be asked about it by now, it waits. */
async function goOnWith(runtime: Runtime, stepId: StepId, call: Executing): Promise<void> {
  const policy = await runtime.policy(runtime.mode);
  const prepared = await preparedNow(runtime, stepId, call, policy);
  if (runtime.signal.aborted) return;
  if (prepared.kind === "refused")
    return record(runtime, [
      await endWithChildren(runtime, call, [prepared.message, lapsedWith(prepared.message)], prepared.code),
    ]);
  if (prepared.kind === "denied") {
    const { verdict } = prepared;
    const cause = deniedWith(policyDecider(verdict), verdict.why);
    return record(runtime, [await endWithChildren(runtime, call, [verdict.why, cause], "DENIED")]);
  }
  const stands =
    answererOf(call.by) === undefined ? prepared.verdict.decision === "allow" : isAsShown(runtime, call, prepared);
  if (!stands) return record(runtime, [giveBack(call)]);
  const outcome = await run(runtime, call, prepared, policy);
  if (outcome !== "held up") await finish(runtime, call, prepared, outcome);
}

/** A command that changed what nobody may change unasked has come to its end, and waits for the person's word on it. */
async function finishCommand(
  runtime: Runtime,
  call: Executing,
  prepared: PreparedCall,
  { outcome, changes }: { outcome: Outcome; changes: CommandChanges },
): Promise<void> {
  const told = withChanges(outcome, changes, prepared.plan.cwd);
  if (changes.overstepped.length === 0) return finish(runtime, call, prepared, told);
  const note = callWords.overstepped(changes.overstepped, told.kind === "failed" ? told.message : undefined);
  const result = told.kind === "done" || told.kind === "failed" ? told.result : undefined;
  const move = interruptCall(call, { why: "overstepped", note }, result);
  await record(runtime, [{ ...move, done: changes.files }]);
}

async function finish(runtime: Runtime, call: Executing, { plan }: PreparedCall, outcome: Outcome): Promise<void> {
  switch (outcome.kind) {
    case "done":
      return record(runtime, [settle(call, outcome, runtime.clock())]);
    case "failed":
      if (call.effect === "file" && blindCodes.includes(outcome.code))
        return settleThrown(runtime, call, outcome, plan);
      return record(runtime, [settle(call, outcome, runtime.clock())]);
    case "drifted":
      runtime.prepared.delete(call.callId);
      if (mayDriftAgain(call)) return record(runtime, [giveBack(call)]);
      return record(runtime, [settle(call, { ...outcome, kind: "failed", code: "STALE" }, runtime.clock())]);
    case "raced": {
      const move = interruptCall(call, { why: "raced", note: outcome.message });
      return record(runtime, [{ ...move, done: outcome.changed ?? [] }]);
    }
    case "unknown":
      return record(runtime, [interruptCall(call, { why: "unclear", note: outcome.message })]);
  }
}
