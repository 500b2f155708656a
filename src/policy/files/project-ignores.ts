import { realpathSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../files/boundary.ts";
import { repositoryRoot } from "../../files/project-root.ts";

/**
 * Tells whether git ignores a path, relative to the workspace, or its target: from the root of the repository on.
 * @param real where it leads, if that is known
 */
export type Ignored = (path: string, isFolder: boolean, real?: string) => Promise<boolean>;

/** @param root of the workspace, links resolved */
export async function ignoredIn(root: string): Promise<Ignored> {
  const { createIgnoreRules } = await import("../../tools/search/ignore-rules.ts");
  const top = repositoryRoot(root) ?? root;
  const rules = createIgnoreRules(top);
  return async (path, isFolder, known) => {
    const asked = join(root, path);
    const real = known ?? realOrAsked(asked);
    for (const one of real === asked ? [asked] : [asked, real])
      if (one !== top && isInside(top, one) && (await rules.ignoresBelow(top, one, isFolder))) return true;
    return false;
  };
}

function realOrAsked(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
