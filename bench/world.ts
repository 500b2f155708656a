import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { makePng } from "../test/support/pictures.ts";

const here = dirname(fileURLToPath(import.meta.url));
export const agentPath = join(here, "..", "bin", "agent.js");
export const childPath = (name: string): string => join(here, name);

/** A folder of this run's own, gone with `close`. */
export interface World {
  readonly folder: string;
  /** Settings of an agent that knows nobody but the server at `baseUrl`. */
  env(baseUrl: string, home: string): NodeJS.ProcessEnv;
  close(): void;
}

export function openWorld(): World {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-bench-"));
  return {
    folder,
    env: (baseUrl, home) => ({
      PATH: process.env["PATH"],
      HOME: folder,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      AGENT_HOME: home,
      OPENAI_API_KEY: "bench",
      OPENAI_BASE_URL: baseUrl,
    }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** `count` files of about 1 kB, as the model server knows them. */
export function makeWorkspace(folder: string, count: number): string {
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < count; i += 1)
    writeFileSync(join(folder, `file-${i}.txt`), `line of file ${i}, forty characters or so\n`.repeat(25));
  return folder;
}

/** `count` pictures of 800x600 pixels, as the model server knows them; of about 110 kB, as a screenshot has. */
export function makePictures(folder: string, count: number): string {
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < count; i += 1) {
    const cell = (x: number, y: number): number => (((x >> 2) * 7919) ^ ((y >> 2) * 104_729) ^ (i * 1_299_709)) % 251;
    const png = makePng(800, 600, { paint: (x, y) => [cell(x, y), cell(y, x), 128, 255] });
    writeFileSync(join(folder, `file-${i}.png`), png);
  }
  return folder;
}

/** `count` files in folders of 100; one in a hundred holds the word "needle". */
export function makeTree(folder: string, count: number): string {
  for (let i = 0; i < count; i += 1) {
    const at = join(folder, `d${Math.floor(i / 2500)}`, `e${Math.floor(i / 100) % 25}`);
    if (i % 100 === 0) mkdirSync(at, { recursive: true });
    const word = i % 500 === 0 ? "needle" : "hay";
    writeFileSync(
      join(at, `f${i}.ts`),
      `export const value${i} = "${word}";\n${"// some text of a source file\n".repeat(20)}`,
    );
  }
  return folder;
}

export interface ModelServer {
  readonly baseUrl: string;
  close(): void;
}

/** What the files are that are read. */
export type FileKind = "txt" | "png";

/** The scripted server in a process of its own, so that its work is not counted as the agent's. `words`: characters before each call. */
export async function startModelServer(
  steps: number,
  fileCount: number,
  words = 0,
  kind: FileKind = "txt",
): Promise<ModelServer> {
  const child: ChildProcess = spawn(
    process.execPath,
    [childPath("model-server-child.mjs"), String(steps), String(fileCount), String(words), kind],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  if (child.stdout === null) throw new Error("the model server has no output");
  for await (const port of createInterface({ input: child.stdout }))
    return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => void child.kill() };
  throw new Error("the model server did not start");
}
