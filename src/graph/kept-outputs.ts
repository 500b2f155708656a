import type { KeptOutputs } from "../core/tool.ts";
import type { Journal } from "../store/types.ts";
import { observationText } from "./talk/observation-text.ts";

/** What the calls of a session said, whole: as it was kept, else as the call's result has it. */
export const keptOutputs = ({
  journal,
  maxObserve,
}: {
  journal: Journal;
  maxObserve?: number | false | undefined;
}): KeptOutputs => ({
  maxObserve,
  keep: (callId, bytes, job) => journal.keepOutput(callId, bytes, job),
  of(callId) {
    const kept = journal.outputOf(callId);
    if (kept !== undefined) return kept;
    const call = journal.call(callId);
    if (call?.status === "error") return { bytes: Buffer.from(observationText(call), "utf8") };
    return call?.status === "success" ? { bytes: Buffer.from(call.result.output, "utf8") } : undefined;
  },
});
