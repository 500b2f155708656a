import { endedByRecovery, endToldIn, hasEndedIn, lastWordsOf, readsJobs } from "../../core/job-notices.ts";
import type { KeptJob } from "../../core/kept-outputs.ts";
import type { PackedBytes } from "../commit.ts";
import { StaleMove } from "../problems.ts";
import type { CallMove } from "../rows.ts";
import type { MirroredCall } from "../tables.ts";
import { readableCall } from "./call-row.ts";
import type { Draft } from "./draft.ts";
import { unpack } from "./packed-bytes.ts";

/** An output of a call, and which attempt of it; its last one where none is named. */
interface Kept {
  callId: string;
  attempt: number | undefined;
  bytes: Uint8Array;
}

/**
 * Keeps the output of a call, in the place of the one that was kept of it before, but not in that of a later attempt. @throws StaleMove where
 * there is no such call
 */
export function draftOutput(draft: Draft, of: Kept, { form, bytes }: PackedBytes, job?: KeptJob): void {
  const call = draft.rows.callNames().get(of.callId);
  if (call === undefined) throw new StaleMove(`there is no call ${of.callId} to keep the output of`);
  const last = draft.call(of.callId)?.attempt ?? 1;
  const { attempt = last } = of;
  const state = job === "running" || job === undefined ? (job ?? null) : "ended";
  if (attempt >= last) draft.replace("call_output", { call, at: draft.clock(), form, bytes, job: state });
  if (!isToBeTold(job)) return;
  const how = typeof job === "object" ? job.over : null;
  draftEnd(draft, { call: of.callId, attempt, how, last: lastWordsOf(of.bytes) });
}

/** Tells whether no call tells of this end, so that the person and the model are to be told. */
export const isToBeTold = (job: KeptJob | undefined): boolean => job === "lost" || typeof job === "object";

/** The person and the model are told of it, once for each attempt of its call. */
function draftEnd(draft: Draft, end: { call: string; attempt: number; how: string | null; last: string | null }): void {
  if (draft.jobEnds().some(({ call, attempt }) => call === end.call && attempt === end.attempt)) return;
  draft.addJobEnd({ step: null, told: 0, heard: 0, ...end });
}

// Keeps tools 6.
/**
 * Sets, with the move of a call, what is kept of a job of it to what the call says of that, so that whoever reads the rows alone reads the
 * same: what was on its way to be one, and is none by the call's end, counts for none.
 */
export function draftJobOf(draft: Draft, row: MirroredCall, { before, after }: CallMove): void {
  if (before.status === "interrupted") {
    if (after.attempt !== before.attempt) draftRecoveredJob(draft, row, before);
    return;
  }
  const result = "result" in after ? after.result : undefined;
  const isSeen = after.status !== "interrupted" || result !== undefined;
  const is = before.status === "executing" && isSeen ? draft.rows.stored.jobOf(row.key) : null;
  if (is === null) return;
  const isJob = result?.metadata?.["job"] === before.callId;
  const job = isJob ? (hasEndedIn(result?.metadata) ? "ended" : is) : null;
  if (job !== is) draft.patch("call_output", { call: row.key }, { job });
}

/** It is over, for recovery has ended it. With the move, since from the next attempt on nothing tells of it any more. */
function draftRecoveredJob(draft: Draft, row: MirroredCall, { callId, attempt }: CallMove["before"]): void {
  const kept = draft.rows.stored.output(callId);
  if (kept?.job !== "running") return;
  draft.patch("call_output", { call: row.key }, { job: "ended" });
  const said = unpack(kept);
  const last = said === undefined ? null : lastWordsOf(said, { isWhole: false });
  draftEnd(draft, { call: callId, attempt, how: endedByRecovery, last });
}

/** The person was told of this end of a job: that it was lost, or has ended. */
export function draftPersonTold(draft: Draft, end: number): void {
  if (draft.rows.all("job_end").some(({ seq, told }) => seq === end && told === 0))
    draft.patch("job_end", { seq: end }, { told: 1 });
}

/** From now on the ends of which the model was not told belong to this step: told with its request, but for those of which a call told it before. */
export function draftModelTold(draft: Draft, step: string): void {
  const untold = draft.rows.all("job_end").filter((end) => end.step === null);
  if (untold.length === 0) return;
  const heard = readsJobs
    .flatMap((tool) => draft.rows.stored.succeeded(tool))
    .flatMap((row) => {
      const call = readableCall(row, draft.rows.stored);
      return endToldIn("result" in call ? call.result?.metadata : undefined) ?? [];
    });
  for (const { seq, call, attempt } of untold) {
    const isHeard = heard.some((one) => one.job === call && one.attempt === attempt);
    draft.patch("job_end", { seq }, { step, heard: isHeard ? 1 : 0 });
  }
}
