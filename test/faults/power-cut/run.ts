/**
 * A power cut, modelled: `npm run test:power-cut`. The system calls of a session are recorded; for points along it the states are made
 * that a disk may hold when its power goes there; the session is gone on with on each. First those where it shows that something was not
 * synced in time, then a sample of the others, evenly over the session; `-- --all`: every point, and four chances of torn writes each.
 * `-- --within MINUTES`: of the others none is begun after that, and those left out are counted. `-- --only TEXT`: the cases whose name
 * contains it. Prints how far it is, a table, then the failures; exit 1 where there are any.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { buildFaultyAgent, type FaultyAgent } from "../bundle.ts";
import { openQuickFolder } from "../quick-folder.ts";
import { Report } from "../report.ts";
import { withoutStrace } from "../system-calls.ts";
import { aftermathOf, type Cut, cutsOf, isTelling, placeOf } from "./cuts.ts";
import { playCut } from "./play-cut.ts";
import { type Recording, record } from "./record.ts";

const all = process.argv.includes("--all");
const givenFor = (flag: string): string | undefined =>
  process.argv.includes(flag) ? (process.argv[process.argv.indexOf(flag) + 1] ?? "") : undefined;
const only = givenFor("--only") ?? "";
const within = Number(givenFor("--within") ?? Number.POSITIVE_INFINITY);
/** Each has a session of its own, and plays its cases one after another: the store names the place that it was made in. */
const lanes = availableParallelism();
const sample = 120;
const chances = all ? 4 : 1;

/** The part of all cuts that is one lane's: those that tell most, then all kinds from the first on. */
function ofLane(lane: number, recording: Recording): { cut: Cut; name: string; tells: boolean }[] {
  const named = cutsOf(recording, chances)
    .map((cut) => ({
      ...{ cut, tells: isTelling(recording, cut) },
      name: `power cut after ${cut.after} (${placeOf(recording, cut)}), ${cut.survival}`,
    }))
    .filter(({ name }) => name.includes(only));
  const others = shuffled(named.filter(({ tells }) => !tells));
  return [...named.filter(({ tells }) => tells), ...others].filter((_, index) => index % lanes === lane);
}

/** The same order each time. */
function shuffled<T>(items: readonly T[]): T[] {
  const golden = (Math.sqrt(5) - 1) / 2;
  return items
    .map((item, index) => ({ item, at: (index * golden) % 1 }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

/** Cuts that leave the same are one case. */
async function tryLane(report: Report, lane: number, recording: Recording): Promise<void> {
  const cuts = ofLane(lane, recording);
  const due = all ? cuts.length : Math.min(cuts.length, Math.ceil(sample / lanes));
  const seen = new Set<string>();
  report.expect(due);
  for (const { cut, name, tells } of cuts) {
    if (seen.size === due) break;
    const aftermath = aftermathOf(recording, cut);
    if (seen.has(aftermath.id)) continue;
    seen.add(aftermath.id);
    const row = placeOf(recording, cut);
    if (!tells && report.minutes > within) report.leaveOut(row);
    else {
      const { complaints, told } = await playCut(recording, aftermath);
      report.add({ row, column: cut.survival, name, complaints, told, struck: true });
    }
  }
  report.expect(seen.size - due);
}

async function tryAll(agent: FaultyAgent): Promise<boolean> {
  const report = new Report("power cuts");
  const recordings = await Promise.all(Array.from({ length: lanes }, () => record(agent)));
  await Promise.all(recordings.map((recording, lane) => tryLane(report, lane, recording)));
  await Promise.all(recordings.map(({ place }) => place.remove()));
  return report.end([]);
}

const missing = withoutStrace();
if (missing !== undefined) {
  console.log(`Not provoked on this machine: a power cut, since no session can be recorded: ${missing}`);
} else {
  const folder = await openQuickFolder();
  if (!(await tryAll(await buildFaultyAgent(join(folder, "agent"))))) process.exitCode = 1;
}
