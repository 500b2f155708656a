import { onTestFinished } from "vitest";
import { pinRoots } from "../../src/files/pinned-roots.ts";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import type { Policy } from "../../src/policy/types.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { createToolContext, resultOf } from "../../src/tools/use/run-tool.ts";

/** The tool `shell` of a workspace, in the sandbox: lines are planned and judged as the graph does it, and those that may are run. */
export function shellStage(
  workspace: string,
  policy: Policy | (() => Policy),
  sandbox: "required" | "off" = "required",
  env: Readonly<Record<string, string | undefined>> = process.env,
) {
  const tools = createDefaultTools({ workspace, shell: { sandbox, env } });
  const tool = tools.find(({ name }) => name === "shell");
  if (tool === undefined) throw new Error("no shell");
  const pins = pinRoots(workspace);
  onTestFinished(async () => {
    for (const one of tools) await one.dispose?.();
    pins.close();
  });
  const prepare = (command: string, more = {}) =>
    prepareCall(
      tool,
      { command, ...more },
      createToolContext({ workspace, pins, cwd: workspace, callId: "c1" }),
      typeof policy === "function" ? policy() : policy,
    );
  const ready = async (command: string, more = {}) => {
    const prepared = await prepare(command, more);
    if (prepared.kind !== "ready") throw new Error(`${prepared.kind}: ${command}`);
    return prepared;
  };
  const judge = async (command: string): Promise<string> => {
    const prepared = await prepare(command);
    return prepared.kind === "ready" || prepared.kind === "denied" ? prepared.verdict.decision : prepared.kind;
  };
  /** Its decision, and what it says where nobody is asked. */
  const tried = async (command: string, more = {}): Promise<{ decision: string; output: string }> => {
    const prepared = await prepare(command, more);
    if (prepared.kind !== "ready") return { decision: prepared.kind, output: "" };
    const { decision } = prepared.verdict;
    if (decision !== "allow") return { decision, output: "" };
    const { output = "", error = "" } = await run(prepared);
    return { decision, output: output + error };
  };
  return { prepare, ready, judge, tried };
}

type Ready = Awaited<ReturnType<ReturnType<typeof shellStage>["ready"]>>;

export const run = async (prepared: Ready) => resultOf(await prepared.run(AbortSignal.timeout(30_000)));
