import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { kernelPath } from "../../../files/kernel-path.ts";
import type { Folders } from "./folders.ts";
import { baseName } from "./wrappers.ts";

/**
 * Says of npm whether it takes settings of a project in one of the folders where it may run, whatever it is asked for: it reads `.npmrc` beside the
 * `package.json` or the `node_modules` above it, else in the folder itself, by a link too. Some versions write their log where that file says.
 * The home's is the person's own.
 */
export function settingsTaken(program: string, folders: Folders, home: string | undefined): { takesSettings?: true } {
  if (baseName(program) !== "npm") return {};
  const own = home === undefined ? undefined : kernelPath("/", home);
  const isTaken = (folder: string, from: string): boolean =>
    folder !== own &&
    isThere(join(folder, ".npmrc")) &&
    (folder === from || ["package.json", "node_modules"].some((name) => isThere(join(folder, name))));
  const starts = folders?.map((folder) => kernelPath("/", folder));
  const takes = starts?.some((from) => above(from).some((folder) => isTaken(folder, from))) ?? true;
  return takes ? { takesSettings: true } : {};
}

const above = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...above(dirname(folder))];

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true; // not to be looked at: it may be
  }
}
