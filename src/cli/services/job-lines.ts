import { isFinal, type ToolCallInfo } from "../../core/call.ts";
import type { JournalReading } from "../../store/types.ts";
import type { JobLine } from "../ui/jobs/jobs-state.ts";

/** The background jobs of a session as its journal has them, in the order of their calls. Nothing of it is safe to draw yet. */
export function jobLines(session: string, journal: Pick<JournalReading, "allCalls" | "outputOf">): JobLine[] {
  return journal
    .allCalls()
    .filter(startedJob)
    .flatMap((call) => {
      const kept = journal.outputOf(call.callId);
      if (kept?.job === undefined) return [];
      return {
        ref: { session, call: call.callId },
        command: String(call.arguments["command"] ?? ""),
        runs: kept.job === "running",
        startedAt: call.times.started ?? call.times.proposed,
        said: Buffer.from(kept.bytes).toString("utf8"),
      };
    });
}

/** One that is still on its way is a call of the transcript; its output is looked for among the few that may have one. */
const startedJob = (call: ToolCallInfo): boolean => isFinal(call) && call.arguments["background"] === true;
