import { middleMean, openPair, type Pair, type Run } from "./loop.ts";
import { spreadOf } from "./measure.ts";
import { ms, type Row } from "./row.ts";
import type { World } from "./world.ts";

const steps = 60;
const rounds = 2;

/** From then on a request has as many pictures as it ever has: eleven to twenty. */
const full = 20;

/** A session half as long, for what grows with it. */
const fewer = 30;

/** How much more time or memory is none: what the machine does besides. */
const noMore = 1.15;

const fine = (value: number): string => `${value.toFixed(1)} ms`;
const mb = (value: number): string => `${value.toFixed(0)} MB`;

/**
 * 60 steps that read a picture of 800x600 pixels each, beside the same with text, beside half of them, and beside a bare loop that sends the same
 * pictures.
 */
export async function benchImages(world: World): Promise<Row[]> {
  const pictures = await openPair(world, { name: "pictures", steps, kind: "png" });
  const half = await openPair(world, { name: "half", steps: fewer, kind: "png" });
  const text = await openPair(world, { name: "words", steps });
  try {
    return await rowsOf(pictures, half, text);
  } finally {
    for (const { close } of [pictures, half, text]) close();
  }
}

async function rowsOf(pictures: Pair, half: Pair, text: Pair): Promise<Row[]> {
  const subjects = { agent: pictures.agent, bare: pictures.bare, half: half.agent, text: text.agent };
  const runs = new Map<Name, Run[]>();
  for (let round = -1; round < rounds; round += 1)
    for (const name of Object.keys(subjects) as Name[]) {
      const run = await subjects[name]();
      if (round >= 0) runs.set(name, [...(runs.get(name) ?? []), run]);
    }
  const least = (name: Name, figure: (run: Run) => number): number => spreadOf((runs.get(name) ?? []).map(figure)).min;
  const all = (run: Run): number => run.ms;
  const early = (run: Run): number => middleMean(run.times.slice(full, full + 10));
  const late = (run: Run): number => middleMean(run.times.slice(-10));
  const peak = (run: Run): number => run.peakMb;
  const [last, most] = [least("agent", late), least("agent", peak)];
  return [
    row(
      `agent run, ${steps} steps of a picture each`,
      ms,
      least("agent", all),
      `with text ${ms(least("text", all))}`,
      least("text", all),
    ),
    row("a step of these, the last 10", fine, last, `bare loop ${fine(least("bare", late))}`, least("bare", late)),
    row("the same", fine, last, `steps 21 to 30: ${fine(least("agent", early))}`, least("agent", early), noMore),
    row(`memory after ${steps} pictures`, mb, most, `after text ${mb(least("text", peak))}`, least("text", peak)),
    row("the same", mb, most, `after ${fewer} ${mb(least("half", peak))}`, least("half", peak), noMore),
  ];
}

type Name = "agent" | "bare" | "half" | "text";

function row(
  what: string,
  format: (value: number) => string,
  mine: number,
  beside: string,
  other: number,
  aim?: number,
): Row {
  const ratio = mine / other;
  return {
    what,
    figure: format(mine),
    beside,
    ratio,
    aim: aim === undefined ? "" : `<= ${aim} x`,
    kept: ratio <= (aim ?? ratio),
  };
}
