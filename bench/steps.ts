import { openPair, type Run } from "./loop.ts";
import { spreadOf } from "./measure.ts";
import { ms, type Row } from "./row.ts";
import type { World } from "./world.ts";

const steps = 200;
const rounds = 5;

const mean = (times: readonly number[]): number => times.reduce((sum, time) => sum + time, 0) / times.length;
const early = (run: Run): number => mean(run.times.slice(0, 50));
const late = (run: Run): number => mean(run.times.slice(-50));

const kb = (value: number): string => `${value.toFixed(0)} kB`;
const mb = (value: number): string => `${value.toFixed(0)} MB`;
const fine = (value: number): string => `${value.toFixed(1)} ms`;

type Format = (value: number) => string;

function row(what: string, mine: number, bare: number, format: Format, aim = "", kept = true): Row {
  return { what, figure: format(mine), beside: `bare loop ${format(bare)}`, ratio: mine / bare, aim, kept };
}

/** 200 steps of one file each, beside a bare loop of node that sends the same, reads the same and syncs a line a step. */
export async function benchSteps(world: World): Promise<Row[]> {
  const pair = await openPair(world, { name: "steps", steps });
  const runs: Record<"agent" | "bare", Run[]> = { agent: [], bare: [] };
  try {
    await pair.agent();
    for (let round = 0; round < rounds; round += 1) {
      runs.bare.push(await pair.bare());
      runs.agent.push(await pair.agent());
    }
  } finally {
    pair.close();
  }
  const median = (name: "agent" | "bare", figure: (run: Run) => number): number =>
    spreadOf(runs[name].map(figure)).median;
  const least = (name: "agent" | "bare"): number => spreadOf(runs[name].map((run) => run.ms)).min;
  const peak = median("agent", (run) => run.peakMb);
  const store = median("agent", (run) => run.storeKb);
  const [first, last] = [median("agent", early), median("agent", late)];
  return [
    row(`agent run, ${steps} steps`, least("agent"), least("bare"), ms, "<= 3 x", least("agent") <= 3 * least("bare")),
    row("a step, the first 50", first, median("bare", early), fine),
    row("a step, the last 50", last, median("bare", late), fine, "<= 1.5 x the first", last <= 1.5 * first),
    row(
      `memory after ${steps} steps`,
      peak,
      median("bare", (run) => run.peakMb),
      mb,
      "<= 175 MB",
      peak <= 175,
    ),
    row(
      `store after ${steps} steps`,
      store,
      median("bare", (run) => run.storeKb),
      kb,
      "<= 400 kB",
      store <= 400,
    ),
  ];
}
