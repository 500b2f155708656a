import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The search program that `@vscode/ripgrep` brings; undefined where it cannot be found: the package throws there. */
export async function ripgrepProgram(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return undefined;
  }
}

/** Returns the reason why files cannot be searched here, in words; undefined where they can, as far as can be seen without starting it. */
export async function searchObstacle(): Promise<string | undefined> {
  const program = (await ripgrepProgram()) ?? besideUs();
  if (program === undefined) return noRipgrep;
  return access(program, constants.X_OK).then(
    () => undefined,
    () => `ripgrep, by which files are searched, cannot be run here: ${program}`,
  );
}

/**
 * The package tells of nothing but that it found nothing, also where a file could not be opened to look, as with too few that may be open.
 * What lies there is seen without opening any.
 */
function besideUs(): string | undefined {
  const arch = process.env["npm_config_arch"] || process.arch; // as the package has it
  const name = join("node_modules", "@vscode", `ripgrep-${process.platform}-${arch}`, "bin", "rg");
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return join(folder, name);
    if (folder === dirname(folder)) return undefined;
  }
}

/** The message for a missing ripgrep; the hint behind it says what a person can do about it. */
export const noRipgrep = "ripgrep, by which files are searched, is not installed here";

export const ripgrepHint = "install again, with optional dependencies: npm ci";
