import type { Json, JsonObject } from "../../core/json.ts";
import { endless, type Misfit, misfitsWithin, unchecked } from "../../core/json-schema/misfits.ts";

/** The input of the worker. */
export interface MisfitsJob {
  schema: JsonObject;
  value: Json;
  ms: number;
}

/** An honest check has ended by then, and nobody sees that all else stood still so long. */
const atOnceMs = 20;

/**
 * Lists the misfits of a value with a schema that may be of anyone: a check that has not ended in a moment is made anew in a worker, and
 * all else goes on meanwhile.
 * @param ms how long it may take there; past it that is the misfit. So it is where it cannot be checked.
 */
export async function misfitsBeside(schema: JsonObject, value: Json, ms: number): Promise<Misfit[]> {
  const known = misfitsWithin(schema, value, atOnceMs);
  if (known !== undefined) return known;
  const job: MisfitsJob = { schema, value, ms };
  try {
    const { runWorker } = await import("../run-worker.ts");
    // The worker ends it itself; this is for one that does not.
    const limits = { deadlineMs: 2 * ms, signal: new AbortController().signal };
    const worked = await runWorker("misfits-worker", job, limits);
    if (worked.ok) return worked.value as Misfit[];
    return [worked.why === "time" ? endless(2 * ms) : unchecked(new Error(worked.message))];
  } catch (error) {
    // What is no JSON deep in it cannot be handed over.
    return [unchecked(error)];
  }
}
