import { lstat, readlink, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { oneLine } from "../../../core/fence.ts";
import { openRegular } from "../../../files/bytes/read-regular.ts";
import { isOurs } from "../../../files/owner.ts";

export interface GitFacts {
  /** Folder that holds `.git`. */
  root: string;
  /** Branch name, one line of at most 250 characters, or a short commit where none is checked out. */
  branch: string;
  detached: boolean;
  /** "merging", "rebasing", ... where one is under way. */
  underWay?: string;
}

/** The result of a look around a folder: a repository, one of another user, or none. */
export type GitLook = { kind: "repository"; facts: GitFacts } | { kind: "foreign"; root: string } | { kind: "none" };

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** More of a file of git's than this is not looked at. Bytes. */
const mostBytes = 4_096;

async function beginningOf(path: string): Promise<string> {
  const { handle } = await openRegular(path, path);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(mostBytes), 0, mostBytes, 0);
    return buffer.subarray(0, bytesRead).toString("utf8");
  } finally {
    await handle.close();
  }
}

interface Found {
  root: string;
  /** Real path. */
  folder: string;
  isOwn: boolean;
}

/** Whose it is decides as git's safe.directory has it: the root, `.git` and what that leads to. Modes are not looked at. */
async function gitFolder(start: string): Promise<Found | undefined> {
  for (let at = start; ; at = dirname(at)) {
    const found = await target(at);
    if (found !== undefined) {
      const folder = await realpath(found);
      const owners = await Promise.all([lstat(join(at, ".git")), stat(at), stat(folder)]);
      return { root: at, folder, isOwn: owners.every(({ uid }) => isOurs(uid)) };
    }
    if (dirname(at) === at) return undefined;
  }
}

async function target(root: string): Promise<string | undefined> {
  const dot = join(root, ".git");
  const found = await stat(dot).catch(() => undefined);
  if (found?.isDirectory()) return dot;
  if (found?.isFile() !== true) return undefined;
  const named = /^gitdir: (.+)$/m.exec(await beginningOf(await realpath(dot)))?.[1]?.trim();
  if (named === undefined) return undefined;
  return isAbsolute(named) ? named : resolve(root, named);
}

const states: [string, string][] = [
  ["MERGE_HEAD", "merging"],
  ["rebase-merge", "rebasing"],
  ["rebase-apply", "rebasing"],
  ["CHERRY_PICK_HEAD", "cherry-picking"],
  ["REVERT_HEAD", "reverting"],
  ["BISECT_LOG", "bisecting"],
];

/** Reads the branch or the commit that HEAD names, in git's own forms only: any other text in it is told to nobody. */
async function headOf(folder: string): Promise<{ branch: string; detached: boolean } | undefined> {
  const path = join(folder, "HEAD");
  const old = await readlink(path).catch(() => undefined); // git once kept HEAD as a link
  const text = old === undefined ? await beginningOf(path) : `ref: ${old}`;
  const branch = /^ref: refs\/heads\/([^\n]+)/.exec(text)?.[1]?.trim();
  if (branch !== undefined) return { branch: oneLine(branch), detached: false };
  const commit = /^([0-9a-f]{40}|[0-9a-f]{64})\s*$/.exec(text)?.[1];
  return commit === undefined ? undefined : { branch: commit.slice(0, 12), detached: true };
}

/**
 * Branch and state of the repository around `workspace`, read from its files. No git process is started: in a folder that
 * came from elsewhere its configuration could run programs.
 */
export async function gitFacts(workspace: string): Promise<GitLook> {
  try {
    const git = await gitFolder(workspace);
    if (git === undefined) return { kind: "none" };
    if (!git.isOwn) return { kind: "foreign", root: git.root };
    const head = await headOf(git.folder);
    if (head === undefined) return { kind: "none" };
    const flags = await Promise.all(states.map(([file]) => exists(join(git.folder, file))));
    const underWay = states[flags.indexOf(true)]?.[1];
    return {
      kind: "repository",
      facts: { root: git.root, ...head, ...(underWay === undefined ? {} : { underWay }) },
    };
  } catch {
    return { kind: "none" }; // an unreadable repository is no reason not to work in the folder
  }
}
