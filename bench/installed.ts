import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "./row.ts";
import { measureStep } from "./start.ts";
import { agentPath, type World } from "./world.ts";

const checkout = join(agentPath, "..", "..");

function npm(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync("npm", [...args, "--silent"], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout.trim();
}

/**
 * The package, packed and installed into an empty folder. The native part of better-sqlite3 is the checkout's: what npm would
 * download or compile there is the same. @returns the path of its program
 */
function installPackage(folder: string): string {
  mkdirSync(folder);
  const tarball = npm(["pack", "--ignore-scripts", "--pack-destination", folder], checkout);
  npm(["init", "--yes"], folder);
  npm(["install", "--ignore-scripts", "--no-audit", "--no-fund", join(folder, tarball)], folder);
  const native = join("node_modules", "better-sqlite3", "build");
  cpSync(join(checkout, native), join(folder, native), { recursive: true });
  return join(folder, "node_modules", "holdfast", "bin", "agent.js");
}

/** One step of the package as a person has it. */
export async function benchInstalled(world: World): Promise<Row[]> {
  const program = installPackage(join(world.folder, "install"));
  return [await measureStep(world, { what: "agent run, one step, installed package", program, most: 10 })];
}
