import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { isOurs } from "../../files/owner.ts";
import { CliProblem } from "../problem.ts";
import type { Places } from "./places.ts";

/**
 * Makes sure that the agent's own files can have their folders. One that the person named is made; the usual ones are made when
 * they are needed.
 * @throws CliProblem of the store, naming the folder; of the configuration where others can change what is in it.
 */
export function checkHome(places: Places, named: boolean): void {
  for (const folder of new Set([places.configDir, places.dataDir])) {
    try {
      if (named) makeFolder(folder);
      else checkWay(folder);
    } catch (cause) {
      throw unusable(folder, cause);
    }
    checkOwner(folder);
  }
  const { config, policy, grants, trust, memories, database, history } = places;
  for (const file of [config, policy, grants, trust, memories, database, history]) checkOwner(file);
}

/**
 * What decides for the person, and what they said, is changed by nobody else: it belongs to this user or to root, and others
 * cannot write it; nor can a group, but for the user's own.
 * @throws CliProblem of the configuration, with the command that mends it.
 */
function checkOwner(path: string): void {
  const found = lookAt(path);
  const mine = process.geteuid?.();
  if (found === undefined || mine === undefined) return;
  const quoted = `'${path.replaceAll("'", "'\\''")}'`;
  if (!isOurs(found.uid)) {
    const hint = `if it is to be yours: sudo chown -R ${mine} ${quoted}; else set AGENT_HOME to a folder of your own`;
    throw new CliProblem("configuration", `${path} belongs to another user (uid ${found.uid})`, { hint });
  }
  const byGroup = (found.mode & 0o020) !== 0 && found.gid !== primaryGroup();
  if ((found.mode & 0o002) === 0 && !byGroup) return;
  const who = byGroup ? "its group" : "everybody";
  const hint = `look at what is in it, then: chmod go-w ${quoted}`;
  throw new CliProblem("configuration", `${path} can be written by ${who}`, { hint });
}

/** Of the user, as the system has it: a process may run under another one. */
function primaryGroup(): number | undefined {
  try {
    return userInfo().gid;
  } catch {
    return process.getegid?.();
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
