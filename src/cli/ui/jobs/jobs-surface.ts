import { setTimeout } from "node:timers/promises";
import type { CallRef } from "../../../core/call-ref.ts";
import { jobs as words } from "../../../words/en/jobs.ts";
import { saidAgain } from "../../../words/said-again.ts";
import type { JobLine } from "../../services/session-services.ts";
import { cleanLine } from "../safe-text.ts";
import { type CommandedChat, type CommandedSurface, say } from "../surface/commanded-chat.ts";
import type { ChatHands } from "../surface/hands.ts";
import { notice, type Opening, opening } from "../surface/surface.ts";
import { jobsFrame, jobsText, saidText } from "./jobs-frame.ts";
import { type JobList, type JobsEffect, jobsKey, newJobList, unasked, withJobs } from "./jobs-state.ts";

/** The time between two looks: the output of a job is kept every two seconds. */
const lookEveryMs = 1_000;

/** The session's background jobs. */
export const jobsSurface: CommandedSurface<JobList, JobsEffect> = {
  command: { name: "jobs", help: () => words().help, showsItself: true, opensAlone: true, run: jobs },
  whole: jobsFrame,
  key(before, key, { screen }) {
    const { list, effect } = jobsKey(before, key, screen.geometry);
    return { state: list, effect };
  },
  unseen: unasked,
  effects: {
    async follow_jobs({ look }, { services, session, state, set }) {
      while (state()?.look === look) {
        const jobs = await services.about.jobs(session());
        set((list) => withJobs(list, jobs));
        await setTimeout(lookEveryMs, undefined, { ref: false });
      }
    },
    stop_job: ({ ref }, hands) => hands.inOrder(() => stopJob(ref, hands)),
  },
};

/** The list of these, which is looked on at from then on. */
const jobsOpening = (jobs: readonly JobLine[]): Opening =>
  opening(
    jobsSurface,
    ({ now }) => ({ state: newJobList(jobs, now), effect: { do: "follow_jobs" as const, look: now } }),
    (list, { now }) => [notice(`${jobsText(list.jobs, now)}\n${words().answers.usage}`)],
  );

/** A turn of its own, whose call tells how the job ended. */
async function stopJob(ref: CallRef, { session, say }: Pick<ChatHands, "session" | "say">): Promise<void> {
  const begun = await session().stopJob(ref);
  if (!begun.ok) say({ kind: "notice", level: "warn", text: cleanLine(saidAgain(begun.message)) });
}

/** Opens the list of background jobs; by its name one is read or ended, as in the list of the drawn chat. */
async function jobs(argument: string, chat: CommandedChat): Promise<void> {
  const lines = await chat.services.about.jobs(chat.present().session);
  const [word = "", id = "", ...more] = argument.split(/\s+/);
  if (more.length > 0 || (word !== "stop" && id !== "")) return say(chat, words().answers.notMeant, "warn");
  if (word === "stop") return endJob(lines, id, chat);
  if (word !== "") return readJob(lines, word, chat);
  if (lines.length === 0) return say(chat, words().answers.none);
  chat.open(jobsOpening(lines));
}

async function readJob(lines: readonly JobLine[], id: string, chat: CommandedChat): Promise<void> {
  const job = lines.find(({ ref }) => ref.call === id);
  if (job === undefined) return say(chat, words().answers.notThere({ job: cleanLine(id) }), "warn");
  say(chat, saidText(job));
}

async function endJob(lines: readonly JobLine[], id: string, chat: CommandedChat): Promise<void> {
  const job = lines.find(({ ref }) => ref.call === id);
  if (job === undefined) return say(chat, words().answers.notThere({ job: cleanLine(id) }), "warn");
  if (!job.runs) return say(chat, words().answers.over({ job: cleanLine(id) }), "warn");
  await stopJob(job.ref, chat.hands());
}
