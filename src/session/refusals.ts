import type { CallStatus } from "../core/call.ts";
import { addressOf, type CallRef, nameIn } from "../core/call-ref.ts";
import { FolderLost } from "../core/folder-lost.ts";
import type { AnswerOutcome } from "../graph/decisions.ts";

/** Why nothing was begun, in words for the person. */
export interface Refusal {
  ok: false;
  message: string;
}

/**
 * @param driven the session that is driven here: a call of another one may have the name of one of its own
 * @param status of the call, where it is one of that session's or of its helpers'
 */
export function notWaiting(ref: CallRef, driven: string, status: CallStatus | undefined): AnswerOutcome {
  const name = nameIn(driven, ref);
  const is = status !== undefined && (isOver.has(status) ? `it is ${status}` : "the agent is working");
  const none = `call ${addressOf(ref)} is none of session ${driven}, which is the one that is driven here`;
  const message = is !== false ? `call ${name} does not wait: ${is}` : none;
  return { ok: false, code: "not_waiting", message };
}

const isOver: ReadonlySet<CallStatus> = new Set(["success", "error", "cancelled"]);

export const notItsJob = (job: CallRef, driven: string): Refusal => ({
  ok: false,
  message: `${addressOf(job)} is no job of session ${driven}, which is the one that is driven here`,
});

export const lostFolder = ({ message }: { message: string }) => ({ ok: false, code: "not_waiting", message }) as const;

/** @param ended what follows where the folder is lost meanwhile */
export async function orLost<T>(
  work: () => Promise<T>,
  ended: (lost: FolderLost) => Promise<unknown>,
): Promise<T | ReturnType<typeof lostFolder>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FolderLost)) throw error;
    await ended(error);
    return lostFolder(error);
  }
}

export const notAnswered: Refusal = {
  ok: false,
  message: "your last message has not been answered yet: continue the session first",
};

export const working: Refusal = { ok: false, message: "the agent is working: stop it, or wait" };

/** A session is stored with the person's first words, and never without. */
export const nothingSaid = "nothing was said in this session yet: it begins with a message";
