import type { PlannedCommand } from "../../../src/core/command.ts";
import type { Effect } from "../../../src/core/tool.ts";
import type { CallFacts, Decision, Grant, Mode, Policy, Rule } from "../../../src/policy/types.ts";
import { walkLine } from "../../../src/tools/shell/reading/walk.ts";

export const ws = "/ws";

export const emptyPolicy: Policy = {
  rules: [],
  grants: [],
  mode: "ask",
  sealed: { roots: ["/home/x/.config/holdfast", "/home/x/.local/share/holdfast"] },
};

export const policyWith = (more: Partial<Policy>): Policy => ({ ...emptyPolicy, ...more });
export const inMode = (mode: Mode): Policy => policyWith({ mode });

export const bareFacts = (tool: string, effect: Effect, more: Partial<CallFacts> = {}): CallFacts => ({
  tool,
  effect,
  paths: [],
  commands: [],
  hosts: [],
  workspace: ws,
  ...more,
});

const effects: Record<string, Effect> = {
  read_file: "none",
  ls: "none",
  glob: "none",
  grep: "none",
  write_file: "file",
  edit_file: "file",
  save_memory: "store",
  shell: "once",
};

/** A call of a file tool. `real` only where it differs from what was asked. */
export function onPath(tool: string, asked: string, real?: string): CallFacts {
  const effect = effects[tool] ?? "once";
  const place = real ?? (asked.startsWith("/") ? asked : `${ws}/${asked}`);
  const names = tool === "ls" || tool === "glob" ? { access: "names" as const } : {};
  return bareFacts(tool, effect, {
    ...names,
    paths: [{ asked, real: place, access: effect === "none" ? "read" : "write" }],
  });
}

/** The simple commands of a line, as they are read where there is no file. */
export function commandsOf(line: string): PlannedCommand[] {
  const walked = walkLine(line, { workspace: ws, cwd: ws, path: [] });
  if (typeof walked === "string") throw new Error(walked);
  return walked.commands;
}

export const running = (line: string): CallFacts => bareFacts("shell", "once", { commands: commandsOf(line) });

export const rule = (decision: Decision, more: Partial<Rule> = {}): Rule => ({
  tool: "edit_file",
  decision,
  why: "so it shall be",
  origin: { source: "user", file: "/home/x/.config/holdfast/policy.json", line: 4 },
  ...more,
});

export const grant = (more: Partial<Grant> = {}): Grant => ({
  id: "g-1",
  scope: "session",
  key: "brisk-otter-4f2a",
  tool: "edit_file",
  at: 0,
  why: "",
  ...more,
});
