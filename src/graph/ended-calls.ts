import type { ToolCallInfo } from "../core/call.ts";
import type { JournalReading } from "../store/types.ts";

export type EndedCalls = Pick<JournalReading, "succeeded" | "callCount" | "call" | "openCalls">;

/**
 * What is read of a session's ended calls. These never change, so each call is looked at once, and it is read again only where one that
 * is meant came to its end.
 */
export function readOnceEnded<Found>(
  journal: EndedCalls,
  isMeant: (call: ToolCallInfo) => boolean,
  read: () => Found,
): () => Found {
  let known: { seen: number; found: Found } | undefined;
  return () => {
    const ended = endedBefore(journal);
    if (known?.seen === ended) return known.found;
    const stays = known !== undefined && !hasCall(journal, isMeant, known.seen, ended);
    known = { seen: ended, found: known !== undefined && stays ? known.found : read() };
    return known.found;
  };
}

/** How many of the first calls have come to their end. */
function endedBefore(journal: EndedCalls): number {
  const [open] = journal.openCalls();
  return open === undefined ? journal.callCount() : Number(open.callId.slice(1)) - 1;
}

function hasCall(journal: EndedCalls, isMeant: (call: ToolCallInfo) => boolean, from: number, to: number): boolean {
  for (let number = from + 1; number <= to; number += 1) {
    const call = journal.call(`c${number}`);
    if (call !== undefined && isMeant(call)) return true;
  }
  return false;
}
