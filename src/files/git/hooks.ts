import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../boundary.ts";
import { type NamedByGit, namedByRepository, namedByUser } from "./config-text.ts";

/**
 * The folders that `core.hooksPath` names, in the settings of the repository around a workspace and in those of the user: git runs
 * what lies in them. Absolute, links resolved where there is such a folder. One that holds the workspace itself is left out.
 * @param home the user's; undefined where there is none.
 */
export function hookFolders(workspace: string, home: string | undefined): string[] {
  const [root] = repositoriesAbove(workspace);
  const named = [
    ...(root === undefined ? [] : namedByRepository(root, home).hooks),
    ...(home === undefined ? [] : namedByUser(home).hooks),
  ];
  return [...new Set(named)].filter((folder) => !isInside(folder, workspace));
}

/** `hooks`: in a folder of hooks; `named`: a program, or more settings, that git's settings name. */
export type GitRuns = "hooks" | "named";

/** Finds what git runs by itself because the settings of a repository that a path lies in say so. Each of these is read once. */
export function gitRunsLook(home: string | undefined): (real: string) => GitRuns | undefined {
  const known = new Map<string, NamedByGit>();
  const around = new Map<string, string[]>();
  const namedBy = (root: string): NamedByGit => {
    const named = known.get(root) ?? namedByRepository(root, home);
    known.set(root, named);
    return named;
  };
  return (real) => {
    const folder = dirname(real);
    const roots = around.get(folder) ?? repositoriesAbove(folder);
    around.set(folder, roots);
    const found = roots.map((root) => {
      const { hooks, files } = namedBy(root);
      if (hooks.some((one) => isInside(one, real) && !isInside(one, root))) return "hooks";
      return files.includes(real) ? "named" : undefined;
    });
    return found.includes("hooks") ? "hooks" : found.find((one) => one !== undefined);
  };
}

/** Roots of the repositories that a folder lies in, the innermost first. */
export function repositoriesAbove(folder: string): string[] {
  const roots: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (isThere(join(at, ".git"))) roots.push(at);
    if (dirname(at) === at) return roots;
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // below a file, or not to be looked at
  }
}
