import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "./measure.ts";
import { residentMb } from "./screen.ts";
import {
  agentPath,
  childPath,
  type FileKind,
  makePictures,
  makeWorkspace,
  startModelServer,
  type World,
} from "./world.ts";

const files = 20;

/** What a model and a loop are made to do: `steps` files read, one a request. */
export interface Plan {
  name: string;
  steps: number;
  /** Characters that the model says before each call. */
  words?: number;
  /** Of the files; default txt. */
  kind?: FileKind;
}

/** One run of a plan. */
export interface Run {
  ms: number;
  /** Wall time of each step, in ms. */
  times: number[];
  peakMb: number;
  storeKb: number;
}

export interface AgentRun extends Run {
  session: string;
  home: string;
}

/** The agent and the bare loop at the same plan, against the same server. */
export interface Pair {
  readonly workspace: string;
  readonly baseUrl: string;
  agent(): Promise<AgentRun>;
  bare(): Promise<Run>;
  close(): void;
}

interface Line {
  type: string;
  at: string;
  session: string;
  call?: { status: string };
}

const linesOf = (stdout: string): Line[] =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

/** From one file that had been read to the next, by the events' own clock. */
function stepTimes(lines: readonly Line[], steps: number): number[] {
  const ends = lines
    .filter((line) => line.type === "tool_call" && line.call?.status === "success")
    .map((line) => Date.parse(line.at));
  if (ends.length !== steps) throw new Error(`${ends.length} steps were made, not ${steps}`);
  return ends.slice(1).map((end, i) => end - (ends[i] ?? end));
}

const folderKb = (folder: string): number =>
  readdirSync(folder)
    .filter((name) => name.startsWith("agent.db"))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size / 1024, 0);

export async function openPair({ env, folder }: World, { name, steps, words, kind = "txt" }: Plan): Promise<Pair> {
  const workspace = (kind === "png" ? makePictures : makeWorkspace)(join(folder, name), files);
  const { baseUrl, close } = await startModelServer(steps, files, words, kind);
  let round = 0;
  return {
    workspace,
    baseUrl,
    close,
    async agent() {
      round += 1;
      const home = join(folder, `${name}-home-${round}`);
      mkdirSync(home);
      if (kind === "png")
        writeFileSync(join(home, "config.json"), JSON.stringify({ models: { "openai:bench": { vision: true } } }));
      const argv = [
        agentPath,
        "run",
        "-m",
        "openai:bench",
        "--json",
        "--max-steps",
        String(Math.min(steps + 1, 1000)),
        "Read the files.",
      ];
      const settings = { env: env(baseUrl, home), cwd: workspace, watch: residentMb };
      const { ms, stdout, peakMb } = await runToEnd(process.execPath, argv, settings);
      const lines = linesOf(stdout);
      const session = lines[0]?.session ?? "";
      return { ms, times: stepTimes(lines, steps), peakMb, storeKb: folderKb(home), session, home };
    },
    async bare() {
      round += 1;
      const log = join(folder, `${name}-bare-${round}.log`);
      const argv = [childPath("bare-loop-child.mjs"), baseUrl, workspace, log];
      const { ms, stdout } = await runToEnd(process.execPath, argv, { env: env(baseUrl, folder) });
      const { times, rssMb } = JSON.parse(stdout) as { times: number[]; rssMb: number };
      return { ms, times, peakMb: rssMb, storeKb: statSync(log).size / 1024 };
    },
  };
}

/** The mean of the middle three fifths: what hit single steps is left out. */
export function middleMean(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  const middle = sorted.slice(Math.floor(sorted.length / 5), Math.ceil((sorted.length * 4) / 5));
  return middle.reduce((sum, time) => sum + time, 0) / middle.length;
}
