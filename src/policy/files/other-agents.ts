import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../../files/boundary.ts";
import { ignoredIn } from "./project-ignores.ts";

/** The folders in which other programs have a project's agents, relative to the workspace, and the endings of these files' names. */
const places: readonly (readonly [folder: string, ending: string])[] = [
  [".claude/agents", ".md"],
  [".opencode/agents", ".md"],
  [".gemini/agents", ".md"],
  [".codex/agents", ".toml"],
];

export const isAgentFolder = (path: string): boolean => places.some(([folder]) => folder === path);

/** Tells whether a file of the project, by its path relative to the workspace, is one of another program's agents. */
export const isOtherAgent = (path: string): boolean =>
  places.some(
    ([folder, ending]) =>
      path.startsWith(`${folder}/`) && path.endsWith(ending) && !path.slice(folder.length + 1).includes("/"),
  );

/**
 * Files that other programs have as agents of the project, relative to the workspace and in their order; none that git ignores there, by
 * its own name or by what it leads to. A folder that leads out of the workspace, or cannot be listed, stands for what is in it.
 * @param root of the workspace, links resolved
 */
export async function otherAgentFiles(root: string): Promise<string[]> {
  const found: string[] = [];
  for (const [folder, ending] of places) {
    const real = await realpath(join(root, folder)).catch(() => undefined);
    if (real === undefined) continue;
    const isIgnored = await ignoredIn(root);
    if (await isIgnored(folder, true)) continue;
    const names = isInside(root, real) ? await readdir(real).catch(() => undefined) : undefined;
    if (names === undefined) found.push(folder);
    for (const name of (names ?? []).filter((one) => one.endsWith(ending)).sort())
      if (!(await isIgnored(`${folder}/${name}`, false))) found.push(`${folder}/${name}`);
  }
  return found;
}
