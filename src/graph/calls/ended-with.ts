import type { CallEnd, Decider, ToolCallInfo } from "../../core/call.ts";
import { callWords } from "../talk/call-words.ts";

// Keeps graph 27.
/** The reason why the open work of a session is ended from outside it, as its calls say it. */
export interface EndedWith {
  by: Decider;
  ended: CallEnd;
  /** The words that the person wrote with their denial. */
  reason?: string;
}

export const byPerson = (why: "superseded" | "stopped"): EndedWith => ({ by: { actor: "person" }, ended: { why } });

/** The call can no longer be done as it was asked. @param why in words */
export const lapsedWith = (why: string): EndedWith => ({
  by: { actor: "recovery" },
  ended: { why: "lapsed", note: callWords.ofItsCall(why) },
});

/** @param why policy's own words */
export const deniedWith = (by: Decider, why: string): EndedWith => ({
  by,
  ended: { why: "policy", note: callWords.ofItsCall(why) },
});

/** Returns the end that the end of a call is to the children that it leaves: they end as it did. */
export function endOfParent(call: ToolCallInfo): EndedWith {
  if (call.status !== "cancelled") return lapsedWith(callWords.overBefore);
  const { by, ended, reason } = call;
  switch (ended.why) {
    case "policy":
      return deniedWith(by, ended.note ?? "");
    case "denied":
      return { by, ended: { why: "denied", note: callWords.withItsCall }, ...(reason === undefined ? {} : { reason }) };
    case "stopped":
    case "superseded":
    case "forked":
      return { by, ended: { why: ended.why } };
    default:
      return lapsedWith(callWords.end(call));
  }
}
