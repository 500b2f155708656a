import { room } from "../room.ts";

/** The commands that run in the background. */
export const jobs = room("jobs", {
  /** Its line of /help. */
  help: {
    argument: "JOB | stop JOB",
    text: "the commands that run in the background: what they said, and their end",
  },
  /** The answers of its command. */
  answers: {
    usage: "/jobs JOB shows what one said, /jobs stop JOB ends one",
    notMeant: "/jobs JOB shows what one said, /jobs stop JOB ends one: what is meant?",
    none: "no command of this session runs, or ran, in the background",
    notThere: ({ job }: { job: string }) => `there is no job ${job}: /jobs shows them`,
    over: ({ job }: { job: string }) => `job ${job} runs no more`,
  },
  /** A command of the foreground goes on in the background. */
  aside: {
    help: { argument: "", text: "a command that runs goes on in the background" },
    none: "nothing runs that can go on in the background",
  },
  title: ({ jobs: count, running }: { jobs: number; running: number }) =>
    `${count === 1 ? "1 background job" : `${count} background jobs`}, ${running} running`,
  listHint: "enter shows what it said · x ends it · esc back",
  readHint: "↑ ↓ moves · esc back",
  position: ({ at, of }: { at: number; of: number }) => `${at} of ${of}`,
  stop: "end it? y ends it, any other key lets it run",
  /** The states of a job. */
  runs: "runs",
  cutOff: "was cut off",
  over: "it runs no more",
  kept: "it runs on",
  silent: "it has said nothing yet",
  /** One job in lines; `stands`: its command, and how it stands. */
  lines: {
    silent: ({ stands }: { stands: string }) => `${stands}; it has said nothing yet`,
    last: ({ stands, lines }: { stands: string; lines: number }) => `${stands}; its last ${lines} lines`,
  },
});
