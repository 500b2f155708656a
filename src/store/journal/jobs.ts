import type { KeptJob } from "../../core/kept-outputs.ts";
import type { PackedBytes } from "../commit.ts";
import { StaleMove } from "../problems.ts";
import { isUntold } from "../tables.ts";
import type { Draft } from "./draft.ts";

/** Keeps the output of a call, in the place of the one that was kept of it before. @throws StaleMove where there is no such call */
export function draftOutput(draft: Draft, callId: string, { form, bytes }: PackedBytes, job?: KeptJob): void {
  const { state, how } =
    typeof job === "object" ? { state: "over" as const, how: job.over } : { state: job, how: null };
  const call = draft.rows.callNames().get(callId);
  if (call === undefined) throw new StaleMove(`there is no call ${callId} to keep the output of`);
  draft.replace("call_output", { call, at: draft.clock(), form, bytes, job: state ?? null });
  // The model is told of it with the next request that is made.
  const isNew = isUntold(state) && !draft.rows.all("job_end").some((end) => end.call === callId);
  if (isNew) draft.insert("job_end", { call: callId, step: null, how });
}

/** The person was told that it was lost, or has ended. */
export function draftPersonTold(draft: Draft, callId: string): void {
  const call = draft.rows.callNames().get(callId);
  const isDue = draft.rows.stored.jobs().some(({ id, job }) => id === callId && isUntold(job));
  if (call !== undefined && isDue) draft.patch("call_output", { call }, { job: "ended" });
}
