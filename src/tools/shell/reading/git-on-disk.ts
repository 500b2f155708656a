import { lstatSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { PlannedCommand } from "../../../core/command.ts";
import { isInside } from "../../../files/boundary.ts";
import { NotFollowed, textAt } from "../../../files/git/bounded-text.ts";
import { type Repository, repositoriesFrom } from "../../../files/git/repository.ts";
import { fullName, readSettings } from "../../../files/git/settings.ts";
import { kernelPath } from "../../../files/kernel-path.ts";
import { isOurs } from "../../../files/owner.ts";
import { gitFolder } from "./git-folder.ts";
import { readGit } from "./git-words.ts";

/**
 * Tells whether `git diff` may compare folders, or files outside of its working tree, as they lie on the disk, with all that is in them: it does
 * where one of two words leads out of the working tree, or where it takes no repository there (`git-diff`, `--no-index`).
 */
export function comparesOnDisk({ argv, cwd }: PlannedCommand): boolean {
  const reading = argv[0] === "git" ? readGit(argv.slice(1)) : undefined;
  if (reading?.verb !== "diff") return false;
  const words = [...reading.operands, ...(reading.paths ?? [])];
  if (words.length < 2) return false;
  const folder = gitFolder(argv, cwd);
  if (folder === undefined) return true;
  const top = takenTop(folder);
  if (top !== undefined)
    return words.some((word) => ![resolve(folder, word), kernelPath(folder, word)].every((at) => isInside(top, at)));
  // Files that are named are judged by their names.
  return words.some((word) => !isInside(folder, resolve(folder, word)) || isFolder(join(folder, word)));
}

/** The top of the working tree that git surely takes the folder to be in; undefined where there may be none. */
function takenTop(folder: string): string | undefined {
  try {
    const found = repositoriesFrom(folder).find(({ isSure }) => isSure);
    return found !== undefined && !found.isBare && isTaken(found, folder) ? found.at : undefined;
  } catch (error) {
    if (error instanceof NotFollowed) return undefined;
    throw error;
  }
}

/** Git takes no repository of another user, of a form that it does not know, or on another file system than the folder. @throws NotFollowed */
function isTaken({ at, own, common }: Repository, folder: string): boolean {
  const device = statSync(folder, { throwIfNoEntry: false })?.dev;
  const isOwn = [at, join(at, ".git"), own].every((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found !== undefined && isOurs(found.uid) && (path !== at || found.dev === device);
  });
  return isOwn && readSettings(textAt(join(common, "config")) ?? "").every((setting) => isKnownForm(setting));
}

const forms = /^(?:worktreeconfig|objectformat|preciousobjects|noop)$/u;
const isKnownForm = (setting: Parameters<typeof fullName>[0] & { value: string | undefined }): boolean =>
  setting.section === "extensions"
    ? forms.test(setting.key)
    : fullName(setting) !== "core.repositoryformatversion" || /^[01]$/u.test(setting.value ?? "");

const isFolder = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false; // below a file, or not to be looked at
  }
};
