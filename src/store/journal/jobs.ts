import type { KeptJob } from "../../core/kept-outputs.ts";
import type { PackedBytes } from "../commit.ts";
import { StaleMove } from "../problems.ts";
import { isUntold } from "../tables.ts";
import type { Draft } from "./draft.ts";

/** A call, and which attempt of it; its last one where none is named. */
interface AttemptOf {
  callId: string;
  attempt: number | undefined;
}

/**
 * Keeps the output of a call, in the place of the one that was kept of it before, but not in that of a later attempt. @throws StaleMove where
 * there is no such call
 */
export function draftOutput(draft: Draft, of: AttemptOf, { form, bytes }: PackedBytes, job?: KeptJob): void {
  const { state, how } =
    typeof job === "object" ? { state: "over" as const, how: job.over } : { state: job, how: null };
  const call = draft.rows.callNames().get(of.callId);
  if (call === undefined) throw new StaleMove(`there is no call ${of.callId} to keep the output of`);
  const last = draft.call(of.callId)?.attempt ?? 1;
  const { attempt = last } = of;
  if (attempt >= last) draft.replace("call_output", { call, at: draft.clock(), form, bytes, job: state ?? null });
  if (isUntold(state)) draftEnd(draft, { call: of.callId, attempt, how });
}

/** The model is told of it with the next request that is made. Once for each attempt of its call. */
function draftEnd(draft: Draft, { call, attempt, how }: { call: string; attempt: number; how: string | null }): void {
  const ends = draft.rows.all("job_end");
  if (ends.some((end) => end.call === call && end.attempt === attempt)) return;
  const seq = (ends.at(-1)?.seq ?? 0) + 1;
  draft.must("job_end", { seq }, "absent");
  draft.insert("job_end", { seq, call, attempt, step: null, how });
}

/** The person was told of this end of a job of the call: that it was lost, or has ended. */
export function draftPersonTold(draft: Draft, callId: string, end: number): void {
  if (draft.rows.all("job_end").findLast((one) => one.call === callId)?.seq !== end) return;
  const call = draft.rows.callNames().get(callId);
  const isDue = draft.rows.stored.jobs().some(({ id, job }) => id === callId && isUntold(job));
  if (call !== undefined && isDue) draft.patch("call_output", { call }, { job: "ended" });
}
