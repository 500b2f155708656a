import { startOf } from "../../../src/process/process-identity.ts";
import { complaintsOfAny } from "../oracle.ts";
import type { Picture } from "../picture.ts";
import { committedFrom, goal, type Instant, type Scene } from "./scenes.ts";
import type { Standing, Talk } from "./talk.ts";

const told = ({ callId, status, attempt, digest }: Standing["open"][number]): string =>
  `${callId} ${status} ${attempt} ${digest}`;

/** What is wrong on disk after the death, before anybody goes on: the open calls are as they were, the summary is there whole or not at all. */
export function standingComplaints(scene: Scene, before: Standing, after: Standing, committed: boolean): string[] {
  const open = after.open.map(({ callId, status }) => `${callId} ${status}`);
  const isAsBefore = scene.window !== undefined || String(before.open.map(told)) === String(after.open.map(told));
  return [
    ...(String(open) === String(scene.open) ? [] : [`open after the death: ${open}; not ${scene.open}`]),
    ...(isAsBefore ? [] : [`the open calls are not as before: ${after.open.map(told)}`]),
    ...(after.compactions.length === (committed ? 1 : 0) ? [] : [`${after.compactions.length} compactions on disk`]),
    ...(String(after.jobs) === (scene.job ?? "") ? [] : [`jobs on disk: ${after.jobs}`]),
  ];
}

/** What a scene came to. */
interface EndOfScene {
  talk: Talk;
  now: Picture;
  /** The messages of each request but those for a summary, of which there were so many. */
  told: readonly { role: string; content: unknown; tool_call_id?: string }[][];
  summaries: number;
  at: Standing;
}

/** @param point where the process was killed; undefined: nowhere */
export function endComplaints(scene: Scene, end: EndOfScene, point: Instant | undefined): string[] {
  const { talk, now, at, summaries } = end;
  const { processes, session, place } = talk;
  const last = processes.at(-1);
  const ends = Object.fromEntries(now.calls.map(({ callId, status }) => [callId, status]));
  const again = now.calls.filter(({ attempt }) => attempt !== 1).map(({ callId }) => callId);
  const effects = now.effects.map(({ callId, note }) => `${callId} ${note}`);
  const early = point !== undefined && !committedFrom(point);
  const due = early && scene.window === undefined ? 0 : 1;
  const played = {
    ...{ session, processes, events: processes.flatMap((one) => one.events), struck: 0, errors: [], leaves: false },
  };
  return [
    ...complaintsOfAny(place, played, now),
    ...(last?.code === scene.code ? [] : [`the last command ended with ${last?.code}`]),
    ...(JSON.stringify(ends) === JSON.stringify(scene.ends) ? [] : [`calls ended ${JSON.stringify(ends)}`]),
    ...again.map((callId) => `${callId} was begun again`),
    ...(now.files["twice.txt"]?.text === scene.twice ? [] : [`twice.txt is ${now.files["twice.txt"]?.text}`]),
    ...(String(effects) === String(scene.effects) ? [] : [`effects: ${effects}`]),
    ...(at.compactions.length === due ? [] : [`${at.compactions.length} compactions at the end, not ${due}`]),
    ...(summaries <= (early ? 2 : 1) ? [] : [`the model was asked for a summary ${summaries} times`]),
    ...(now.replies.length === Object.keys(scene.says).length ? [] : [`${now.replies.length} replies`]),
    ...historyComplaints(scene, end),
    ...(scene.job === undefined ? [] : jobComplaints(scene.job, end, early)),
  ];
}

/** The goal is in every request; each call that the last one tells of is told once, with what came of it, the open ones among them. */
function historyComplaints({ open }: Scene, { told: requests, at }: EndOfScene): string[] {
  const texts = requests.map((messages) => messages.map((message) => JSON.stringify(message)));
  const changed = texts.filter((messages, index) => {
    const before = texts[index - 1] ?? [];
    return before.slice(1).some((message, place) => messages[place + 1] !== message);
  });
  const results = (requests.at(-1) ?? []).flatMap(({ tool_call_id: id }) => id ?? []);
  return [
    ...texts.flatMap((messages, index) =>
      messages.some((message) => message.includes(goal)) ? [] : [`request ${index + 1} does not tell the goal`],
    ),
    ...(changed.length <= at.compactions.length ? [] : [`the history changed ${changed.length} times`]),
    ...(new Set(results).size === results.length ? [] : [`told more than once: ${results}`]),
    ...open
      .map((one) => one.split(" ")[0] ?? "")
      .filter((callId) => !results.includes(callId))
      .map((callId) => `${callId} was open and is not told`),
  ];
}

/** It runs in no process any more, which the person and the model are told once, and a summary says of it what was so when it was made. */
function jobComplaints(callId: string, { talk, told, at }: EndOfScene, early: boolean): string[] {
  const alive = at.pids.filter((pid) => startOf(pid) !== "");
  const gone = talk.of("notice").filter(({ code }) => code === "job_gone").length;
  const heard = (told.at(-1) ?? []).filter((message) =>
    JSON.stringify(message).includes(`The background job ${callId} `),
  ).length;
  const died = talk.processes.some(({ struck }) => struck);
  const named = at.compactions.some(({ shown }) => shown.includes(`the job of call ${callId}`));
  return [
    ...alive.map((pid) => `process ${pid} of the job still runs`),
    ...(at.jobs.length === 0 ? [] : ["the job is said to run"]),
    ...(gone === (died ? 1 : 0) ? [] : [`the person was told ${gone} times that the job is gone`]),
    ...(heard === (died ? 1 : 0) ? [] : [`the model was told ${heard} times that the job is gone`]),
    ...(named === !early ? [] : [`the summary ${named ? "says" : "does not say"} that the job runs`]),
  ];
}
