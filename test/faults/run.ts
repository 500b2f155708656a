/**
 * The fault loop: `npm run test:faults`. Every named point x every kind of fault: kills the first and the last time that a session
 * comes to it, throws the last time; a kill at each instant of a compaction with calls open, and at each point of a session whose call drives others; a kill at every 7th system call of each kind; system calls that fail; 50 races of two
 * drivers; which descriptors of the store are closed. `-- --all`: every time and every system call. `-- --only TEXT`: the lines of the table that contain it. `-- --within
 * MINUTES`: one of each line, then others of all lines, of which none is begun after that; those left out are counted. Which they are goes by the commit, or by `-- --seed TEXT`.
 * Prints how far it is, a table, then the failures; exit 1 where there are any, or where a point was never reached.
 */
import { mkdir, readdir, readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { buildFaultyAgent, type FaultyAgent } from "./bundle.ts";
import { type CaseResult, inParallel, playCase, playWhole } from "./cases.ts";
import { playChildren } from "./children/play.ts";
import { type ChildrenScene, childrenScenes } from "./children/scenes.ts";
import { playCompaction } from "./compaction/play.ts";
import { instants, scenes } from "./compaction/scenes.ts";
import { withoutMounts } from "./mounts.ts";
import { commitTried, type InTurn, inTurn } from "./order.ts";
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
const seed = givenFor("--seed") ?? commitTried();
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

/** One fault that is to be tried: its line of the table, and how it is played. */
interface Case extends InTurn {
  row: string;
  column: string;
  play(): Promise<Pick<CaseResult, "struck" | "complaints" | "told">>;
  /** So many faults have to come to pass in it; none where a session may end before it. */
  due: number;
}

/** @param folder for what is only needed while it runs */
async function tryAll(agent: FaultyAgent, folder: string): Promise<boolean> {
  const report = new Report(
    `faults of ${pointNames.length} points x ${faultKinds.length} kinds, system calls and races`,
  );
  const cases = await casesOf(report, agent, folder);
  report.expect(cases.length);
  const isShort = within !== Number.POSITIVE_INFINITY;
  if (isShort) console.log(`in the order of --seed ${seed}`);
  const places = new Set(cases.map(({ place }) => place)).size;
  await inParallel(isShort ? inTurn(cases, seed) : cases, atATime, async (one, index) => {
    if (index >= places && report.minutes > within) return report.leaveOut(one.row);
    const { struck, complaints, told } = await one.play();
    const missed = struck < one.due ? ["the point was not reached"] : [];
    const { row, column, name } = one;
    report.add({
      row,
      column,
      name,
      complaints: [...complaints, ...missed],
      told,
      struck: struck >= Math.max(1, one.due),
    });
  });
  if (withoutStrace() === undefined && isWanted(ofDescriptors)) await tryDescriptors(report, agent);
  return report.end(cannot());
}

async function casesOf(report: Report, agent: FaultyAgent, folder: string): Promise<Case[]> {
  const reached = join(folder, "reached");
  const whole = await playWhole(agent, { env: { HOLDFAST_REACHED: reached } });
  const cases = ofPoints(agent, whole, (await readFile(reached, "utf8")).trim().split("\n"));
  cases.push(...ofCompactions(agent));
  for (const [index, scene] of childrenScenes.entries())
    cases.push(...(await ofScene(report, agent, scene, join(folder, `reached-with-children-${index}`))));
  if (isWanted(ofDrivers)) cases.push(...ofRaces(agent));
  if (withoutStrace() === undefined && systemCalls.some((call) => isWanted(rowOf(call))))
    cases.push(...(await ofSystemCalls(agent, whole, join(folder, "traces"))));
  return cases;
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

function ofPoints(agent: FaultyAgent, whole: Picture, reached: readonly string[]): Case[] {
  const count = (name: string) => Math.max(1, reached.filter((one) => one === name).length);
  const faults = pointNames
    .filter((name) => isWanted(name) && !ofChildren.includes(name))
    .flatMap((name) =>
      faultKinds.flatMap((kind) => timesOf(kind, count(name)).map((nth): Fault => ({ name, nth, kind }))),
    );
  return faults.map((fault) => {
    const first = lateral[fault.name];
    const both = first === undefined ? [fault] : [first, fault];
    const play = () => playCase(agent, whole, both.map(troubleOf));
    return { row: fault.name, place: fault.name, column: fault.kind, name: faultText(fault), due: both.length, play };
  });
}

/** Kills while the talk is summed up and calls are open: at each instant of it, in each scene. */
function ofCompactions(agent: FaultyAgent): Case[] {
  return scenes
    .map((scene) => ({ scene, row: `compaction: ${scene.name}` }))
    .filter(({ row }) => isWanted(row))
    .flatMap(({ scene, row }) =>
      instants.map((instant) => ({
        ...{ row, place: row, column: "kill", name: `${row}: killed at ${instant}`, due: 0 },
        play: () => playCompaction(agent, scene, instant),
      })),
    );
}

/** Kills of a session whose calls drive others: while they come to their questions, and while these are answered. */
async function ofScene(report: Report, agent: FaultyAgent, scene: ChildrenScene, folder: string): Promise<Case[]> {
  const row = scene.name;
  if (!isWanted(row)) return [];
  await mkdir(folder);
  const whole = await playChildren(agent, undefined, { scene, reached: folder });
  for (const complaint of whole.complaints) {
    report.expect(1);
    report.add({ row, column: "kill", name: row, ...whole, complaints: [complaint], struck: true });
  }
  const ofProcess = async (index: number): Promise<string[]> =>
    (await readFile(join(folder, String(index)), "utf8")).trim().split("\n");
  return (await Promise.all([0, 1].map(ofProcess))).flatMap((reached, index) =>
    [...new Set(reached)].flatMap((point) => {
      const count = reached.filter((one) => one === point).length;
      const times = all ? timesOf("kill", count) : [Math.ceil(count / 2)];
      const later = index === 1;
      return times.map((nth) => {
        const fault: Fault = { name: point, nth, kind: "kill" };
        const name = `${row}${later ? ", their questions answered" : ""}: ${faultText(fault)}`;
        const place = ofChildren.includes(point) ? `${row}: ${point}` : row;
        return { row, place, column: "kill", name, due: 0, play: () => playChildren(agent, fault, { scene, later }) };
      });
    }),
  );
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

async function ofSystemCalls(agent: FaultyAgent, whole: Picture, traces: string): Promise<Case[]> {
  await playWhole(agent, counted(traces));
  const counts = await countsIn(traces, await readdir(traces));
  return [...deathsAt(counts), ...failuresAt(counts)]
    .filter(({ row }) => isWanted(row))
    .map(({ trouble, ...one }) => ({ ...one, place: one.row, due: 0, play: () => playCase(agent, whole, [trouble]) }));
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

const ofRaces = (agent: FaultyAgent): Case[] =>
  Array.from({ length: races }, (_, index) => ({
    ...{ row: ofDrivers, place: ofDrivers, column: "race", name: `race ${index + 1}`, due: 1 },
    play: async () => ({ struck: 1, complaints: await raceTwoDrivers(agent), told: "" }),
  }));

const folder = await openQuickFolder();
if (!(await tryAll(await buildFaultyAgent(join(folder, "agent")), folder))) process.exitCode = 1;
