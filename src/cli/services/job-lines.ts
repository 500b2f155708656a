import type { JournalReading } from "../../store/types.ts";
import type { JobLine } from "./session-services.ts";

/** Of what a job said, so much of its end is shown; in bytes. */
const mostShown = 64_000;

/**
 * The background jobs of a session as its journal has them, in the order of their calls. Nothing of it is safe to draw yet.
 * @param ended what was found of those that have ended, by their calls: it does not change, and is read once
 */
export function jobLines(
  session: string,
  journal: Pick<JournalReading, "jobs" | "call" | "outputOf">,
  ended: Map<string, JobLine>,
): JobLine[] {
  return journal.jobs().flatMap((callId) => {
    const known = ended.get(callId);
    if (known !== undefined) return known;
    const [call, kept] = [journal.call(callId), journal.outputOf(callId)];
    if (call === undefined || kept?.job === undefined) return [];
    const line: JobLine = {
      ref: { session, call: callId },
      command: String(call.arguments["command"] ?? ""),
      runs: kept.job === "running",
      startedAt: call.times.started ?? call.times.proposed,
      said: endOf(kept.bytes),
    };
    if (!line.runs) ended.set(callId, line);
    return line;
  });
}

/** From the beginning of a line on. */
function endOf(bytes: Uint8Array): string {
  const end = Buffer.from(bytes.subarray(-mostShown)).toString("utf8");
  return bytes.length <= mostShown ? end : end.slice(end.indexOf("\n") + 1);
}
