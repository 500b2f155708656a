import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const root = fileURLToPath(new URL("../../../", import.meta.url));
export const agentPath = join(root, "bin", "agent.js");

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A folder that is gone when the test has ended. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-build-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Node with a small environment of its own: nothing of the developer's settings reaches the child. */
export function runNode(args: readonly string[], options: { env?: Record<string, string>; cwd?: string } = {}): Ran {
  const env = { PATH: process.env["PATH"], HOME: "/nonexistent", LANG: "C.UTF-8", ...options.env };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 120_000,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  return { code: status, stdout, stderr };
}

/** A copy of the built command, as a package brings it. @returns its folder; the program is bin/agent.js in it */
export function copyOfInstall(): string {
  const folder = tempFolder();
  for (const name of ["bin", "dist", "package.json"]) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

type Bundle = (
  entryPoints: Record<string, string>,
  outdir: string,
) => Promise<{ bytes: number; packages: string[]; unmet: string[] }>;

interface Bundling {
  bundleCommand: Bundle;
  bundleLibrary: Bundle;
  commandEntries: Record<string, string>;
  libraryEntries: Record<string, string>;
}

/** What scripts/build.mjs builds with, plain JavaScript. */
export const bundling = async (): Promise<Bundling> =>
  (await import(new URL("../../../scripts/build/bundle.mjs", import.meta.url).href)) as Bundling;
