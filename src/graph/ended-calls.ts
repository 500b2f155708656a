import type { ToolCallInfo } from "../core/call.ts";
import type { JournalReading } from "../store/types.ts";

export type EndedCalls = Pick<JournalReading, "succeeded" | "callCount" | "call" | "openCalls">;

/**
 * What is read of a session's ended calls. These never change, so each call is looked at once.
 * @param carry with one more that came to its end; undefined where all of it is to be read again
 */
export function readOnceEnded<Found>(
  journal: EndedCalls,
  read: () => Found,
  carry: (found: Found, call: ToolCallInfo) => Found | undefined,
): () => Found {
  let known: { seen: number; found: Found } | undefined;
  return () => {
    const ended = endedBefore(journal);
    if (known?.seen === ended) return known.found;
    const carried = known && carriedOn(journal, carry, known, ended);
    known = { seen: ended, found: carried ?? read() };
    return known.found;
  };
}

/** How many of the first calls have come to their end. */
function endedBefore(journal: EndedCalls): number {
  const [open] = journal.openCalls();
  return open === undefined ? journal.callCount() : Number(open.callId.slice(1)) - 1;
}

function carriedOn<Found>(
  journal: EndedCalls,
  carry: (found: Found, call: ToolCallInfo) => Found | undefined,
  { seen, found }: { seen: number; found: Found },
  to: number,
): Found | undefined {
  let carried: Found | undefined = found;
  for (let number = seen + 1; number <= to && carried !== undefined; number += 1) {
    const call = journal.call(`c${number}`);
    if (call !== undefined) carried = carry(carried, call);
  }
  return carried;
}
