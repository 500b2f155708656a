import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Before all tests: the command that the journeys start is the one of these sources, and there is a folder for what the tests
 * build for themselves. @throws where the command cannot be built
 */
export function setup(project: TestProject): () => void {
  process.umask(0o022); // the workers' too: whoever starts the tests, files have the permissions that they expect
  const script = join(root, "scripts", "build.mjs");
  const { status } = spawnSync(process.execPath, [script, "--if-stale"], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error("the command could not be built");
  const builds = mkdtempSync(join(tmpdir(), "holdfast-builds-"));
  chmodSync(builds, 0o755);
  symlinkSync(join(root, "node_modules"), join(builds, "node_modules"));
  // The workers of what is built there are those of the command.
  symlinkSync(join(root, "dist", "app"), join(builds, "app"));
  project.provide("builds", builds);
  return () => rmSync(builds, { recursive: true, force: true });
}
