import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";

export interface GitFacts {
  /** Folder that holds `.git`. */
  root: string;
  /** Branch name, or a short commit where none is checked out. */
  branch: string;
  detached: boolean;
  /** "merging", "rebasing", ... where one is under way. */
  underWay?: string;
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

async function gitFolder(start: string): Promise<{ root: string; folder: string } | undefined> {
  for (let at = start; ; at = dirname(at)) {
    const dot = join(at, ".git");
    const found = await stat(dot).catch(() => undefined);
    if (found?.isDirectory()) return { root: at, folder: dot };
    if (found?.isFile()) {
      const target = /^gitdir: (.+)$/m.exec(await readFile(dot, "utf8"))?.[1]?.trim();
      if (target !== undefined) return { root: at, folder: isAbsolute(target) ? target : resolve(at, target) };
    }
    if (dirname(at) === at) return undefined;
  }
}

const states: [string, string][] = [
  ["MERGE_HEAD", "merging"],
  ["rebase-merge", "rebasing"],
  ["rebase-apply", "rebasing"],
  ["CHERRY_PICK_HEAD", "cherry-picking"],
  ["REVERT_HEAD", "reverting"],
  ["BISECT_LOG", "bisecting"],
];

/**
 * Branch and state of the repository around `workspace`, read from its files. No git process is started: in a folder that
 * came from elsewhere its configuration could run programs.
 */
export async function gitFacts(workspace: string): Promise<GitFacts | undefined> {
  try {
    const git = await gitFolder(workspace);
    if (git === undefined) return undefined;
    const head = (await readFile(join(git.folder, "HEAD"), "utf8")).trim();
    const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
    const flags = await Promise.all(states.map(([file]) => exists(join(git.folder, file))));
    const underWay = states[flags.indexOf(true)]?.[1];
    return {
      root: git.root,
      branch: branch ?? head.slice(0, 12),
      detached: branch === undefined,
      ...(underWay === undefined ? {} : { underWay }),
    };
  } catch {
    return undefined; // an unreadable repository is no reason not to work in the folder
  }
}
