import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { createLsTool } from "../../../src/tools/search/ls.ts";
import { createToolContext } from "../../../src/tools/use/run-tool.ts";
import { tempTree } from "../temp-tree.ts";

const ls = async (workspace: string, args: object = {}) => executeTool(createLsTool(), args, { workspace });
const lines = async (workspace: string, args: object = {}): Promise<string[]> => {
  const result = await ls(workspace, args);
  if (result.error !== undefined) throw new Error(result.error);
  return result.output.split("\n");
};

test("lists one folder by name: folders with a slash, links with their target, hidden files, special files", async () => {
  const root = tempTree({ "b.ts": "", "src/deep/x.ts": "", ".hidden": "", "B.ts": "" });
  symlinkSync("src", join(root, "link"));
  symlinkSync("nowhere", join(root, "dangling"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  expect(await lines(root)).toEqual([
    ".hidden",
    "B.ts",
    "b.ts",
    "dangling@ -> nowhere",
    "link@ -> src",
    "pipe (fifo)",
    "src/",
  ]);
  expect(await lines(root, { path: "src" })).toEqual(["deep/"]);
});

test("what git ignores, .git and node_modules are left out and counted", async () => {
  const root = tempTree({
    ".gitignore": "*.log\n/dist/\n",
    ".git/info/exclude": "private\n",
    "node_modules/m/i.js": "",
    "dist/a.js": "",
    "a.log": "",
    private: "",
    "a.ts": "",
    dist2: "",
    "sub/.gitignore": "!keep.log\nown.txt\n",
    "sub/keep.log": "",
    "sub/drop.log": "",
    "sub/own.txt": "",
    "sub/dist/ok.js": "",
  });
  expect(await lines(root)).toEqual([
    ".gitignore",
    "a.ts",
    "dist2",
    "sub/",
    "(5 ignored, left out: .git, a.log, dist, node_modules, private)",
  ]);
  expect(await lines(root, { path: "sub" })).toEqual([
    ".gitignore",
    "dist/",
    "keep.log",
    "(2 ignored, left out: drop.log, own.txt)",
  ]);
});

test("an ignored folder is listed when it is asked for by name", async () => {
  const root = tempTree({ ".gitignore": "dist/\n*.log\n", "dist/a.js": "", "dist/b/c.js": "", "dist/d.log": "" });
  expect(await lines(root, { path: "dist" })).toEqual(["a.js", "b/", "d.log"]);
});

test("more patterns to leave out are taken as in a .gitignore", async () => {
  const root = tempTree({ "a.ts": "", "a.test.ts": "", "docs/x.md": "" });
  expect(await lines(root, { ignore: ["*.test.ts", "docs/"] })).toEqual([
    "a.ts",
    "(2 ignored, left out: a.test.ts, docs)",
  ]);
  expect(await lines(root, { ignore: "*.ts" })).toContain("docs/");
});

test("an empty folder, and one where all is ignored, say so", async () => {
  const root = tempTree({ "sub/.gitignore": "*", "sub/x": "" });
  mkdirSync(join(root, "empty"));
  expect(await lines(root, { path: "empty" })).toEqual(["(empty folder)"]);
  expect(await lines(root, { path: "sub" })).toEqual([
    "(nothing else in this folder)",
    "(2 ignored, left out: .gitignore, x)",
  ]);
});

test("of a large folder the first thousand are shown, with a count", async () => {
  const root = tempTree();
  for (let i = 0; i < 1_005; i++) writeFileSync(join(root, `f${String(i).padStart(5, "0")}`), "");
  const shown = await lines(root);
  expect(shown).toHaveLength(1_001);
  expect(shown.slice(-2)).toEqual(["f00999", "(the first 1,000 by name of 1,005 entries; use glob to narrow)"]);
});

test("a name with a line break stands on one line", async () => {
  const root = tempTree({ "a\nb/c": "", "x\u001b[2J": "" });
  expect(await lines(root)).toEqual(['"a\\nb"/', '"x\\u001b[2J"']);
});

test("names that are no UTF-8 are listed all the same", async () => {
  const root = tempTree();
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff, 0x6f])]), "");
  expect(await lines(root)).toEqual(["f\ufffdo"]);
});

describe("refuses", () => {
  test.each([
    ["a file", "a.ts", "NOT_FOUND", /is a file, not a folder/],
    ["a FIFO, at once", "pipe", "NOT_FOUND", /not a folder/],
    ["what is not there", "nope", "NOT_FOUND", /nope/],
    ["a path that leads out", "../", "OUTSIDE_WORKSPACE", /not inside the workspace/],
    ["an absolute path outside", "/etc", "OUTSIDE_WORKSPACE", /not inside the workspace/],
    ["a link that leads out", "out", "OUTSIDE_WORKSPACE", /not inside the workspace/],
    ["the repository's own data", ".git", "PROTECTED", /is sealed/],
    ["what is below it, in any case", ".GIT/hooks", "PROTECTED", /is sealed/],
    ["an empty path", "", "INVALID_ARGUMENT", /empty/],
    ["a NUL in the path", "a\0b", "OUTSIDE_WORKSPACE", /NUL/],
  ])("%s", async (_, path, code, message) => {
    const root = tempTree({ "a.ts": "", ".git/hooks/x": "", ".GIT/hooks/x": "" });
    symlinkSync("/etc", join(root, "out"));
    execFileSync("mkfifo", [join(root, "pipe")]);
    const result = await ls(root, { path });
    expect(result.metadata?.["code"]).toBe(code);
    expect(result.error).toMatch(message);
  });
});

test("a relative path is relative to the working folder, and the plan names the folder that is read", async () => {
  const root = tempTree({ "sub/deep/a.ts": "" });
  const cwd = join(root, "sub");
  expect((await executeTool(createLsTool(), { path: "deep" }, { workspace: root, cwd })).output).toBe("a.ts");
  const plan = await createLsTool().plan?.({ path: "deep" }, createToolContext({ workspace: root, cwd }));
  expect(plan?.reads).toEqual([{ asked: "deep", real: join(cwd, "deep") }]);
});
