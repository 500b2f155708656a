import { spawn } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { FolderLost } from "../../src/core/folder-lost.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Tool } from "../../src/core/tool.ts";
import { pinRoots } from "../../src/files/pinned-roots.ts";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import { createWriteFileTool } from "../../src/tools/files/write-file.ts";
import { createJobs } from "../../src/tools/shell/running/jobs.ts";
import { createShellTool } from "../../src/tools/shell/shell.ts";
import { createToolContext } from "../../src/tools/use/run-tool.ts";
import { itInSandbox } from "../support/needs.ts";
import { tempTree } from "../tools/temp-tree.ts";

const rounds = Number(process.env["HOLDFAST_ROUNDS"] ?? 60);

/** Exchanges the two folders again and again: the first has its name for up to 80 ms, the other for up to 5. */
const exchanging = `
  const { renameSync } = require("node:fs");
  const [one, other] = process.argv.slice(1);
  const pause = (most) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * most);
  process.stdout.write("ready\\n");
  for (;;) {
    renameSync(one, one + ".aside"); renameSync(other, one); pause(5);
    renameSync(one, other); renameSync(one + ".aside", one); pause(80);
  }`;

/** A workspace, and another folder of the same shape that has its name now and then. */
async function racing() {
  const base = tempTree({ "ws/sub/a.txt": "1", "other/sub/a.txt": "1" });
  const [workspace, other] = [join(base, "ws"), join(base, "other")];
  const pins = pinRoots(workspace);
  const child = spawn(process.execPath, ["-e", exchanging, workspace, other], { stdio: ["ignore", "pipe", "ignore"] });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await gone;
    pins.close();
  });
  await new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await gone;
  };
  return { workspace, base, pins, stop };
}

/** All that landed in the folder, and below it. */
const landed = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /landed/.test(name));

/** Tries it until it ran as often as there are rounds to be; says which rounds were told as done. */
async function tryOn(tool: Tool, args: (round: number) => JsonObject) {
  const { workspace, base, pins, stop } = await racing();
  const done: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    try {
      const ctx = createToolContext({ workspace, pins, callId: `c${round}` });
      const prepared = await prepareCall(tool, args(round), ctx, {
        rules: [],
        grants: [],
        mode: "ask",
        sealed: { roots: [] },
      });
      if (prepared.kind !== "ready") continue;
      const outcome = await prepared.run(new AbortController().signal);
      if (outcome.kind === "done") done.push(`landed-${round}`);
    } catch (error) {
      if (!(error instanceof FolderLost)) throw error;
    }
  }
  await stop();
  // Wherever it stands when the exchange ends: the pinned folder is known by its descriptor.
  const [own] = pins.descriptors();
  const inOwn = landed(`/proc/self/fd/${own?.fd}/`);
  const inAll = landed(base);
  return { done, inOwn, inAll };
}

const settings = (sandbox: "off" | "required") => ({
  env: { PATH: process.env["PATH"], HOME: "/nonexistent" },
  shellEnv: [],
  shellPath: [],
  sandbox,
  sandboxWrite: [],
  sandboxRead: [],
  hidden: [],
});

describe.runIf(process.platform === "linux")("while its workspace is exchanged for another folder all the time", () => {
  const commands: [string, Tool, (round: number) => JsonObject][] = [
    [
      "a command in the workspace",
      createShellTool(settings("off"), createJobs()),
      (n) => ({ command: `touch landed-${n}` }),
    ],
    [
      "a command in a folder of it",
      createShellTool(settings("off"), createJobs()),
      (n) => ({ command: `touch landed-${n}`, cwd: "sub" }),
    ],
    ["a new file", createWriteFileTool(), (n) => ({ file_path: `landed-${n}`, content: "x" })],
    [
      "a new file in a new folder",
      createWriteFileTool(),
      (n) => ({ file_path: `sub/new-${n}/landed-${n}`, content: "x" }),
    ],
  ];

  test.each(commands)("%s lands in its own, or nowhere", async (_, tool, args) => {
    const { done, inOwn, inAll } = await tryOn(tool, args);
    expect(inAll.length).toBe(inOwn.length);
    const names = inOwn.map((path) => path.split("/").at(-1) ?? "");
    expect(done.filter((name) => !names.includes(name))).toEqual([]);
  });

  itInSandbox.each([
    ["the workspace", {}],
    ["a folder of it", { cwd: "sub" }],
  ])("a command in the sandbox, in %s, lands in its own, or nowhere", async (_, more) => {
    const tool = createShellTool(settings("required"), createJobs());
    const { done, inOwn, inAll } = await tryOn(tool, (n) => ({ command: `touch landed-${n}`, ...more }));
    expect(inAll.length).toBe(inOwn.length);
    const names = inOwn.map((path) => path.split("/").at(-1) ?? "");
    expect(done.filter((name) => !names.includes(name))).toEqual([]);
  });
});

test("what is given to a sandbox to be compared is closed in it", async () => {
  const workspace = tempTree({ "a.txt": "1", "opened.sh": "ls /proc/self/fd | wc -l\n" });
  mkdirSync(join(workspace, "sub"));
  const pins = pinRoots(workspace);
  onTestFinished(pins.close);
  for (const cwd of [".", "sub"]) {
    const prepared = await prepareCall(
      createShellTool(settings("off"), createJobs()),
      { command: `bash ${join(workspace, "opened.sh")}`, cwd },
      createToolContext({ workspace, pins }),
      { rules: [], grants: [], mode: "ask", sealed: { roots: [] } },
    );
    if (prepared.kind !== "ready") throw new Error(JSON.stringify(prepared));
    // Its own three, and the one that ls opens; the script is read on one that ls does not get.
    expect(await prepared.run(new AbortController().signal)).toMatchObject({ result: { output: "4\n(exit code 0)" } });
  }
});
