import { spawn } from "node:child_process";
import { chownSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { agentCommand } from "./agent-command.ts";
import type { Place } from "./cli.ts";

const isRoot = process.getuid?.() === 0;

/** The command by a user whom permissions bind. */
export function runBound(
  place: Place,
  argv: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = Object.fromEntries(
    Object.entries({ ...place.env, ...more }).filter((one): one is [string, string] => one[1] !== undefined),
  );
  const user = isRoot ? { uid: 65534, gid: 65534 } : {};
  const [node, program] = agentCommand;
  const child = spawn(node, [program, ...argv], {
    cwd: place.workspace,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    ...user,
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

/** Everything in the place belongs to the bound user. */
export function giveAway(place: Place): void {
  const root = dirname(place.home);
  if (isRoot)
    for (const name of ["", ...readdirSync(root, { recursive: true, encoding: "utf8" })])
      chownSync(join(root, name), 65534, 65534);
}
