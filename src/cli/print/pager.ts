import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The command that shows long output, for a shell: what PAGER says, else less where there is one. undefined where PAGER is empty or
 * cat, or the terminal cannot move its cursor.
 */
export function pagerOf(env: Environment): string | undefined {
  if (env["TERM"] === "dumb") return undefined;
  const asked = env["PAGER"]?.trim();
  if (asked !== undefined) return asked === "" || asked === "cat" ? undefined : asked;
  return isProgram("less", env) ? "less" : undefined;
}

function isProgram(name: string, env: Environment): boolean {
  return (env["PATH"] ?? "").split(delimiter).some((folder) => {
    if (!folder.startsWith("/")) return false;
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The exit codes of a shell for a command that is not there, or cannot be run. */
const notRun = [126, 127];

/**
 * Shows text in the pager, until the person leaves it; one that is left early has done its work. As with git, less gets -FRX unless
 * LESS says otherwise.
 * @returns false where it could not be started.
 */
export async function inPager(command: string, text: string, env: Environment): Promise<boolean> {
  const heedless = (): void => undefined;
  // Ctrl-C is the pager's while it runs.
  process.on("SIGINT", heedless);
  try {
    const child = spawn("/bin/sh", ["-c", command], {
      stdio: ["pipe", "inherit", "inherit"],
      env: { LESS: "FRX", LV: "-c", ...env },
    });
    child.stdin.on("error", heedless); // it was left before it had read everything
    child.stdin.end(text);
    const code = await new Promise<number | null>((resolve) => {
      child.once("error", () => resolve(127)).once("close", resolve);
    });
    return code === null || !notRun.includes(code);
  } finally {
    process.off("SIGINT", heedless);
  }
}
