import { lstatSync } from "node:fs";
import type { PathFact } from "../../core/path-fact.ts";
import type { Overlay } from "../../core/tool.ts";
import { isKeyFile } from "../../files/bytes/file-head.ts";
import { gitFolderLook } from "../../files/git/folder.ts";
import { gitRunsLook } from "../../files/git/hooks.ts";
import { fileId } from "../../files/leading-names.ts";
import { homeFolder, repositoryRoot } from "../../files/project-root.ts";
import type { CallFacts } from "../../policy/types.ts";

/** Each path with what a look at the file system tells of it. */
export function lookedAt(paths: readonly PathFact[], workspace: string, overlay?: Overlay): PathFact[] {
  if (paths.length === 0) return [];
  const isInGit = gitFolderLook(repositoryRoot(workspace) ?? workspace, (path) => overlay?.holds?.(path) === true);
  let runsOf: ReturnType<typeof gitRunsLook> | undefined;
  const runByGit = (real: string) => {
    runsOf ??= gitRunsLook(homeFolder());
    return runsOf(real);
  };
  return paths.map((path) => {
    const file = fileOf(path.real);
    const gitRuns = path.access === "write" ? runByGit(path.real) : undefined;
    return {
      ...path,
      ...(isInGit(path.real, path.access === "write") ? { gitDir: true as const } : {}),
      ...(isKeyFile(path.real) ? { key: true as const } : {}),
      ...(gitRuns === undefined ? {} : { gitRuns }),
      ...(file === undefined ? {} : { file }),
    };
  });
}

/** What the file of that path is, where it has more than one name. */
export function fileOf(real: string): string | undefined {
  try {
    const stats = lstatSync(real, { throwIfNoEntry: false });
    return stats?.isFile() === true && stats.nlink > 1 ? fileId(stats) : undefined;
  } catch {
    return undefined; // below a file, or not to be looked at
  }
}

/** The repository that the workspace is a part of, or is. */
export function projectOf(workspace: string): Pick<CallFacts, "project"> {
  const project = repositoryRoot(workspace);
  return project === undefined ? {} : { project };
}

/** Whether a folder is, or lies in, one of git's data: sealed for every use, whatever its name. */
export function gitFolders(workspace: string): (folder: string) => boolean {
  const look = gitFolderLook(repositoryRoot(workspace) ?? workspace);
  const known = new Map<string, boolean>();
  return (folder) => {
    const is = known.get(folder) ?? look(folder, false);
    known.set(folder, is);
    return is;
  };
}
