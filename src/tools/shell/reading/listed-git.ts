import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { PlannedCommand } from "../../../core/command.ts";
import { isInside } from "../../../files/boundary.ts";
import { bytesAt, NotFollowed, textAt } from "../../../files/git/bounded-text.ts";
import { repositoriesFrom } from "../../../files/git/repository.ts";
import { fullName, readSettings } from "../../../files/git/settings.ts";
import { gitFolder } from "./git-folder.ts";
import { leavesTree, readGit } from "./git-words.ts";
import { baseName } from "./wrappers.ts";

/*
 * A git that only lists the names of its index needs nothing else of its folder. So readers may stand beside it, whatever they read: in the
 * reading box the folder holds the index and what says how that is read, and no address, no object, no message.
 */

/** The data of a repository that git is shown to list its index. */
export interface ListedGit {
  /** Its folder. */
  at: string;
  config: string;
  index: Uint8Array;
}

/** A larger index is not held in memory. */
const mostBytes = 32_000_000;
/** Settings by which an index is read or names are written; the value of each is a word. */
const kept =
  /^core\.(?:repositoryformatversion|filemode|bare|ignorecase|precomposeunicode|symlinks|quotepath|logallrefupdates)$/u;

/** The repository of which all gits of the line list the index, and do nothing else; undefined where one does more, or it needs more. */
export function listedGit(commands: readonly PlannedCommand[], roots: readonly string[]): ListedGit | undefined {
  const gits = commands.filter(({ argv: [name] }) => name === null || baseName(name ?? "") === "git");
  if (gits.length === 0 || !gits.every(listsIndex)) return undefined;
  try {
    const [at, ...others] = [...new Set(gits.map(({ argv, cwd }) => folderOf(gitFolder(argv, cwd), roots)))];
    return at === undefined || others.length > 0 ? undefined : viewOf(at);
  } catch {
    return undefined; // it is not there, or cannot be followed
  }
}

function listsIndex({ argv: [name, ...words], assignments }: PlannedCommand): boolean {
  const reading = name === "git" && assignments.length === 0 ? readGit(words) : undefined;
  if (reading?.verb !== "ls-files" || !leavesTree(reading)) return false;
  // A pattern of git's own may ask for attributes.
  return ![...reading.operands, ...(reading.paths ?? [])].some((word) => word.startsWith(":"));
}

/** Git's folder in the top of a working tree below the roots. @throws NotFollowed */
function folderOf(folder: string | undefined, roots: readonly string[]): string | undefined {
  const [found, ...others] = folder === undefined ? [] : repositoriesFrom(folder);
  if (found === undefined || others.length > 0 || !found.isSure || found.isBare) return undefined;
  const at = join(found.at, ".git");
  const isPlain = found.own === at && found.common === at && roots.some((root) => isInside(root, at));
  return isPlain ? at : undefined;
}

/** @throws Error where something of it is not there, or is no plain file */
function viewOf(at: string): ListedGit | undefined {
  // A part of the index in another file, or settings of this working tree alone.
  if (readdirSync(at).some((name) => /^sharedindex\.|^config\.worktree$/u.test(name))) return undefined;
  const lines = readSettings(textAt(join(at, "config")) ?? "").map((setting) => {
    const { section, key, value } = setting;
    const full = fullName(setting);
    if (section === "extensions" || full === "index.sparse" || key === "sparsecheckout") throw new NotFollowed(full);
    return kept.test(full) && /^\w{1,20}$/u.test(value ?? "") ? `\t${key} = ${value}\n` : "";
  });
  const index = bytesAt(join(at, "index"), mostBytes);
  return index?.subarray(0, 4).toString("latin1") === "DIRC"
    ? { at, config: `[core]\n${lines.join("")}`, index }
    : undefined;
}
