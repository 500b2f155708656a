import type { CallStatus } from "../core/call.ts";
import { addressOf, type CallRef, nameIn } from "../core/call-ref.ts";
import { FolderLost } from "../core/folder-lost.ts";
import type { AnswerOutcome } from "../graph/decisions.ts";
import { refusals as words } from "../words/contract/session.ts";

/** The reason why nothing was begun, in words for the person. */
export interface Refusal {
  ok: false;
  message: string;
}

/**
 * @param driven the session that is driven here: a call of another one may have the name of one of its own
 * @param status of the call, where it is one of that session's or of its helpers'
 */
export function notWaiting(ref: CallRef, driven: string, status: CallStatus | undefined): AnswerOutcome {
  const message =
    status === undefined
      ? words.notItsCall({ call: addressOf(ref), session: driven })
      : words.notWaiting({ call: nameIn(driven, ref), ended: isOver.has(status) ? status : undefined });
  return { ok: false, code: "not_waiting", message };
}

const isOver: ReadonlySet<CallStatus> = new Set(["success", "error", "cancelled"]);

export const notItsJob = (job: CallRef, driven: string): Refusal => ({
  ok: false,
  message: words.notItsJob({ job: addressOf(job), session: driven }),
});

/** Has a call go on in the background. @param opened undefined where the session was not opened yet: nothing runs in it */
export async function sentAside(
  ref: CallRef,
  driven: string,
  opened: Promise<{ sendAside(call: string): string | undefined }> | undefined,
): Promise<{ ok: true } | Refusal> {
  if (ref.session !== driven)
    return { ok: false, message: words.notItsCall({ call: addressOf(ref), session: driven }) };
  const session = await opened?.catch(() => undefined);
  const message = session === undefined ? words.notRunning({ call: ref.call }) : session.sendAside(ref.call);
  return message === undefined ? { ok: true } : { ok: false, message };
}

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

export const notAnswered: Refusal = { ok: false, message: words.notAnswered };

export const working: Refusal = { ok: false, message: words.working };
