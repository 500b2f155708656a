import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Flags } from "./flags.ts";
import type { Io } from "./io.ts";
import { CliProblem } from "./problem.ts";
import type { Config } from "./settings/config.ts";

/** The workspace that `-C` names, or the folder the command was started in. @throws CliProblem where there is none. */
export async function workspaceOf(io: Io, flags: Flags): Promise<string> {
  const asked = resolve(io.cwd(), flags.cwd ?? ".");
  const real = await realpath(asked).catch((cause: unknown) => {
    throw new CliProblem("usage", `there is no folder ${asked}`, { cause });
  });
  if (!(await stat(real)).isDirectory()) throw new CliProblem("usage", `${asked} is not a folder`);
  return real;
}

const defaultModel = "openai:gpt-5";

/** The model's spec, from the first of flag, environment and settings that names one; OPENAI_MODEL is a bare name. */
export function modelOf(io: Io, flags: Flags, config: Config): string {
  const named = flags.model ?? (io.env["AGENT_MODEL"] || undefined) ?? config.model;
  if (named !== undefined) return named;
  const openai = io.env["OPENAI_MODEL"];
  return openai ? `openai:${openai}` : defaultModel;
}
