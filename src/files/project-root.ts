import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { repositoriesAbove } from "./git/hooks.ts";

/** The user's own folder, links resolved; undefined where there is none. */
export function homeFolder(): string | undefined {
  try {
    const home = homedir();
    return isAbsolute(home) && home !== "/" ? realpathSync(home) : undefined;
  } catch {
    return undefined; // this user has no entry, or the folder is not there
  }
}

/**
 * The root of the repository around a folder: who starts the agent in `.github/workflows` works in the same files as who starts it
 * above. A working tree of its own (`.claude/worktrees/a`) is whole. Undefined where there is none.
 */
export const repositoryRoot = (folder: string): string | undefined => repositoriesAbove(folder)[0];
