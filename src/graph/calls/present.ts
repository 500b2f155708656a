import type { CallOf } from "../../core/call.ts";
import type { Plan } from "../../core/tool.ts";
import type { Verdict } from "../../policy/types.ts";
import type { Change, RecoveryChoice, UnsettledCall, WaitingCall } from "../events.ts";
import type { Runtime } from "../runtime.ts";
import { callWords } from "../talk/call-words.ts";
import { partialOf } from "./partial.ts";

/**
 * All that is said of one waiting call: its published plan and the verdict that was written down with it. Nothing is planned or judged here: what
 * is shown is what an approval is bound to.
 */
export function presentWaiting(runtime: Runtime, call: CallOf<"awaiting_approval">, changed?: Change): WaitingCall {
  const tool = runtime.registry.get(call.toolName);
  const plan: Plan = runtime.journal.planOf(call.callId) ?? { summary: call.toolName, cwd: runtime.workspace };
  const verdict =
    (runtime.journal.verdictOf(call.callId) as Verdict | undefined) ??
    runtime.prepared.get(call.callId)?.verdict ??
    unjudged(call, tool !== undefined);
  const partial = partialOf(plan);
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
export function presentUnsettled(runtime: Runtime, call: CallOf<"interrupted">): UnsettledCall {
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
