/**
 * The fault loop: `npm run test:faults`. Every named point x every kind of fault, the first and the last time that a session comes
 * to it; a kill at every 7th system call of each kind; 50 races of two drivers. `-- --all`: every time and every system call.
 * `-- --only TEXT`: the named points that contain it. Prints a table, then the failures; exit 1 where there are any, or where a point was
 * never reached.
 */
import { rmSync } from "node:fs";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { buildFaultyAgent, type FaultyAgent } from "./bundle.ts";
import { type CaseResult, inParallel, playCase, playWhole } from "./cases.ts";
import type { Picture } from "./picture.ts";
import { troubleOf } from "./play-case.ts";
import { type Fault, faultKinds, faultText, lateral, pointNames } from "./points.ts";
import { raceTwoDrivers } from "./race.ts";
import { counted, countsIn, killedAt, withoutStrace } from "./system-calls.ts";

/** One line of the table's failures. */
interface Tried {
  row: string;
  column: string;
  name: string;
  complaints: readonly string[];
  told: string;
}

const all = process.argv.includes("--all");
const only = process.argv.indexOf("--only");
const wanted = only === -1 ? undefined : (process.argv[only + 1] ?? "");
/** One more than there are cores: each case waits for its disk now and then. */
const atATime = availableParallelism() + 1;
const races = 50;

/** @param folder for what is only needed while it runs */
async function tryAll(agent: FaultyAgent, folder: string): Promise<void> {
  const reached = join(folder, "reached");
  const whole = await playWhole(agent, { env: { HOLDFAST_REACHED: reached } });
  const points = await tryPoints(agent, whole, (await readFile(reached, "utf8")).trim().split("\n"));
  table(points);
  const cannot = withoutStrace();
  const calls =
    wanted === undefined && cannot === undefined ? await trySystemCalls(agent, whole, join(folder, "traces")) : [];
  table(calls);
  const drivers = wanted === undefined ? await tryRaces(agent) : [];
  table(drivers);
  if (cannot !== undefined) console.log(`Not provoked on this machine, because ${cannot}: a kill at a system call.`);
  summarise([...points, ...calls, ...drivers]);
}

async function tryPoints(faulty: FaultyAgent, whole: Picture, reached: readonly string[]): Promise<Tried[]> {
  const count = (name: string) => Math.max(1, reached.filter((one) => one === name).length);
  const faults = pointNames
    .filter((name) => name.includes(wanted ?? ""))
    .flatMap((name) => faultKinds.flatMap((kind) => timesOf(count(name)).map((nth): Fault => ({ name, nth, kind }))));
  return inParallel(faults, atATime, async (fault): Promise<Tried> => {
    const first = lateral[fault.name];
    const both = first === undefined ? [fault] : [first, fault];
    const result = await playCase(faulty, whole, both.map(troubleOf));
    const missed = result.struck < both.length ? ["the point was not reached"] : [];
    return tried(fault.name, fault.kind, faultText(fault), {
      ...result,
      complaints: [...result.complaints, ...missed],
    });
  });
}

/** Which of the times that a session comes to a point are tried. */
function timesOf(count: number): number[] {
  if (all) return Array.from({ length: count }, (_, index) => index + 1);
  return [...new Set([1, count])];
}

async function trySystemCalls(faulty: FaultyAgent, whole: Picture, traces: string): Promise<Tried[]> {
  await playWhole(faulty, counted(traces));
  const counts = await countsIn(traces, await readdir(traces));
  const deaths = [...counts].flatMap(([call, count]) => {
    const step = all ? 1 : Math.min(7, Math.max(1, Math.floor(count / 3)));
    return Array.from({ length: Math.ceil(count / step) }, (_, index) => ({ call, nth: 1 + index * step }));
  });
  return inParallel(deaths, atATime, async ({ call, nth }): Promise<Tried> => {
    const result = await playCase(faulty, whole, [killedAt(call, nth)]);
    return tried(`system call ${call}`, "kill", `kill at ${call} ${nth}`, result);
  });
}

async function tryRaces(faulty: FaultyAgent): Promise<Tried[]> {
  return inParallel(Array.from({ length: races }), 2, async (_, index): Promise<Tried> => {
    const complaints = await raceTwoDrivers(faulty);
    return tried("two drivers at once", "race", `race ${index + 1}`, { complaints, told: "" });
  });
}

function tried(row: string, column: string, name: string, result: Pick<CaseResult, "complaints" | "told">): Tried {
  const { complaints, told } = result;
  return { row, column, name, complaints, told };
}

function table(cases: readonly Tried[]): void {
  for (const row of new Set(cases.map((one) => one.row))) {
    const cells = [...faultKinds, "race"].flatMap((column) => {
      const here = cases.filter((one) => one.row === row && one.column === column);
      return here.length === 0 ? [] : [`${column} ${here.filter(passes).length}/${here.length}`];
    });
    console.log(`${row.padEnd(44)}${cells.map((cell) => cell.padEnd(14)).join("")}`.trimEnd());
  }
}

function summarise(cases: readonly Tried[]): void {
  const failures = cases.filter((one) => !passes(one));
  for (const { name, complaints, told } of failures)
    console.log(`\nFAILED ${name}\n  ${complaints.join("\n  ")}\n${told}`);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const points = new Set(cases.map(({ row }) => row).filter((row) => pointNames.includes(row))).size;
  console.log(
    `\nfaults: ${points} points x ${faultKinds.length} kinds, system calls and races: ${cases.length} cases, ` +
      `${cases.length - failures.length} passes, ${failures.length} failures, ${seconds} s`,
  );
  if (failures.length > 0 || cases.length === 0) process.exitCode = 1;
}

function passes({ complaints }: Tried): boolean {
  return complaints.length === 0;
}

const started = performance.now();
const folder = await mkdtemp(join(tmpdir(), "holdfast-faults-"));
// All that the cases make lies below one folder, which goes however this ends.
process.env["TMPDIR"] = folder;
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  process.once(signal, () => process.exit(code));
await tryAll(await buildFaultyAgent(), folder);
