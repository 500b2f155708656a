import { readFileSync } from "node:fs";
import { resultOf } from "../../../src/tools/use/run-tool.ts";
import { judgeOf } from "./judge.ts";
import type { Tree } from "./tree.ts";

/** What it is told: the lines of one tree and one setting. */
export interface TraceTask {
  tree: Pick<Tree, "workspace" | "home">;
  sandbox: "required" | "off";
  scratch: string;
  lines: string[];
}

/** What it says of each line, in a line of JSON; without an output it was not run, for it is asked about. */
export interface TraceSaid {
  line: string;
  output?: string;
}

/** So long a line may run: what waits for more to come is ended. */
const runMs = 10_000;

// It judges each line and runs those that are free as the tool does; whoever started it traces what it starts.
const task = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as TraceTask;
const { judge, dispose } = judgeOf(task.tree, task.sandbox, task.scratch);
for (const line of task.lines) {
  const { is, prepared } = await judge(line);
  if (is !== "free" || prepared.kind !== "ready") {
    process.stdout.write(`${JSON.stringify({ line } satisfies TraceSaid)}\n`);
    continue;
  }
  const { output, error, metadata } = resultOf(await prepared.run(AbortSignal.timeout(runMs)));
  if (error !== undefined && metadata?.["code"] !== "CANCELLED") throw new Error(`${line} was not run: ${error}`);
  process.stdout.write(`${JSON.stringify({ line, output } satisfies TraceSaid)}\n`);
}
await dispose();
