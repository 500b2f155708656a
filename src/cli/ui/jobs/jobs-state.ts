import { type CallRef, sameCall } from "../../../core/call-ref.ts";
import { jobs as words } from "../../../words/en/jobs.ts";
import { saidAgain } from "../../../words/said-again.ts";
import type { JobLine } from "../../services/session-services.ts";
import type { Key } from "../../terminal/key.ts";
import { cleanLine } from "../safe-text.ts";
import { letterOf, rowsBy } from "../surface/rows-by.ts";

/** The person looks at the session's jobs. */
export interface JobList {
  /** In the order of their calls. */
  jobs: readonly JobLine[];
  /** The one that is pointed at. */
  at: number;
  /** The place in the output that is read: rows from the window to its end. Undefined in the list. */
  fromEnd: number | undefined;
  /** The id of this look at them: the one that looks on for changes knows by it that this is still the same. */
  look: number;
  /** True while the person is asked whether to end the one that is pointed at. */
  stopping: boolean;
  note: string;
}

/** To end it: what comes of that is told by a call of the session. To look on for what changes, as long as this look lasts. */
export type JobsEffect = { do: "stop_job"; ref: CallRef } | { do: "follow_jobs"; look: number };

export interface JobsStep {
  /** Undefined: the person is back in the chat. */
  list: JobList | undefined;
  effect?: JobsEffect;
}

/**
 * @param jobs in the order of their calls; the newest is pointed at, one that runs before those that do not
 * @param look another one for each list that is opened
 */
export function newJobList(jobs: readonly JobLine[], look: number): JobList {
  const running = jobs.findLastIndex(({ runs }) => runs);
  return {
    jobs,
    at: running < 0 ? jobs.length - 1 : running,
    fromEnd: undefined,
    look,
    stopping: false,
    note: "",
  };
}

/** As they are now: what is pointed at stays, and what is read stays in the window, as far as lines tell. Where it is not there any more, nothing of it is asked or read. */
export function withJobs(list: JobList, jobs: readonly JobLine[]): JobList {
  const before = list.jobs[list.at];
  const at = jobs.findIndex(({ ref }) => sameCall(ref, before?.ref));
  const now = jobs[at];
  if (before === undefined || now === undefined)
    return { ...list, jobs, at: jobs.length - 1, fromEnd: undefined, stopping: false };
  const more = Math.max(0, saidLines(now).length - saidLines(before).length);
  // At its end the person follows it.
  const fromEnd = list.fromEnd === undefined || list.fromEnd === 0 ? list.fromEnd : list.fromEnd + more;
  return { ...list, jobs, at, fromEnd };
}

/** Returns the output of a job, a row a line; not yet safe to draw. */
export const saidLines = ({ said }: JobLine): string[] => (said.trimEnd() === "" ? [] : said.trimEnd().split("\n"));

/** Returns a job's state, in words that are safe to draw. */
export function jobWords(job: JobLine): string {
  if (job.runs) return words().runs;
  const last = saidLines(job).at(-1) ?? "";
  const end = /^\((.+)\)$/.exec(last)?.[1];
  return cleanLine(saidAgain((end ?? words().cutOff).split(":")[0] ?? ""));
}

/**
 * One key. Esc goes one step back.
 * @param screen rows in all and on the screen; where there are none on it, nothing is decided
 */
export function jobsKey(before: JobList, key: Key, { window: page, total }: JobsScreen): JobsStep {
  const list: JobList = { ...before, note: "" };
  if (key.name === "char" && key.ctrl && key.text === "c") return { list: undefined };
  if (list.stopping) return ending(list, key, page);
  if (key.name === "escape" || letterOf(key) === "q") return back(list);
  if (page < 1) return { list };
  return list.fromEnd === undefined ? listKey(list, key, page) : { list: readOn(list, key, page, total) };
}

export interface JobsScreen {
  total: number;
  window: number;
}

const back = (list: JobList): JobsStep => ({
  list: list.fromEnd === undefined ? undefined : { ...list, fromEnd: undefined },
});

function listKey(list: JobList, key: Key, page: number): JobsStep {
  const by = rowsBy(key, page);
  if (by !== undefined) return { list: { ...list, at: Math.max(0, Math.min(list.jobs.length - 1, list.at + by)) } };
  const job = list.jobs[list.at];
  if (job === undefined) return { list };
  if (key.name === "enter") return opened(list);
  if (letterOf(key) !== "x") return { list };
  return { list: job.runs ? { ...list, stopping: true } : { ...list, note: words().over } };
}

function opened(list: JobList): JobsStep {
  const look = list.look + 1;
  return { list: { ...list, fromEnd: 0, look }, effect: { do: "follow_jobs", look } };
}

function readOn(list: JobList, key: Key, page: number, total: number): JobList {
  const by = rowsBy(key, page);
  if (by === undefined) return list;
  const most = Math.max(0, total - page);
  return { ...list, fromEnd: Math.max(0, Math.min(most, (list.fromEnd ?? 0) - by)) };
}

/** Takes back the question whether to end a job: it was out of sight. */
export const unasked = (list: JobList): JobList =>
  list.stopping ? { ...list, stopping: false, note: words().kept } : list;

/** Only `y` ends it; a key of another meaning was not meant so. */
function ending(list: JobList, key: Key, page: number): JobsStep {
  const job = list.jobs[list.at];
  if (letterOf(key) === "y" && page >= 1 && job !== undefined)
    return { list: undefined, effect: { do: "stop_job", ref: job.ref } };
  return { list: { ...list, stopping: false, note: words().kept } };
}
