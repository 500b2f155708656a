import type { AnswerOutcome } from "../graph/decisions.ts";

/** Why nothing was begun, in words for the person. */
export interface Refusal {
  ok: false;
  message: string;
}

export const notWaiting = (callId: string): AnswerOutcome => ({
  ok: false,
  code: "not_waiting",
  message: `call ${callId} does not wait: the agent is working`,
});

export const lostFolder = ({ message }: { message: string }) => ({ ok: false, code: "not_waiting", message }) as const;

export const notAnswered: Refusal = {
  ok: false,
  message: "your last message has not been answered yet: continue the session first",
};

export const working: Refusal = { ok: false, message: "the agent is working: stop it, or wait" };

export const nothingSaid = "nothing was said in this session yet";
