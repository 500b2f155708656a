import { realpathSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { KeptJob, KeptOutputs } from "../../../src/core/kept-outputs.ts";
import type { ToolResult } from "../../../src/core/tool.ts";
import { type ExecuteOptions, executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { createDefaultTools } from "../../../src/tools/create-default-tools.ts";
import type { ShellSettings } from "../../../src/tools/shell/running/surroundings.ts";
import { tempTree } from "../temp-tree.ts";

/** Kept in memory, as a session's journal keeps them. */
export function keptInMemory(): KeptOutputs & {
  all: Map<string, { bytes: Uint8Array; job?: KeptJob }>;
} {
  const all = new Map<string, { bytes: Uint8Array; job?: KeptJob }>();
  return {
    all,
    keep: async (callId, bytes, job) => void all.set(callId, { bytes, ...(job === undefined ? {} : { job }) }),
    of: (callId) => {
      const { bytes, job } = all.get(callId) ?? {};
      if (bytes === undefined || job === undefined) return bytes && { bytes };
      return { bytes, job: job === "running" ? job : "ended" };
    },
  };
}

/** The default tools in a workspace of their own, whose commands get these settings, else no sandbox; ended after the test. */
export function shellStage(shell: Partial<ShellSettings> = {}, folder = tempTree()) {
  const workspace = realpathSync(folder);
  const tools = createDefaultTools({ workspace, shell: { sandbox: "off", ...shell } });
  onTestFinished(async () => {
    for (const tool of tools) await tool.dispose?.();
  });
  const outputs = keptInMemory();
  let calls = 0;
  const call = (name: string, args: object, more: Partial<ExecuteOptions> = {}): Promise<ToolResult> => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no ${name}`);
    calls += 1;
    return executeTool(tool, args, { workspace, outputs, callId: `c${calls}`, ...more });
  };
  return {
    workspace,
    outputs,
    tools,
    path: (name: string) => join(workspace, name),
    call,
    run: (command: string, more: object = {}, options: Partial<ExecuteOptions> = {}) =>
      call("shell", { command, ...more }, options),
  };
}
