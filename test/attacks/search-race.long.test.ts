import { spawn } from "node:child_process";
import { chmodSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Tool } from "../../src/core/tool.ts";
import { executeTool } from "../../src/graph/calls/execute-tool.ts";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import type { Policy } from "../../src/policy/types.ts";
import { createReadFileTool } from "../../src/tools/files/read-file.ts";
import { createGlobTool } from "../../src/tools/search/glob.ts";
import { createGrepTool } from "../../src/tools/search/grep.ts";
import { createLsTool } from "../../src/tools/search/ls.ts";
import { createToolContext, resultOf } from "../../src/tools/use/run-tool.ts";
import { pidIn, runs } from "../process/support.ts";
import { builtProgram } from "../support/built.ts";
import { startCalls } from "../support/tool-process.ts";
import { tempTree } from "../tools/temp-tree.ts";

const rounds = Number(process.env["HOLDFAST_ROUNDS"] ?? 60);
const secret = "s3cret-word";

/** A workspace with a folder `docs` that another process exchanges for a link all the time. */
async function racing(target: (root: string) => string) {
  const root = tempTree({
    "docs/a.txt": "word inside\n",
    "docs/deep/b.txt": "word inside\n",
    "z.txt": "word\n",
    ".git/hooks/pre-commit": `${secret} word`,
    ".env/a.txt": `${secret} word`,
    ".env/hidden.txt": `${secret} word`,
    ".env/deep/b.txt": `${secret} word`,
  });
  symlinkSync(target(root), join(root, "link"));
  const exchange = await builtProgram("test/attacks/exchange.ts");
  const child = spawn(process.execPath, [exchange, join(root, "docs"), join(root, "link")], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await gone;
  };
  onTestFinished(stop);
  await new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
  return { root, stop };
}

const outside = (): string =>
  tempTree({ "a.txt": `${secret} word\n`, "outside-name.txt": `${secret} word\n`, "deep/b.txt": `${secret} word\n` });

/** What the model reads of a call that nobody was asked about; nothing where a person would be. */
async function unasked(tool: Tool, args: object, workspace: string): Promise<string> {
  const policy: Policy = { rules: [], grants: [], mode: "ask", sealed: { roots: [] } };
  const prepared = await prepareCall(tool, args, createToolContext({ workspace }), policy);
  if (prepared.kind === "refused") return prepared.message;
  if (prepared.kind === "denied" || prepared.verdict.decision !== "allow") return "";
  const { output, error = "" } = resultOf(await prepared.run(new AbortController().signal));
  return `${output}\n${error}`;
}

const tools: [string, Tool, object][] = [
  ["grep", createGrepTool(), { pattern: "word", context: 1 }],
  ["grep of the folder", createGrepTool(), { pattern: "word", path: "docs" }],
  ["grep of a file", createGrepTool(), { pattern: "word", path: "docs/a.txt" }],
  ["glob", createGlobTool(), { pattern: "**/*" }],
  ["ls", createLsTool(), { path: "docs" }],
  ["read_file", createReadFileTool(), { file_path: "docs/a.txt" }],
];

describe.runIf(process.platform === "linux")("while a folder is exchanged for a link", () => {
  test.each([
    ["out of the workspace", outside],
    ["to a guarded folder", (root: string) => join(root, ".env")],
    ["to the repository's own data", (root: string) => join(root, ".git", "hooks")],
  ])("%s, no search tells what is behind it", async (_, target) => {
    const { root, stop } = await racing(target);
    const told = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const [, tool, args] = tools[round % tools.length] ?? [];
      if (tool === undefined || args === undefined) continue;
      for (const line of (await unasked(tool, args, root)).split("\n")) told.add(line);
    }
    await stop();
    const leaks = [...told].filter((line) => /s3cret|outside-name|pre-commit|docs\/hidden/.test(line));
    expect(leaks).toEqual([]);
  });
});

test("nothing is lost where nobody interferes", async () => {
  const root = tempTree({ "docs/a.txt": "word inside\n", "docs/deep/b.txt": "word inside\n" });
  const outputs = await Promise.all(
    tools.map(async ([, tool, args]) => (await executeTool(tool, args, { workspace: root })).output.split("\n").length),
  );
  expect(outputs).toEqual([3, 2, 1, 2, 2, 1]);
});

test("a search program ends with the process that started it, however that dies", async () => {
  const root = tempTree();
  const program = join(root, "rg.sh");
  writeFileSync(program, `#!/bin/sh\ntrap '' TERM\necho $$ > ${root}/me\nwhile :; do sleep 0.05; done\n`);
  chmodSync(program, 0o755);
  const calls = [{ tool: "grep", args: { pattern: "x" } }];
  const child = await startCalls({ workspace: root, calls, rgPath: program });
  const pid = await pidIn(join(root, "me"));
  child.kill("SIGKILL");
  await expect.poll(() => runs(pid)).toBe(false);
  expect(existsSync(join(root, "me"))).toBe(true);
});
