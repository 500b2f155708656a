import { spawn } from "node:child_process";
import type { ToolResult } from "../../src/core/tool.ts";
import { builtProgram } from "./built.ts";

export interface ProcessCalls {
  workspace: string;
  calls: { tool: string; args: object }[];
  /** The search program of grep. */
  rgPath?: string | undefined;
}

/** A process of its own for calls of default tools: a hang of one takes nobody along. `uid`: whose process it is. */
export async function startCalls(given: ProcessCalls, uid?: number) {
  const program = await builtProgram("test/support/call-tool.ts");
  return spawn(process.execPath, [program, JSON.stringify(given)], {
    stdio: ["ignore", "pipe", "inherit"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
}

/** A matcher that backtracks would take longer than the age of the world; a machine under load takes seconds. */
export const deadlineMs = 240_000;

/** The results of calls in a process of their own. Rejects where they do not end. */
export async function callsInProcess(given: ProcessCalls, uid?: number): Promise<ToolResult[]> {
  const child = await startCalls(given, uid);
  return new Promise((resolve, reject) => {
    let said = "";
    const late = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.once("close", (code, signal) => {
      clearTimeout(late);
      const results = said.split("\n").filter((line) => line !== "");
      if (code === 0) resolve(results.map((line) => JSON.parse(line) as ToolResult));
      else reject(new Error(`the calls did not end: ${signal ?? code} after ${results.length}`));
    });
  });
}
