import { stopJobName } from "./call.ts";
import type { JsonObject } from "./json.ts";
import { inOneLine } from "./linear-text.ts";

/** Code of the `notice` that a background job did not come to its own end: it was ended with its session, or with an earlier process. */
export const jobGone = "job_gone";
/** Code of the `notice` that a background job came to its own end, and no call tells of it. */
export const jobEnded = "job_ended";
/** In the place of words for the end of a job: it runs on in the session that this one was forked from, and not here. */
export const runsElsewhere = "";
/** The words for the end of a job that was ended because the end of its call was not written. */
export const endedByRecovery = "ended by recovery of its call";
/** Code of the `notice` that what nobody may change unasked changed while a job ran. */
export const jobChanged = "job_changed";

/** Characters of a line of a job that are told. */
const mostTold = 200;

/** A line of a job as it is told: in one line, and cut. */
export function jobLine(text: string): string {
  const line = inOneLine(text);
  return line.length > mostTold ? `${line.slice(0, mostTold - 1).replace(/[\ud800-\udbff]$/, "")}…` : line;
}

/** Bytes of the beginning of a line that are looked at: more than is told of it, whatever marks of color are in it. */
const mostRead = 4_000;

/**
 * Returns the last line that a job said, as it is told; empty where it said nothing.
 * @param kept all of it, which may be megabytes: no more than its end is made a text
 * @param isWhole the last line that is kept says how it ended, and its own words are before that
 */
export function lastWordsOf(kept: Uint8Array, { isWhole } = { isWhole: true }): string {
  const all = withoutBlankEnd(Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength));
  const own = isWhole ? withoutBlankEnd(all.subarray(0, Math.max(0, all.lastIndexOf(lineEnd)))) : all;
  const line = own.subarray(own.lastIndexOf(lineEnd) + 1);
  return jobLine(line.subarray(0, mostRead).toString("utf8"));
}

const lineEnd = 0x0a;
const blank = 0x20;

function withoutBlankEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] ?? 0) <= blank) end -= 1;
  return bytes.subarray(0, end);
}

/** The tools that tell of a job of another call; the person has the last by a name of its own. */
export const readsJobs = ["shell_output", "shell_stop", stopJobName] as const;

/** Tells whether the result of a call says in its metadata how, or that, the job that it names has ended. */
export const hasEndedIn = (metadata: JsonObject | undefined): boolean =>
  ["exitCode", "signal", "ended", "gone"].some((name) => metadata?.[name] !== undefined);

/** Returns the job whose end the result of a call tells in its metadata, and which attempt of the job's call that is of. */
export const endToldIn = (metadata: JsonObject | undefined): { job: string; attempt: number } | undefined => {
  const { job, attempt } = metadata ?? {};
  return typeof job === "string" && typeof attempt === "number" && hasEndedIn(metadata) ? { job, attempt } : undefined;
};

const codes: ReadonlySet<string> = new Set([jobGone, jobEnded, jobChanged]);

/** These are told also when the session is closed, behind the end of its last turn. */
export const saysOfJob = (event: { type: string; code?: string }): boolean =>
  event.type === "notice" && codes.has(event.code ?? "");
