import type { CallDecision } from "../graph/decisions.ts";
import type { WaitingCall } from "../graph/events.ts";
import type { ScriptedAnswer } from "../model/port.ts";
import type { Session } from "../session/session.ts";
import type { Composition } from "./composition.ts";
import type { Heard } from "./headless.ts";

function decisionOf(said: ScriptedAnswer, call: WaitingCall): CallDecision {
  const by = "script";
  // A line written beforehand does not mean what is not shown: the session refuses it.
  if (said.decision === "approve")
    return { decision: "approve", by, ...(call.partial === undefined ? { digest: call.digest } : {}) };
  if (said.decision === "edit") return { decision: "edit", arguments: said.arguments ?? call.arguments, by };
  return { decision: "deny", by, ...(said.reason === undefined ? {} : { reason: said.reason }) };
}

/** Answers as the script of a scripted model says; false where it says nothing, so that the call goes on waiting. */
export function scriptedPerson(composition: Composition, session: Session): (heard: Heard) => Promise<boolean> {
  return async ({ waiting }) => {
    for (const call of waiting) {
      const said = composition.answerFor(call.toolName, call.callId);
      if (said !== undefined) return (await session.answer(call.callId, decisionOf(said, call))).ok;
    }
    return false;
  };
}
