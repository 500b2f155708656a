/**
 * Breaks the code on purpose, one place at a time, and counts what no test notices: `npm run test:mutants`. `-- TEXT`: only the files
 * whose path contains it. What is left and why: survivors.md beside this file.
 */
import { spawnSync } from "node:child_process";

/** What is broken, and the tests that are to notice: those that say what it does, none that start a program. */
const targets: Readonly<Record<string, readonly string[]>> = {
  "src/core/call.ts": ["test/core/call.test.ts"],
  "src/policy/decide.ts": ["decide", "decide-commands", "lists", "hosts", "grants", "path-judge"].map(
    (name) => `test/policy/${name}.test.ts`,
  ),
  "src/core/digest.ts": ["test/core/digest.test.ts"],
  "src/graph/calls/evidence.ts": [
    "graph/calls/evidence",
    "graph/calls/unseen",
    "graph/nodes/recovery",
    "records/undo/undo-part",
  ].map((name) => `test/${name}.test.ts`),
  "src/store/sqlite/sessions/leases.ts": [
    "sqlite/sessions/leases",
    "checkpoints/late-puts",
    "sqlite/sessions/sessions",
  ].map((name) => `test/store/${name}.test.ts`),
  "src/files/boundary.ts": ["test/files/boundary.test.ts"],
  "src/cli/terminal/sanitise.ts": ["test/cli/terminal/sanitise.test.ts"],
};

const only = process.argv[2] ?? "";
for (const [file, tests] of Object.entries(targets).filter(([path]) => path.includes(only))) {
  const env = { ...process.env, HOLDFAST_MUTANT_TESTS: tests.join(",") };
  const { status } = spawnSync("npx", ["stryker", "run", "--mutate", file], { stdio: "inherit", env });
  if (status !== 0) process.exitCode = 1;
}
