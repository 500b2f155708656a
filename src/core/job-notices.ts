/** Code of the `notice` that a background job did not come to its own end: it was ended with its session, or with an earlier process. */
export const jobGone = "job_gone";
/** Code of the `notice` that a background job came to its own end, and no call tells of it. */
export const jobEnded = "job_ended";
/** In the place of words for the end of a job: it runs on in the session that this one was forked from, and not here. */
export const runsElsewhere = "";
/** Code of the `notice` that what nobody may change unasked changed while a job ran. */
export const jobChanged = "job_changed";

const codes: ReadonlySet<string> = new Set([jobGone, jobEnded, jobChanged]);

/** These are told also when the session is closed, behind the end of its last turn. */
export const saysOfJob = (event: { type: string; code?: string }): boolean =>
  event.type === "notice" && codes.has(event.code ?? "");
