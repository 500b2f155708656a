import { setTimeout } from "node:timers/promises";
import type { CallRef } from "../../../core/call-ref.ts";
import { chatCommands } from "../../../words/en/chat-commands.ts";
import { saidAgain } from "../../../words/said-again.ts";
import type { JobLine } from "../../services/session-services.ts";
import { cleanLine } from "../safe-text.ts";
import type { ChatHands } from "../surface/hands.ts";
import { notice, type Opening, opening, type Surface } from "../surface/surface.ts";
import { jobsFrame, jobsText } from "./jobs-frame.ts";
import { type JobList, type JobsEffect, jobsKey, newJobList, unasked, withJobs } from "./jobs-state.ts";

/** The time between two looks: the output of a job is kept every two seconds. */
const lookEveryMs = 1_000;

/** The session's background jobs. */
export const jobsSurface: Surface<JobList, JobsEffect> = {
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
export const jobsOpening = (jobs: readonly JobLine[]): Opening =>
  opening(
    jobsSurface,
    ({ now }) => ({ state: newJobList(jobs, now), effect: { do: "follow_jobs" as const, look: now } }),
    (list, { now }) => [notice(`${jobsText(list.jobs, now)}\n${chatCommands().jobs.usage}`)],
  );

/** A turn of its own, whose call tells how the job ended. */
export async function stopJob(ref: CallRef, { session, say }: Pick<ChatHands, "session" | "say">): Promise<void> {
  const begun = await session().stopJob(ref);
  if (!begun.ok) say({ kind: "notice", level: "warn", text: cleanLine(saidAgain(begun.message)) });
}
