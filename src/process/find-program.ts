import { access, constants, stat } from "node:fs/promises";
import { delimiter, isAbsolute, resolve } from "node:path";

/**
 * The file that a name means: a path with a slash is taken from `cwd`, another name is looked for in `path`.
 * @returns undefined where there is no such file that may be run.
 */
export async function findProgram(name: string, cwd: string, path: string | undefined): Promise<string | undefined> {
  if (name === "" || name.includes("\0")) return undefined;
  const candidates = name.includes("/")
    ? [isAbsolute(name) ? name : resolve(cwd, name)]
    : (path ?? "").split(delimiter).map((folder) => resolve(cwd, folder, name));
  for (const candidate of candidates) if (await mayRun(candidate)) return candidate;
  return undefined;
}

async function mayRun(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
