import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pinRoots } from "../../src/files/pinned-roots.ts";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { createToolContext } from "../../src/tools/use/run-tool.ts";
import { tempTree } from "../tools/temp-tree.ts";

/** What a line comes to without a sandbox, where programs are found in one folder, and why. */
async function judged(command: string, workspace: string, home: string) {
  const env = { HOME: home, PATH: join(home, "bin") };
  const tools = createDefaultTools({ workspace, shell: { sandbox: "off", env } });
  const tool = tools.find(({ name }) => name === "shell");
  if (tool === undefined) throw new Error("no shell");
  const pins = pinRoots(workspace);
  onTestFinished(async () => {
    for (const one of tools) await one.dispose?.();
    pins.close();
  });
  const ctx = createToolContext({ workspace, pins, cwd: workspace, callId: "c1" });
  const prepared = await prepareCall(tool, { command }, ctx, {
    rules: [],
    grants: [],
    mode: "ask",
    sealed: { roots: [] },
  });
  return prepared.kind === "ready" ? `${prepared.verdict.decision}: ${prepared.verdict.why}` : prepared.kind;
}

function program(home: string, file: string, ...names: string[]): void {
  const path = join(home, file);
  mkdirSync(dirname(path), { recursive: true });
  mkdirSync(join(home, "bin"), { recursive: true });
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o755);
  for (const name of names) symlinkSync(path, join(home, "bin", name));
}

test.each([
  ["beside the package", { "sub/a.txt": "", ".npmrc": "logs-dir=/tmp/x\n", "package.json": "{}\n" }, "npm --version"],
  ["above, beside packages", { "sub/a.txt": "", ".npmrc": "", "node_modules/a/index.js": "" }, "cd sub && npm -v"],
  ["in the folder", { "sub/.npmrc": "" }, "cd sub && npm -v"],
  ["in a folder that may be another one", { "sub/.npmrc": "" }, "cd sub; npm -v"],
  ["in a folder that is not known", {}, 'cd "$x"; npm -v'],
])("npm is asked about where it takes settings of the project: %s", async (_, files, line) => {
  const home = tempTree();
  program(home, "lib/npm/bin/npm-cli.js", "npm");
  expect(await judged(line, tempTree(files), home)).toMatch(/^ask: /u);
});

test("npm is asked about where its settings would be a link to what is not read unasked, and in a folder below the home", async () => {
  const home = tempTree({ ".npmrc": "own\n", "package.json": "{}\n", ".ssh/id_rsa": "key\n", "work/a.txt": "" });
  program(home, "lib/npm/bin/npm-cli.js", "npm");
  const workspace = join(home, "work");
  expect(await judged("npm --version", workspace, home)).toMatch(/^allow: /u);
  symlinkSync(join(home, ".ssh/id_rsa"), join(workspace, ".npmrc"));
  expect(await judged("npm --version", workspace, home)).toMatch(/^ask: /u);
});

test("a version is told without a question by the program of that name alone, not by what stands in for many", async () => {
  const home = tempTree();
  program(home, "lib/nodejs", "node");
  program(home, "lib/python3.12", "python3", "python");
  program(home, "lib/x86_64-linux-gnu-gcc-12", "gcc");
  program(home, "lib/ruby3.1", "ruby");
  program(home, "lib/clang-17", "clang");
  const workspace = tempTree({ "mise.toml": "" });
  for (const name of ["node", "python3", "python", "gcc", "ruby", "clang"])
    expect(await judged(`${name} --version`, workspace, home)).toMatch(/^allow: /u);
  for (const other of [
    ".local/bin/mise",
    "lib/ccache",
    "snap/snap",
    "lib/aqua-proxy",
    "lib/nodenv",
    "lib/node-version",
  ]) {
    const at = tempTree();
    program(at, other, "node", "gcc");
    for (const name of ["node", "gcc"])
      expect([other, await judged(`${name} --version`, workspace, at)]).toEqual([
        other,
        expect.stringMatching(/^ask: /u),
      ]);
  }
});
