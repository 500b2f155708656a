import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../../files/boundary.ts";
import { NotFollowed, textAt } from "../../../files/git/bounded-text.ts";
import { hasData, type Repository, repositoriesAt, repositoriesFrom } from "../../../files/git/repository.ts";
import { hooksIn, type Running, runningIn, settingsFiles } from "../../../files/git/running.ts";
import { type UserSettings, userSettings } from "../../../files/git/user-settings.ts";
import { mayRunPrograms } from "../../../files/git/working-keys.ts";
import { kernelPath } from "../../../files/kernel-path.ts";

/** The programs or hooks that git may be made to run by the repository that a folder is in, and by those that its index leads into. */
export interface GitSettings {
  /** Programs, where git is only asked what there is. */
  obeysWhenRead: boolean;
  /**
   * Programs or hooks, whatever git is told to do, and the repository lies below the folders that the person works in, or inside of theirs as
   * a submodule: anybody may have made it.
   */
  obeysStranger: boolean;
}

/** The user as git sees them when it runs. */
export interface GitUser {
  home: string | undefined;
  /** XDG_CONFIG_HOME. */
  config?: string | undefined;
}

const any: GitSettings = { obeysWhenRead: true, obeysStranger: true };
const nobody: UserSettings = userSettings(undefined, undefined);

/**
 * @param cwd absolute, links followed; undefined where it may be any folder. What cannot be read may run anything.
 * @param reads git is only asked what there is: what a submodule would run then is no stranger's, for git can be kept from it.
 */
export function gitSettings(
  cwd: string | undefined,
  roots: readonly string[],
  reads = false,
  user: GitUser = { home: undefined },
): GitSettings {
  if (cwd === undefined) return any;
  try {
    const found = repositoriesFrom(cwd);
    const { runs, linksRun } = runningIn(found, userOf(user));
    const strangers = found.filter(({ at }) => !roots.some((root) => isInside(at, root)));
    return { obeysWhenRead: runs, obeysStranger: strangers.some(mayRun) || (!reads && linksRun) };
  } catch (error) {
    if (error instanceof NotFollowed) return any;
    throw error;
  }
}

/** Finds the settings that keep git in that folder from running anything, and all that they do not keep it from. @param cwd as above */
export function gitRunning(cwd: string | undefined, user: GitUser): Running {
  try {
    if (cwd !== undefined) return runningIn(repositoriesFrom(cwd), userOf(user));
  } catch (error) {
    if (!(error instanceof NotFollowed)) throw error;
  }
  return {
    runs: true,
    linksRun: true,
    hasNotes: true,
    writesObjects: true,
    settings: new Map(),
    beyond: ["which repository it is in is not known"],
  };
}

const userOf = ({ home, config }: GitUser): UserSettings => (home === undefined ? nobody : userSettings(home, config));

/** Tells whether a repository has hooks, or settings that may make git run a program. @throws NotFollowed */
const mayRun = (repository: Repository): boolean =>
  [repository.own, repository.common].some((folder) => hooksIn(join(folder, "hooks")).length > 0) ||
  settingsFiles(repository).some((file) => mayRunPrograms(textAt(file) ?? ""));

/** The number of entries of folders that are looked through for repositories, and the depth at which they lie, at most. */
const mostEntries = 50_000;
const mostDeep = 40;

/**
 * Tells whether the path that git is to take in is, or holds, a repository that would make it run something once the one around it knows it. A
 * folder that is not looked through to its end may. Folders that a .gitignore names are left out: git takes nothing from them by itself.
 * @param folder where git is, links followed. @param path relative to that; null for all of the working tree.
 */
export function holdsRunning(folder: string, path: string | null, user: GitUser): boolean {
  const own = userOf(user);
  try {
    const top = repositoriesFrom(folder).find(({ isSure }) => isSure)?.at;
    const from = path === null ? (top ?? folder) : kernelPath(folder, path);
    for (const at of foldersBelow(from)) {
      // The one that git is in is judged by itself.
      const inner = at === top ? [] : repositoriesAt(at).filter((one) => !one.isBare && hasData(one));
      if (runningIn(inner, own).runs) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof NotFollowed) return true;
    throw error;
  }
}

/** A folder and those below it. @throws NotFollowed where there are more than are looked through. */
function* foldersBelow(folder: string): Generator<string> {
  let entries = 0;
  const open = [{ at: folder, deep: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at, deep } = next;
    yield at;
    const ignored = ignoredNames(at);
    for (const { name, passed } of foldersIn(at)) {
      entries += passed;
      if (entries > mostEntries || deep > mostDeep) throw new NotFollowed(at);
      if (!ignored.has(name)) open.push({ at: join(at, name), deep: deep + 1 });
    }
  }
}

function foldersIn(folder: string): { name: string; passed: number }[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== ".git");
    return folders.map(({ name }) => ({ name, passed: entries.length / folders.length }));
  } catch {
    return [];
  }
}

/** Names that stand in a folder's .gitignore as they are, without a pattern. */
function ignoredNames(folder: string): Set<string> {
  const lines = (textAt(join(folder, ".gitignore")) ?? "").split("\n").map((line) => line.trim());
  if (lines.some((line) => line.startsWith("!"))) return new Set();
  return new Set(lines.map((line) => line.replace(/^\/|\/$/gu, "")).filter((name) => /^[\w.-]+$/u.test(name)));
}
