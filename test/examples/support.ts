import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const example = (path: string): string => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));

export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  /** All that it printed so far. */
  printed(): string;
  errors(): string;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

export interface Place {
  readonly root: string;
  readonly workspace: string;
  /** Of a file in the workspace; undefined where there is none. */
  text(name: string): string | undefined;
  /** A model that says these, a line a request. @returns its spec */
  script(name: string, lines: readonly object[]): Promise<string>;
  /** Runs an example as a stranger does, with the workspace as its folder and no key. */
  start(path: string, args?: readonly string[]): Started;
  /** The same, of any file. */
  run(file: string, args: readonly string[]): Started;
}

export async function openPlace(): Promise<Place> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "holdfast-examples-")));
  const workspace = join(root, "work");
  await mkdir(workspace);
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const env = { PATH: process.env["PATH"], HOME: root, LANG: "C.UTF-8" };
  const run = (file: string, args: readonly string[]): Started =>
    watched(spawn(process.execPath, [file, ...args], { cwd: workspace, env }));
  return {
    root,
    workspace,
    text: (name) => (existsSync(join(workspace, name)) ? readFileSync(join(workspace, name), "utf8") : undefined),
    async script(name, lines) {
      const file = join(root, name);
      const all = [{ v: 1, kind: "holdfast-script" }, ...lines];
      await writeFile(file, all.map((line) => `${JSON.stringify(line)}\n`).join(""));
      return `script:${file}`;
    },
    start: (path, args = []) => run(example(path), args),
    run,
  };
}

function watched(child: ChildProcessWithoutNullStreams): Started {
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
  const ended = once(child, "close").then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, printed: () => stdout, errors: () => stderr, ended };
}
