import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, resolve } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { isOurs } from "../../files/owner.ts";
import { ownPlaces as words } from "../../words/en/own-places.ts";
import { CliProblem } from "../problem.ts";
import { type PathStep, wayTo } from "./path-steps.ts";
import type { Places } from "./places.ts";

/**
 * Makes sure that the agent's own files can have their folders. One that the person named is made; the usual ones are made when
 * they are needed.
 * @param home the person's own folder: who can change what is on the way to it decides for them anyway
 * @throws CliProblem of the store, naming the folder; of the configuration where others can change what is in it.
 */
export function checkHome(places: Places, named: boolean, home: string | undefined): void {
  const folders = [...new Set([places.configDir, places.dataDir])];
  for (const folder of folders) {
    try {
      if (named) makeFolder(folder);
      else checkWay(folder);
    } catch (cause) {
      throw unusable(folder, cause);
    }
  }
  const { config, policy, grants, trust, memories, database, history, logs, shell } = places;
  const files = [config, policy, grants, trust, memories, database, `${database}-wal`, history, logs, shell];
  checkOwners([...folders, ...files], home);
}

/**
 * Checks that nobody else can change the files that decide for the person, or those with the person's own words: each belongs to this user
 * or to root, and others cannot write it; nor can a group, but for the user's own. Nobody else can put another thing in its place either:
 * so are the folders on the way to it, but that others may write into one where each may change only what is their own (/tmp), and that one
 * of the system's may belong to whom "/" belongs to (in a user namespace not to root).
 * @throws CliProblem of the configuration, with the command that mends it.
 */
function checkOwners(paths: readonly string[], home: string | undefined): void {
  if (process.geteuid === undefined) return;
  const known = new Set(home === undefined ? [] : [resolve(home), ...passedTo(home).map(({ path }) => path)]);
  const byOwnGroup: string[] = [];
  for (const place of paths) {
    const passed = passedTo(place).filter(({ path }) => !known.has(path));
    const end = lookAt(place);
    // A pipe, a socket or a device is refused by whoever reads it.
    if (end?.isFile() === true || end?.isDirectory() === true) passed.push({ path: place, found: end });
    for (const one of passed) {
      known.add(one.path);
      if (checkOne(place, one) === "own group") byOwnGroup.push(one.path);
    }
  }
  const [widened] = byOwnGroup.filter(hasAcl);
  if (widened !== undefined) throw writable(widened, words().byList);
}

/** @returns whether the user's own group can write it too. */
function checkOne(place: string, { path, found }: PathStep): "own group" | undefined {
  const isEnd = path === place && !found.isSymbolicLink();
  const isSystems = !isEnd && found.uid === lookAt("/")?.uid;
  if (!isOurs(found.uid) && !isSystems) throw isEnd ? foreign(path, found.uid) : foreignWay(place, { path, found });
  const sticky = !isEnd && (found.mode & 0o1000) !== 0;
  if (found.isSymbolicLink() || sticky) return undefined;
  if ((found.mode & 0o002) !== 0) throw writable(path, words().everybody);
  if ((found.mode & 0o020) === 0) return undefined;
  if (found.gid !== primaryGroup()) throw writable(path, words().group);
  return "own group";
}

function passedTo(path: string): PathStep[] {
  try {
    return wayTo(path);
  } catch (cause) {
    const hint = words().linksHint;
    throw new CliProblem("configuration", (cause as Error).message, { hint, cause });
  }
}

/**
 * Tells whether it has an access control list: there the group's bit stands for whomever that names. Node cannot read it; ls marks it with
 * a "+".
 */
function hasAcl(path: string): boolean {
  const { stdout } = spawnSync("/bin/ls", ["-ldnL", "--", path], { encoding: "utf8", env: { LC_ALL: "C" } });
  return /^[a-zA-Z-]{10}\+/.test(stdout ?? "");
}

function foreign(path: string, uid: number): CliProblem {
  const mine = process.geteuid?.();
  const hint = words().foreignHint({ mine, path: quoted(path) });
  return new CliProblem("configuration", words().foreign({ path, uid }), { hint });
}

function foreignWay(place: string, { path, found }: PathStep): CliProblem {
  const text = words().foreignWay({ place, isLink: found.isSymbolicLink(), uid: found.uid, path });
  return new CliProblem("configuration", text, { hint: words().foreignWayHint });
}

function writable(path: string, who: string): CliProblem {
  const hint = words().writableHint({ path: quoted(path) });
  return new CliProblem("configuration", words().writable({ path, who }), { hint });
}

const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/** Of the user, as the system has it: a process may run under another one. */
export function primaryGroup(): number | undefined {
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
    if (found !== undefined) throw new Error(words().noFolder({ path: at }));
  }
}

function lookAt(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (["ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

function unusable(folder: string, cause: unknown): CliProblem {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CliProblem("store", words().unusable({ folder, reason }), {
    hint: words().unusableHint,
    cause,
  });
}
