import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { typed as typedWords } from "../words/en/typed.ts";
import type { Flags } from "./flags.ts";
import type { Io } from "./io.ts";
import { CliProblem } from "./problem.ts";

/** The folder that the command was started in. @throws CliProblem where it is gone */
export function startFolder(io: Io): string {
  try {
    return io.cwd();
  } catch (cause) {
    throw new CliProblem("usage", typedWords().folderGone, { cause });
  }
}

/** The workspace that `-C` names, or the folder the command was started in. @throws CliProblem where there is none. */
export async function workspaceOf(io: Io, flags: Flags): Promise<string> {
  const asked = resolve(startFolder(io), flags.cwd ?? ".");
  // Node reads bytes that are no UTF-8 as this character: the path then names no folder, or another one.
  if (asked.includes("\ufffd"))
    throw new CliProblem("usage", typedWords().notUtf8({ folder: asked }), { hint: typedWords().notUtf8Hint });
  const real = await realpath(asked).catch((cause: unknown) => {
    throw new CliProblem("usage", typedWords().noFolder({ folder: asked }), { cause });
  });
  if (!(await stat(real)).isDirectory()) throw new CliProblem("usage", typedWords().isNoFolder({ folder: asked }));
  return real;
}
