import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Flags } from "./flags.ts";
import type { Io } from "./io.ts";
import { CliProblem } from "./problem.ts";

/** The folder that the command was started in. @throws CliProblem where it is gone */
export function startFolder(io: Io): string {
  try {
    return io.cwd();
  } catch (cause) {
    throw new CliProblem("usage", "the folder that this was started in is not there any more", { cause });
  }
}

/** The workspace that `-C` names, or the folder the command was started in. @throws CliProblem where there is none. */
export async function workspaceOf(io: Io, flags: Flags): Promise<string> {
  const asked = resolve(startFolder(io), flags.cwd ?? ".");
  // Node reads bytes that are no UTF-8 as this character: the path then names no folder, or another one.
  if (asked.includes("\ufffd"))
    throw new CliProblem("usage", `the path of the folder is not UTF-8: ${asked}`, {
      hint: "rename it, or the folder above it that is not",
    });
  const real = await realpath(asked).catch((cause: unknown) => {
    throw new CliProblem("usage", `there is no folder ${asked}`, { cause });
  });
  if (!(await stat(real)).isDirectory()) throw new CliProblem("usage", `${asked} is not a folder`);
  return real;
}
