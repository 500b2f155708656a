import { z } from "zod";
import { defineTool, type Tool } from "../../core/tool.ts";
import { bytesOfOutput } from "../../process/capped-output.ts";
import { commandLine, endFacts, jobEndWords, shownOutput, withLine } from "./command-words.ts";
import type { Jobs } from "./running/jobs.ts";
import { jobFacts, noJob } from "./shell-output.ts";

const args = z.strictObject({ id: z.string().min(1).describe("The job, as shell named it.") });

/** Ends a background job that this session started; nothing else can be named. May be run again: what has ended stays so. */
export function createShellStopTool(jobs: Jobs): Tool {
  return defineTool({
    name: "shell_stop",
    description: "Ends a background job of shell, and tells the end of what it said.",
    args,
    risk: "low",
    effect: "store",
    display: {
      en: { name: "Stop job", params: { id: "Job" } },
      zh: { name: "停止后台任务", params: { id: "任务" } },
    },
    async execute({ id }, { outputs }) {
      const job = jobs.get(id);
      if (job === undefined) {
        if (outputs?.of(id)?.job === undefined) throw noJob(jobs, id);
        return { output: `(${id} does not run here)`, metadata: { job: id } };
      }
      const ran = job.end() === undefined;
      const end = await job.stop();
      const text = shownOutput(bytesOfOutput(job.since(0).output).toString("utf8"), `call:${id}`);
      const how = ran ? `stopped, ${jobEndWords(end)}` : `it had ended before: ${jobEndWords(end)}`;
      return {
        output: withLine(text, `(${how})`),
        title: `${commandLine(job.command)} (stopped)`,
        metadata: { ...jobFacts({ ...job, id }), ...endFacts(end) },
      };
    },
  });
}
