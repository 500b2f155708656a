import type { CallOf } from "../../core/call.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { Runtime } from "../runtime.ts";
import { evidenceOf } from "./evidence.ts";

// Keeps graph 26.
/**
 * Whether a call that failed while the process leaves stands as before it was begun: its tool was asked for nothing, or what it was ended in may be done
 * again. Who goes on with the session runs it then, as it was allowed; what may have done something keeps its end.
 */
export async function isAsNotBegun(
  { leaving, journal }: Pick<Runtime, "leaving" | "journal">,
  { callId, effect }: CallOf<"executing">,
  outcome: Outcome,
): Promise<boolean> {
  if (!leaving || outcome.kind !== "failed") return false;
  if (outcome.begun === false || effect === "none") return true;
  if (outcome.code !== "CANCELLED" || effect === "once") return false;
  return effect !== "file" || (await evidenceOf(journal.planOf(callId))).kind === "not_done";
}
