import { type CallOf, isFinal, type ToolCallInfo } from "../../core/call.ts";
import type { ErrorCode } from "../../core/codes.ts";
import type { StepId } from "../../core/step-id.ts";
import type { CallMove } from "../../store/types.ts";
import type { Change } from "../events.ts";
import type { Runtime } from "../runtime.ts";
import { prepareOf } from "./prepare.ts";
import { createOverlay, type Preparation, type PreparedCall } from "./prepared-call.ts";
import { ask, cancel, policyDecider, record } from "./transitions.ts";

type Undecided = CallOf<"awaiting_approval"> | CallOf<"pending">;

export interface Replanned {
  moves: CallMove[];
  /** Calls whose digest is another one now. */
  changes: Map<string, Change>;
}

/**
 * Makes the plans of a message's open calls anew, in order, over an overlay; reads only. Those whose digest differs from
 * the one published are to be asked (again); an approval given for the old one is void. `calls` are as they will be.
 */
export async function replan(
  runtime: Runtime,
  stepId: StepId,
  calls: readonly ToolCallInfo[],
  why: string,
  isAtRest = false,
): Promise<Replanned> {
  const policy = await runtime.policy(runtime.mode);
  const overlay = createOverlay();
  const moves: CallMove[] = [];
  const changes = new Map<string, Change>();
  for (const call of calls) {
    if (isFinal(call) || (call.effect === "none" && !isCommand(runtime, call.callId))) continue;
    if (call.status !== "awaiting_approval" && call.status !== "pending") continue;
    const prepared = await prepareOf(runtime, call, stepId, policy, overlay);
    if (call.digest === undefined || stands(call.digest, prepared, { signal: runtime.signal, isAtRest })) continue;
    moves.push(moved(runtime, call, prepared));
    if (prepared.kind === "ready") changes.set(call.callId, changeOf(runtime, call.callId, call.digest, prepared, why));
  }
  return { moves, changes };
}

/** Codes of a tool that could not look, which say nothing of what has changed. */
const unseeing: readonly ErrorCode[] = ["FAILED", "TIMEOUT"];

/**
 * Tells whether a call's plan still stands: where nobody waits for the call any more, that may be why it cannot be planned. At rest nobody asked
 * for another look.
 */
function stands(
  digest: string,
  prepared: Preparation,
  { signal, isAtRest }: { signal: AbortSignal; isAtRest: boolean },
): boolean {
  if (prepared.kind !== "refused") return prepared.kind === "ready" && prepared.digest === digest;
  return signal.aborted || (isAtRest && unseeing.includes(prepared.code));
}

/** Tells whether a call is of a command: its effect hangs on where its words lead, also where it only reads. */
const isCommand = ({ journal }: Runtime, callId: string): boolean => journal.planOf(callId)?.command !== undefined;

/** A folder that was added holds for one process: who resumes the session adds it again. */
const lapseNote = ({ code, message }: { code: string; message: string }): string =>
  code === "OUTSIDE_WORKSPACE" ? `${message} If its folder was added with --add-dir: give that again.` : message;

/** @param why where the settings of the call's tool are the same */
export function changeOf(
  { journal }: Pick<Runtime, "journal">,
  callId: string,
  from: string,
  { digest: to, plan }: PreparedCall,
  why: string,
): Change {
  const before = journal.planOf(callId);
  if (before === undefined) return { from, to, why };
  const isOther = before.settings !== plan.settings;
  return { from, to, why: isOther ? "the settings of its tool changed since you were asked" : why, before };
}

function moved(runtime: Runtime, call: Undecided, prepared: Preparation): CallMove {
  const at = runtime.clock();
  switch (prepared.kind) {
    case "ready":
      return ask(call, prepared);
    case "denied":
      return cancel(call, policyDecider(prepared.verdict), { why: "policy", note: prepared.verdict.why }, at);
    case "refused":
      return cancel(call, { actor: "recovery", rule: "replan" }, { why: "lapsed", note: lapseNote(prepared) }, at);
  }
}

/** Makes the plans of the step's open calls anew, unless that is given up. @returns those whose files have changed since the person was asked. */
export async function planAgain(runtime: Runtime, stepId: StepId): Promise<Map<string, Change>> {
  const calls = runtime.journal.callsOf(stepId);
  const again = await replan(runtime, stepId, calls, "the file changed since you were asked", true);
  if (runtime.signal.aborted) return new Map();
  await record(runtime, again.moves);
  return again.changes;
}
