/**
 * Many real processes on one store: `npm run test:soak`, ten minutes. From an empty home on: 2, 5, 16 and 50 runs at once in rounds, a long run and a chat
 * beside terminals that do short ones, readers beside writers, one session that many ask for; some are killed. After each the
 * store is checked by SQLite and by `sessions verify`, and all that was told must be there once. `-- --within MINUTES`: so much of
 * each scene as fits. `-- --only TEXT`: the scenes whose name contains it. `-- --program NODE AGENT`: a further
 * installation that works on the same stores, in turn with this one. Exit 1 where anything was wrong.
 */
import { agentCommand } from "../support/agent-command.ts";
import type { AgentProgram } from "./place.ts";
import { scenes } from "./scenes.ts";

const argv = process.argv.slice(2);
const after = (flag: string, at = 1): string | undefined =>
  argv.includes(flag) ? argv[argv.indexOf(flag) + at] : undefined;
const wholeMinutes = 10;
const share = Math.min(1, Number(after("--within") ?? wholeMinutes) / wholeMinutes);
const only = after("--only") ?? "";
const [node, agent] = [after("--program"), after("--program", 2)];
const programs: AgentProgram[] = [
  [agentCommand[0], agentCommand[1]],
  ...(node === undefined || agent === undefined ? [] : [[node, agent] as const]),
];

let [runs, killed, wrong] = [0, 0, 0];
const started = Date.now();
for (const scene of scenes.filter(({ name }) => name.includes(only))) {
  const from = Date.now();
  const played = await scene.play(programs, share);
  runs += played.runs;
  killed += played.killed;
  wrong += played.complaints.length;
  const seconds = ((Date.now() - from) / 1000).toFixed(0);
  console.log(
    `${scene.name}: ${played.runs} runs, ${played.killed} killed, ${played.complaints.length} wrong, ${seconds} s`,
  );
  for (const one of played.complaints.slice(0, 10)) console.log(`  WRONG ${one}`);
}
const seconds = ((Date.now() - started) / 1000).toFixed(0);
console.log(`\nmany processes on one store: ${runs} runs, ${killed} killed, ${wrong} wrong, ${seconds} s`);
if (wrong > 0 || runs === 0) process.exitCode = 1;
