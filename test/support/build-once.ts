import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Before all tests: the command that the journeys start is the one of these sources, where any test is asked for that may start it, and there is a folder for what the tests
 * build for themselves. @throws where the command cannot be built
 */
export function setup(project: TestProject): () => void {
  process.umask(0o022); // the workers' too: whoever starts the tests, files have the permissions that they expect
  if (!askedFor(process.argv).every(isPure)) buildCommand();
  const builds = mkdtempSync(join(tmpdir(), "holdfast-builds-"));
  chmodSync(builds, 0o755);
  symlinkSync(join(root, "node_modules"), join(builds, "node_modules"));
  // The workers of what is built there are those of the command.
  symlinkSync(join(root, "dist", "app"), join(builds, "app"));
  project.provide("builds", builds);
  return () => rmSync(builds, { recursive: true, force: true });
}

function buildCommand(): void {
  const script = join(root, "scripts", "build.mjs");
  const { status } = spawnSync(process.execPath, [script, "--if-stale"], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error("the command could not be built");
}

/** What stands behind `run`; where it is nothing, all tests are meant. */
function askedFor(argv: readonly string[]): string[] {
  const named = argv.slice(argv.indexOf("run") + 1).filter((word) => !word.startsWith("-"));
  return named.length === 0 ? ["test"] : named;
}

/** Folders whose tests start nothing that is built: a change is tried in them without a build. */
const pure = [
  "core",
  "policy",
  "net",
  "model",
  "records",
  "files",
  "cli/ui",
  "cli/terminal",
  "cli/print",
  "cli/services",
];

const isPure = (named: string): boolean =>
  pure.some((folder) => named === `test/${folder}` || named.startsWith(`test/${folder}/`));
