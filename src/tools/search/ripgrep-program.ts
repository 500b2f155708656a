import { access, constants } from "node:fs/promises";

/** The search program that `@vscode/ripgrep` brings; undefined where there is none for this machine: the package throws there. */
export async function ripgrepProgram(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return undefined;
  }
}

/** Why files cannot be searched here, in words; undefined where they can, as far as can be seen without starting it. */
export async function searchObstacle(): Promise<string | undefined> {
  const program = await ripgrepProgram();
  if (program === undefined) return noRipgrep;
  return access(program, constants.X_OK).then(
    () => undefined,
    () => `${noRipgrep}: ${program}`,
  );
}

/** What a person can do about it is the hint behind it. */
export const noRipgrep = "ripgrep, by which files are searched, is not installed here";

export const ripgrepHint = "install again, with optional dependencies: npm ci";
