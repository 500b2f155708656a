import type { PackedBytes } from "../commit.ts";
import { StaleMove } from "../problems.ts";
import type { JobState } from "../tables.ts";
import type { Draft } from "./draft.ts";

/** Keeps the output of a call, in the place of the one that was kept of it before. @throws StaleMove where there is no such call */
export function draftOutput(draft: Draft, callId: string, { form, bytes }: PackedBytes, job?: JobState): void {
  const call = draft.rows.callNames().get(callId);
  if (call === undefined) throw new StaleMove(`there is no call ${callId} to keep the output of`);
  draft.replace("call_output", { call, at: draft.clock(), form, bytes, job: job ?? null });
  // The model is told of it with the next request that is made.
  const isNew = job === "lost" && !draft.rows.all("lost_job").some((lost) => lost.call === callId);
  if (isNew) draft.insert("lost_job", { call: callId, step: null });
}

/** The person was told that it was lost. */
export function draftPersonTold(draft: Draft, callId: string): void {
  const call = draft.rows.callNames().get(callId);
  const isDue = draft.rows.stored.jobs().some(({ id, job }) => id === callId && job === "lost");
  if (call !== undefined && isDue) draft.patch("call_output", { call }, { job: "ended" });
}
