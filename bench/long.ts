import { type AgentRun, middleMean, openPair, type Run } from "./loop.ts";
import { spreadOf } from "./measure.ts";
import { type Row, times } from "./row.ts";
import { measureResume } from "./screen.ts";
import type { World } from "./world.ts";

/** A step adds two messages, the model's and the file's; with the person's and the last words they are 2,000. */
const steps = 999;
const messages = 2 * steps + 2;
const words = 1000;
const rounds = 2;
const window = 40;

/** The steps around the one with which the history has `size` messages. */
const around = (run: Run, size: number): number =>
  middleMean(run.times.slice(Math.max(0, size / 2 - window), size / 2 + window));

const fine = (value: number): string => `${value.toFixed(1)} ms`;

function stepRow({ size, agent, bare }: Sample, aim = "", kept = true): Row {
  return {
    what: `a step at ${size.toLocaleString("en")} messages of 1 kB`,
    figure: `${fine(agent)}, of it ours ${fine(agent - bare)}`,
    beside: `bare loop ${fine(bare)}`,
    ratio: agent / bare,
    aim,
    kept,
  };
}

/** One session of 2,000 messages of 1 kB, made by the program with real reads, beside the bare loop; then opened again. */
export async function benchLong(world: World): Promise<Row[]> {
  const pair = await openPair(world, { name: "long", steps, words });
  try {
    const agents: AgentRun[] = [];
    const bares: Run[] = [];
    for (let round = 0; round < rounds; round += 1) {
      agents.push(await pair.agent());
      bares.push(await pair.bare());
    }
    const least = (runs: readonly Run[], size: number): number => spreadOf(runs.map((run) => around(run, size))).min;
    const sample = (size: number): Sample => ({ size, agent: least(agents, size), bare: least(bares, size) });
    const [short, long] = [sample(100), sample(messages)];
    const last = agents.at(-1);
    if (last === undefined) throw new Error("no session was made");
    const store = last.storeKb / 1024;
    const env = world.env(pair.baseUrl, last.home);
    const resumes: number[] = [];
    for (let round = 0; round < 7; round += 1) resumes.push(await measureResume(env, pair.workspace, last.session));
    const resume = spreadOf(resumes.slice(1));
    return [
      stepRow(short),
      stepRow(long, "ours <= 2 x that at 100", ownOf(long) <= 2 * ownOf(short)),
      { what: "its store", figure: `${store.toFixed(1)} MB`, beside: "", aim: "<= 6 MB", kept: store <= 6 },
      {
        what: "agent resume of it: prompt on the screen",
        figure: times(resume),
        beside: "",
        aim: "<= 400 ms",
        kept: resume.min <= 400,
      },
    ];
  } finally {
    pair.close();
  }
}

/** Least times of a step, in ms. */
interface Sample {
  size: number;
  agent: number;
  bare: number;
}

const ownOf = ({ agent, bare }: Sample): number => agent - bare;
