import { statSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { CliProblem } from "../problem.ts";
import type { Places } from "./places.ts";

/**
 * Makes sure that the agent's own files can have their folders. One that the person named is made; the usual ones are made when
 * they are needed.
 * @throws CliProblem of the store, naming the folder.
 */
export function checkHome(places: Places, named: boolean): void {
  for (const folder of new Set([places.configDir, places.dataDir])) {
    try {
      if (named) makeFolder(folder);
      else checkWay(folder);
    } catch (cause) {
      throw unusable(folder, cause);
    }
  }
}

/** That nothing but a folder is in its way. */
function checkWay(folder: string): void {
  for (let at = folder; ; at = dirname(at)) {
    const found = lookAt(at);
    if (found?.isDirectory() === true || dirname(at) === at) return;
    if (found !== undefined) throw new Error(`${at} is not a folder`);
  }
}

function lookAt(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

function unusable(folder: string, cause: unknown): CliProblem {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CliProblem("store", `the agent cannot keep its files in ${folder}: ${reason}`, {
    hint: "set AGENT_HOME to a folder that can be created and written",
    cause,
  });
}
