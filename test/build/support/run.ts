import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Script } from "node:vm";
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
    timeout: 25_000,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  return { code: status, stdout, stderr };
}

/** The functions of bin/bundle.js, which ships as plain JavaScript. */
export interface BundleModule {
  openBundle(
    app: string,
    caches: string[],
  ): { compiled: boolean; scripts: Map<string, Script>; load(entry: string): Promise<Record<string, unknown>> };
  keepCompiled(app: string, cache: string, rehearsed?: Map<string, Script>): void;
  packChunks(chunks: [name: string, code: string][]): Buffer;
}

export const bundleModule = async (): Promise<BundleModule> =>
  (await import(new URL("../../../bin/bundle.js", import.meta.url).href)) as BundleModule;
