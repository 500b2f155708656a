/**
 * The fault loop: `npm run test:faults`. Every named point x every kind of fault: kills the first and the last time that a session
 * comes to it, throws the last time; a kill at each instant of a compaction with calls open, and at each point of a session whose call drives others; a kill at every 7th system call of each kind; system calls that fail; 50 races of two
 * drivers; which descriptors of the store are closed. `-- --all`: every time and every system call. `-- --only TEXT`: the lines of the table that contain it. `-- --within
 * MINUTES`: no fault of a system call is begun after that, and those left out are counted. Prints how far it is, a table, then
 * the failures; exit 1 where there are any, or where a point was never reached.
 */
import { mkdir, readdir, readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { buildFaultyAgent, type FaultyAgent } from "./bundle.ts";
import { inParallel, playCase, playWhole } from "./cases.ts";
import { playChildren } from "./children/play.ts";
import { type ChildrenScene, childrenScenes } from "./children/scenes.ts";
import { playCompaction } from "./compaction/play.ts";
import { instants, scenes } from "./compaction/scenes.ts";
import { withoutMounts } from "./mounts.ts";
import type { Picture } from "./picture.ts";
import { type Trouble, troubleOf } from "./play-case.ts";
import { type Fault, type FaultKind, faultKinds, faultText, lateral, ofChildren, pointNames } from "./points.ts";
import { openQuickFolder } from "./quick-folder.ts";
import { raceTwoDrivers } from "./race.ts";
import { Report } from "./report.ts";
import { descriptorsOfStore } from "./store-descriptors.ts";
import {
  counted,
  countsIn,
  failingAt,
  failings,
  killedAt,
  type SystemCall,
  systemCalls,
  withoutStrace,
} from "./system-calls.ts";

const all = process.argv.includes("--all");
const givenFor = (flag: string): string | undefined =>
  process.argv.includes(flag) ? (process.argv[process.argv.indexOf(flag) + 1] ?? "") : undefined;
const only = givenFor("--only") ?? "";
const within = Number(givenFor("--within") ?? Number.POSITIVE_INFINITY);
const isWanted = (row: string): boolean => row.includes(only);
/** One more than there are cores: each case waits for its own processes now and then. */
const atATime = availableParallelism() + 1;
const races = 50;
const ofDrivers = "two drivers at once";
const ofDescriptors = "descriptors of the store";
const rowOf = (call: SystemCall): string => `system call ${call}`;
/** One fault of a system call, and how it is brought about. */
interface OfSystemCall {
  row: string;
  column: string;
  name: string;
  trouble: Trouble;
}

/** @param folder for what is only needed while it runs */
async function tryAll(agent: FaultyAgent, folder: string): Promise<boolean> {
  const report = new Report(
    `faults of ${pointNames.length} points x ${faultKinds.length} kinds, system calls and races`,
  );
  const reached = join(folder, "reached");
  const whole = await playWhole(agent, { env: { HOLDFAST_REACHED: reached } });
  await tryPoints(report, agent, whole, (await readFile(reached, "utf8")).trim().split("\n"));
  await tryCompactions(report, agent);
  for (const [index, scene] of childrenScenes.entries())
    await tryChildren(report, agent, scene, join(folder, `reached-with-children-${index}`));
  if (isWanted(ofDrivers)) await tryRaces(report, agent);
  if (withoutStrace() === undefined && isWanted(ofDescriptors)) await tryDescriptors(report, agent);
  if (withoutStrace() === undefined && systemCalls.some((call) => isWanted(rowOf(call))))
    await trySystemCalls(report, agent, whole, join(folder, "traces"));
  return report.end(cannot());
}

/** What is not provoked here, with the reason. */
function cannot(): string[] {
  const [traced, mounted] = [withoutStrace(), withoutMounts()];
  return [
    ...(traced === undefined ? [] : [`a kill at a system call, or one that fails: ${traced}`]),
    ...(mounted === undefined ? [] : [`a full or a read-only file system (disk-faults.long.test.ts): ${mounted}`]),
    "a power cut that takes what was not synced: see test:power-cut",
  ];
}

async function tryPoints(
  report: Report,
  agent: FaultyAgent,
  whole: Picture,
  reached: readonly string[],
): Promise<void> {
  const count = (name: string) => Math.max(1, reached.filter((one) => one === name).length);
  const faults = pointNames
    .filter((name) => isWanted(name) && !ofChildren.includes(name))
    .flatMap((name) =>
      faultKinds.flatMap((kind) => timesOf(kind, count(name)).map((nth): Fault => ({ name, nth, kind }))),
    );
  report.expect(faults.length);
  await inParallel(faults, atATime, async (fault) => {
    const first = lateral[fault.name];
    const both = first === undefined ? [fault] : [first, fault];
    const { struck, complaints, told } = await playCase(agent, whole, both.map(troubleOf));
    const missed = struck < both.length ? ["the point was not reached"] : [];
    report.add({
      row: fault.name,
      column: fault.kind,
      name: faultText(fault),
      complaints: [...complaints, ...missed],
      told,
      struck: missed.length === 0,
    });
  });
}

/** Kills while the talk is summed up and calls are open: at each instant of it, in each scene. */
async function tryCompactions(report: Report, agent: FaultyAgent): Promise<void> {
  const faults = scenes
    .map((scene) => ({ scene, row: `compaction: ${scene.name}` }))
    .filter(({ row }) => isWanted(row))
    .flatMap((one) => instants.map((instant) => ({ ...one, instant })));
  report.expect(faults.length);
  await inParallel(faults, atATime, async ({ scene, row, instant }) => {
    const { struck, complaints, told } = await playCompaction(agent, scene, instant);
    report.add({ row, column: "kill", name: `${row}: killed at ${instant}`, complaints, told, struck: struck > 0 });
  });
}

/** Kills of a session whose calls drive others: while they come to their questions, and while these are answered. */
async function tryChildren(report: Report, agent: FaultyAgent, scene: ChildrenScene, folder: string): Promise<void> {
  const row = scene.name;
  if (!isWanted(row)) return;
  await mkdir(folder);
  const whole = await playChildren(agent, undefined, { scene, reached: folder });
  const ofProcess = async (index: number): Promise<string[]> =>
    (await readFile(join(folder, String(index)), "utf8")).trim().split("\n");
  const faults = (await Promise.all([0, 1].map(ofProcess))).flatMap((reached, index) =>
    [...new Set(reached)].flatMap((name) => {
      const count = reached.filter((one) => one === name).length;
      const times = all ? timesOf("kill", count) : [Math.ceil(count / 2)];
      return times.map((nth) => ({ fault: { name, nth, kind: "kill" } satisfies Fault as Fault, later: index === 1 }));
    }),
  );
  report.expect(faults.length);
  for (const complaint of whole.complaints)
    report.add({ row, column: "kill", name: row, ...whole, complaints: [complaint], struck: true });
  await inParallel(faults, atATime, async ({ fault, later }) => {
    const { struck, complaints, told } = await playChildren(agent, fault, { scene, later });
    const name = `${row}${later ? ", their questions answered" : ""}: ${faultText(fault)}`;
    report.add({ row, column: "kill", name, complaints, told, struck: struck > 0 });
  });
}

/** No file of the store is closed beside a connection to it. */
async function tryDescriptors(report: Report, agent: FaultyAgent): Promise<void> {
  report.expect(2);
  for (const { name, complaints } of await descriptorsOfStore(agent))
    report.add({ row: ofDescriptors, column: "watched", name, complaints, told: "", struck: true });
}

/** Which of the times that a session comes to a point are tried. */
function timesOf(kind: FaultKind, count: number): number[] {
  if (all) return Array.from({ length: count }, (_, index) => index + 1);
  return kind === "kill" ? [...new Set([1, count])] : [count];
}

async function trySystemCalls(report: Report, agent: FaultyAgent, whole: Picture, traces: string): Promise<void> {
  await playWhole(agent, counted(traces));
  const counts = await countsIn(traces, await readdir(traces));
  const faults = evenly([...deathsAt(counts), ...failuresAt(counts)].filter(({ row }) => isWanted(row)));
  report.expect(faults.length);
  await inParallel(faults, atATime, async ({ row, column, name, trouble }) => {
    if (report.minutes > within) return report.leaveOut(row);
    const { struck, complaints, told } = await playCase(agent, whole, [trouble]);
    report.add({ row, column, name, complaints, told, struck: struck > 0 });
  });
}

/** In an order in which the first of them are of all kinds, so that no kind is left out alone. */
function evenly<T>(faults: readonly T[]): T[] {
  const stride = 8;
  return Array.from({ length: stride }, (_, offset) => faults.filter((_, at) => at % stride === offset)).flat();
}

function deathsAt(counts: ReadonlyMap<SystemCall, number>): OfSystemCall[] {
  return [...counts].flatMap(([call, count]) => {
    const step = all ? 1 : Math.min(7, Math.max(1, Math.floor(count / 3)));
    return Array.from({ length: Math.ceil(count / step) }, (_, index) => {
      const nth = 1 + index * step;
      const name = `kill at ${call} ${nth}`;
      return { row: rowOf(call), column: "kill", name, trouble: killedAt(call, nth) };
    });
  });
}

/** Each failure at so many places as it says, from the first time to the last. */
function failuresAt(counts: ReadonlyMap<SystemCall, number>): OfSystemCall[] {
  return failings.flatMap(({ places, ...failing }) => {
    const count = counts.get(failing.call) ?? 0;
    const many = Math.min(count, all ? count : places);
    return Array.from({ length: many }, (_, index) => {
      const nth = 1 + Math.floor((index * count) / many);
      const name = `${failing.error} at ${failing.call} ${nth}${failing.lasts === true ? " and later" : ""}`;
      return { row: rowOf(failing.call), column: failing.error, name, trouble: failingAt(failing, nth) };
    });
  });
}

async function tryRaces(report: Report, agent: FaultyAgent): Promise<void> {
  report.expect(races);
  await inParallel(Array.from({ length: races }), 2, async (_, index) => {
    const complaints = await raceTwoDrivers(agent);
    report.add({ row: ofDrivers, column: "race", name: `race ${index + 1}`, complaints, told: "", struck: true });
  });
}

const folder = await openQuickFolder();
if (!(await tryAll(await buildFaultyAgent(join(folder, "agent")), folder))) process.exitCode = 1;
