import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { interleave, runToEnd } from "./measure.ts";
import { ms, type Row } from "./row.ts";
import { residentMb } from "./screen.ts";
import { agentPath, childPath, makeWorkspace, startModelServer, type World } from "./world.ts";

const steps = 200;
const files = 20;

const mean = (times: readonly number[]): number => times.reduce((sum, time) => sum + time, 0) / times.length;

interface Run {
  /** Wall time of each step, in ms. */
  times: number[];
  peakMb: number;
  storeKb: number;
}

interface Line {
  type: string;
  at: string;
  call?: { status: string };
}

/** When each file had been read, from the events' own clock. */
function stepTimes(stdout: string): number[] {
  const ends = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.type === "tool_call" && line.call?.status === "success")
    .map((line) => Date.parse(line.at));
  if (ends.length !== steps) throw new Error(`${ends.length} steps were made, not ${steps}`);
  return ends.slice(1).map((end, i) => end - (ends[i] ?? end));
}

const folderKb = (folder: string): number =>
  readdirSync(folder)
    .filter((name) => name.startsWith("agent.db"))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size / 1024, 0);

function stepRow(
  what: string,
  mine: number,
  bare: number,
  format: (value: number) => string,
  aim: string,
  kept: boolean,
): Row {
  return { what, figure: format(mine), beside: `bare loop ${format(bare)}`, ratio: mine / bare, aim, kept };
}

/** 200 steps of one file each, beside a bare loop of node that sends the same, reads the same and syncs a line a step. */
export async function benchSteps({ env, folder }: World): Promise<Row[]> {
  const workspace = makeWorkspace(join(folder, "steps"), files);
  const server = await startModelServer(steps, files);
  const runs: Record<"agent" | "bare", Run[]> = { agent: [], bare: [] };
  let round = 0;
  const agent = async (): Promise<number> => {
    round += 1;
    const home = join(folder, `steps-home-${round}`);
    mkdirSync(home);
    const argv = [agentPath, "run", "-m", "openai:bench", "--json", "--max-steps", "300", "Read the files."];
    const done = await runToEnd(process.execPath, argv, {
      env: env(server.baseUrl, home),
      cwd: workspace,
      watch: residentMb,
    });
    runs.agent.push({ times: stepTimes(done.stdout), peakMb: done.peakMb, storeKb: folderKb(home) });
    return done.ms;
  };
  const bare = async (): Promise<number> => {
    const log = join(folder, `bare-${round}.log`);
    const done = await runToEnd(process.execPath, [childPath("bare-loop-child.mjs"), server.baseUrl, workspace, log], {
      env: env(server.baseUrl, folder),
    });
    const { times, rssMb } = JSON.parse(done.stdout) as { times: number[]; rssMb: number };
    runs.bare.push({ times, peakMb: rssMb, storeKb: statSync(log).size / 1024 });
    return done.ms;
  };
  try {
    const spread = await interleave({ agent, bare }, 3);
    const of = (name: "agent" | "bare", figure: (run: Run) => number): number =>
      runs[name]
        .slice(1)
        .map(figure)
        .sort((a, b) => a - b)[1] ?? Number.NaN;
    const early = (run: Run): number => mean(run.times.slice(0, 50));
    const late = (run: Run): number => mean(run.times.slice(-50));
    const kb = (value: number): string => `${value.toFixed(0)} kB`;
    const mb = (value: number): string => `${value.toFixed(0)} MB`;
    const fine = (value: number): string => `${value.toFixed(1)} ms`;
    const store = of("agent", (run) => run.storeKb);
    const [first, last] = [of("agent", early), of("agent", late)];
    return [
      stepRow(`agent run, ${steps} steps`, spread.agent.min, spread.bare.min, ms, "", true),
      stepRow("a step, the first 50", first, of("bare", early), fine, "", true),
      stepRow("a step, the last 50", last, of("bare", late), fine, "<= 1.5 x the first", last <= 1.5 * first),
      stepRow(
        `memory after ${steps} steps`,
        of("agent", (run) => run.peakMb),
        of("bare", (run) => run.peakMb),
        mb,
        "",
        true,
      ),
      stepRow(
        `store after ${steps} steps`,
        store,
        of("bare", (run) => run.storeKb),
        kb,
        "<= 500 kB",
        store <= 500,
      ),
    ];
  } finally {
    server.close();
  }
}
