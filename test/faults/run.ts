/**
 * The fault loop: `npm run test:faults`. Every named point x every kind of fault, and a kill at every 7th system call of a kind;
 * `-- --all`: also every later time that a session comes to a point, and every system call. `-- --only TEXT` runs the named points
 * that contain it. Prints a table, then the failures; exit 1 where there are any, or where a point was never reached.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { buildFaultyAgent } from "./bundle.ts";
import { type CaseResult, inParallel, playCase, playWhole } from "./cases.ts";
import { troubleOf } from "./play-case.ts";
import { type Fault, faultKinds, faultText, lateral, pointNames } from "./points.ts";

const all = process.argv.includes("--all");
const only = process.argv.indexOf("--only");
const wanted = only === -1 ? "" : (process.argv[only + 1] ?? "");
const atATime = Math.max(2, availableParallelism());

interface Tried extends CaseResult {
  name: string;
  fault: Fault;
}

const agent = await buildFaultyAgent();
const folder = await mkdtemp(join(tmpdir(), "holdfast-reached-"));
const started = performance.now();
try {
  const reached = join(folder, "reached");
  const whole = await playWhole(agent, reached);
  const counts = new Map<string, number>();
  for (const name of (await readFile(reached, "utf8")).trim().split("\n"))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const faults = pointNames
    .filter((name) => name.includes(wanted))
    .flatMap((name) =>
      faultKinds.flatMap((kind) => timesOf(counts.get(name) ?? 1).map((nth): Fault => ({ name, nth, kind }))),
    );
  const tried = await inParallel(faults, atATime, async (fault): Promise<Tried> => {
    const first = lateral[fault.name];
    const faultsOfCase = first === undefined ? [fault] : [first, fault];
    const result = await playCase(agent, whole, faultsOfCase.map(troubleOf));
    if (result.struck < faultsOfCase.length) result.complaints.push("the point was not reached");
    return { ...result, name: fault.name, fault };
  });
  report(tried);
} finally {
  await rm(folder, { recursive: true, force: true });
  await agent.remove();
}

/** Which of the times a session comes to a point are tried. */
function timesOf(count: number): number[] {
  if (all) return Array.from({ length: count }, (_, index) => index + 1);
  return [...new Set([1, Math.ceil(count / 2), count])];
}

function report(tried: readonly Tried[]): void {
  for (const { fault, complaints, told } of tried.filter((one) => one.complaints.length > 0)) {
    console.log(`\nFAILED ${faultText(fault)}\n  ${complaints.join("\n  ")}\n${told.slice(0, 3000)}`);
  }
  const passed = tried.filter((one) => one.complaints.length === 0).length;
  console.log(`${pointNames.length} points x ${faultKinds.length} kinds, ${tried.length} cases: ${passed} passed`);
  console.log(`${((performance.now() - started) / 1000).toFixed(0)} s`);
  if (passed !== tried.length) process.exitCode = 1;
}
