import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { z } from "zod";
import { defineTool, type Tool } from "../../src/core/tool.ts";
import { asBuiltIn } from "../../src/tools/built-in.ts";
import { createDefaultTools as createOwnTools } from "../../src/tools/create-default-tools.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { reach } from "./hook.ts";
import { driftingFile, personsLine } from "./session.ts";

/** As an editor does it that keeps what it saved. */
function append(path: string, text: string): void {
  const file = openSync(path, "a");
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
}

/** Adds a line to a log outside of all that the agent knows: what cannot be taken back, and must not happen twice. */
function createAppendTool(log: string): Tool {
  return defineTool({
    name: "append_log",
    description: "Appends a line to the log.",
    args: z.strictObject({ note: z.string() }),
    risk: "medium",
    effect: "once",
    execute: async ({ note }, { callId }) => {
      reach("effect about to happen");
      append(log, `${JSON.stringify({ callId, note, pid: process.pid })}\n`);
      reach("effect happened");
      return `appended ${note}`;
    },
  });
}

/** While this edit is applied the person saves the file themselves, once. */
function disturbed(tool: Tool): Tool {
  return {
    ...tool,
    execute: async (args, ctx) => {
      if ((args as { file_path?: string }).file_path === driftingFile) {
        const path = `${ctx.workspace}/${driftingFile}`;
        if (!readFileSync(path, "utf8").includes(personsLine)) append(path, personsLine);
      }
      return tool.execute(args, ctx);
    },
  };
}

/** The agent's tools, and those that the faults are tried on. */
export function createDefaultTools(options: Parameters<typeof createOwnTools>[0]): Tool[] {
  const log = process.env["HOLDFAST_EFFECTS"];
  if (log === undefined) throw new Error("HOLDFAST_EFFECTS names no log");
  const { shell } = options;
  // Commands write into the log too, though it lies outside of the workspace.
  const toLog = { env: { ...shell?.env, EFFECTS: log }, shellEnv: ["EFFECTS"], sandboxWrite: [log] };
  const own = createOwnTools({ ...options, shell: { ...shell, ...toLog } }).map((tool) =>
    tool.name === "edit_file" ? asBuiltIn(disturbed(tool)) : tool,
  );
  return [...own, createAppendTool(log), askHelpers()];
}
