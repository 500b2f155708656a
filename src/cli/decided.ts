import type { CallStatus } from "../core/call.ts";
import { wholePrefix } from "../graph/calls/partial.ts";
import type { JournalReading } from "../store/types.ts";

/** How a person, or who spoke for one, has decided a call that does not wait. */
export interface Decided {
  readonly decision: "approve" | "deny";
  readonly digest: string;
  readonly status: CallStatus;
}

/** By the last answer to it; undefined where it waits, or nobody was asked. */
export function decidedAs(journal: Pick<JournalReading, "call" | "answersOf">, callId: string): Decided | undefined {
  const status = journal.call(callId)?.status;
  if (status === undefined || status === "awaiting_approval") return undefined;
  const decided = journal
    .answersOf(callId)
    .flatMap(({ decision, digest }) =>
      decision === "approve" || decision === "deny" ? [{ decision, digest, status }] : [],
    );
  return decided.at(-1);
}

/** Whether that is what is asked for: an approval means one digest, of which at least the beginning that a person copies is named. */
export const isDecidedSo = (
  { decision, digest }: Decided,
  asked: { readonly decision: string; readonly digest?: string | undefined },
): boolean =>
  decision === asked.decision &&
  (decision === "deny" || ((asked.digest?.length ?? 0) >= wholePrefix && digest.startsWith(asked.digest ?? "")));

/** "it was approved as 0123456789ab, and is success". */
export const decidedWords = ({ decision, digest, status }: Decided): string =>
  decision === "deny"
    ? `it was denied, and is ${status}`
    : `it was approved as ${digest.slice(0, wholePrefix)}, and is ${status}`;
