import { existsSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../../files/boundary.ts";
import { type Ignored, ignoredIn } from "./project-ignores.ts";

/** The folders in which a project has commands, its own first, relative to the workspace, and the endings of these files' names. */
const places: readonly (readonly [folder: string, ending: string])[] = [
  [".holdfast/commands", ".md"],
  [".claude/commands", ".md"],
  [".opencode/commands", ".md"],
  [".gemini/commands", ".toml"],
];

/** Tells whether any folder is there in which a project may have commands: only then they are looked for. */
export const mayHaveCommands = (workspace: string): boolean =>
  places.some(([folder]) => existsSync(join(workspace, folder)));

const mostCommands = 200;
const maxDepth = 4;

export const isCommandFolder = (path: string): boolean => places.some(([folder]) => folder === path);

/** The name of a command by its file, relative to the workspace: a folder in it stands before a colon. Undefined where it is none. */
export function projectCommandName(path: string): string | undefined {
  for (const [folder, ending] of places)
    if (path.startsWith(`${folder}/`) && path.endsWith(ending))
      return path.slice(folder.length + 1, -ending.length).replaceAll("/", ":");
  return undefined;
}

/**
 * Commands that a project has for other programs, relative to the workspace and in their order; none that git ignores. A folder that
 * leads out of the workspace stands for what is in it.
 * @param root of the workspace, links resolved
 */
export async function otherCommandFiles(root: string): Promise<string[]> {
  const found: string[] = [];
  for (const [folder, ending] of places.slice(1)) {
    if ((await realpath(join(root, folder)).catch(() => undefined)) === undefined) continue;
    await gather(root, folder, { ending, depth: 0, isIgnored: await ignoredIn(root), found });
  }
  return found.slice(0, mostCommands);
}

interface Gathering {
  ending: string;
  depth: number;
  isIgnored: Ignored;
  found: string[];
}

async function gather(root: string, folder: string, at: Gathering): Promise<void> {
  const { ending, depth, isIgnored, found } = at;
  const real = await realpath(join(root, folder)).catch(() => undefined);
  if (real === undefined || (await isIgnored(folder, true))) return;
  const entries = isInside(root, real)
    ? await readdir(real, { withFileTypes: true }).catch(() => undefined)
    : undefined;
  if (entries === undefined) return void found.push(folder);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`;
    if (found.length > mostCommands) return;
    if (entry.name.endsWith(ending)) {
      if (!(await isIgnored(path, false))) found.push(path);
    } else if (entry.isDirectory() && depth < maxDepth) await gather(root, path, { ...at, depth: depth + 1 });
  }
}
