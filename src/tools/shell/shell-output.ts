import { z } from "zod";
import { ToolRefusal } from "../../core/codes.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../../core/tool.ts";
import { bytesOfOutput } from "../../process/capped-output.ts";
import { commandLine, endFacts, endWords, jobEndWords, shownOutput, withLine } from "./command-words.ts";
import type { Jobs } from "./running/jobs.ts";

const id = z.string().min(1).describe("The job, as shell named it.");

const args = z.strictObject({
  id,
  since: z.int().min(0).optional().describe("Byte to read on from, as the last answer said."),
});

/** Reads what a background job has said, whether it runs or has ended, and of one that is gone with an earlier process. */
export function createShellOutputTool(jobs: Jobs): Tool {
  return defineTool({
    name: "shell_output",
    description: "Reads what a background job of shell has said, and whether it still runs.",
    args,
    risk: "low",
    effect: "none",
    display: {
      en: { name: "Read job", params: { id: "Job", since: "From byte" } },
      zh: { name: "读取后台任务", params: { id: "任务", since: "起始字节" } },
    },
    execute: async ({ id: asked, since = 0 }, ctx) => read(jobs, asked, since, ctx),
  });
}

function read(jobs: Jobs, id: string, since: number, ctx: ToolContext): ToolResult {
  const job = jobs.get(id);
  if (job === undefined) return gone(jobs, id, ctx);
  const { output, next } = job.since(since);
  const end = job.end();
  const text = shownOutput(bytesOfOutput(output).toString("utf8"), end === undefined ? undefined : `call:${id}`);
  const how = end === undefined ? `it runs; go on with since=${next}` : jobEndWords(end);
  return {
    output: withLine(text, `(${how})`),
    title: `${commandLine(job.command)} (${end === undefined ? "runs" : endWords(end)})`,
    metadata: { ...jobFacts({ ...job, id }), next, ...(end === undefined ? {} : endFacts(end)) },
  };
}

/** @throws ToolRefusal NOT_FOUND where the session never had such a job. */
function gone(jobs: Jobs, id: string, { outputs }: ToolContext): ToolResult {
  const kept = outputs?.of(id);
  if (kept?.job === undefined) throw noJob(jobs, id);
  const text = shownOutput(Buffer.from(kept.bytes).toString("utf8"), `call:${id}`);
  if (kept.job === "ended") {
    const output = text.trimEnd();
    // Its last line says how, but where it was kept as it ran.
    const ended = /(?:^|\n)\([^\n]+\)$/.test(output) ? { ended: true } : {};
    return { output, title: `${id} (ended)`, metadata: { ...jobFacts({ ...kept, id }), ...ended } };
  }
  const line =
    "(it is gone: it ended with the process that this session ran in; this is the last that was kept of what it said)";
  return {
    output: withLine(text, line),
    title: `${id} (gone)`,
    metadata: { ...jobFacts({ ...kept, id }), gone: true },
  };
}

/** The job that a result tells of: its call, and which attempt of that it is of. */
export const jobFacts = ({
  id,
  attempt,
}: {
  id: string;
  attempt?: number | undefined;
}): { job: string; attempt?: number } => ({
  job: id,
  ...(attempt === undefined ? {} : { attempt }),
});

export function noJob(jobs: Jobs, id: string): ToolRefusal {
  const known = jobs.ids();
  const there = known.length === 0 ? "there are none" : `there are ${known.join(", ")}`;
  return new ToolRefusal("NOT_FOUND", `there is no background job ${JSON.stringify(id)}: ${there}`);
}
