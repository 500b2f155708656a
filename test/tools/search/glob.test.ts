import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { createGlobTool } from "../../../src/tools/search/glob.ts";
import { createToolContext } from "../../../src/tools/use/run-tool.ts";
import { tempTree } from "../temp-tree.ts";

const glob = async (workspace: string, args: object) => executeTool(createGlobTool(), args, { workspace });
const found = async (workspace: string, args: object): Promise<string[]> => {
  const result = await glob(workspace, args);
  if (result.error !== undefined) throw new Error(result.error);
  return result.output.split("\n");
};
/** Without regard to age. */
const names = async (workspace: string, pattern: string, path?: string): Promise<string[]> =>
  (await found(workspace, path === undefined ? { pattern } : { pattern, path })).sort();

test("the newest comes first; of one age by path", async () => {
  const root = tempTree({ "a.ts": "", "b.ts": "", "c/a.ts": "", "d.ts": "" });
  for (const [name, at] of [
    ["a.ts", 100],
    ["b.ts", 300],
    ["c/a.ts", 200],
    ["d.ts", 200],
  ] as const)
    utimesSync(join(root, name), at, at);
  expect(await found(root, { pattern: "**/*.ts" })).toEqual(["b.ts", "c/a.ts", "d.ts", "a.ts"]);
});

describe("patterns", () => {
  const files = {
    "a.ts": "",
    "b.tsx": "",
    ".env": "",
    ".config/x.ts": "",
    "src/c.ts": "",
    "src/deep/d.ts": "",
    "src/[id].ts": "",
    "sp ace/e.ts": "",
  };
  test.each([
    ["*.ts", ["a.ts"]],
    ["**/*.ts", [".config/x.ts", "a.ts", "sp ace/e.ts", "src/[id].ts", "src/c.ts", "src/deep/d.ts"]],
    ["*.{ts,tsx}", ["a.ts", "b.tsx"]],
    ["src/**", ["src/[id].ts", "src/c.ts", "src/deep/d.ts"]],
    ["./src/*.ts", ["src/[id].ts", "src/c.ts"]],
    ["src/\\[id\\].ts", ["src/[id].ts"]],
    [".env", [".env"]],
    ["s*/e.ts", ["sp ace/e.ts"]],
    ["*.@(ts|tsx)", ["a.ts", "b.tsx"]],
    ["*.zig", ["No file matches *.zig in . (ignored files are not searched)."]],
  ])("%s", async (pattern, wanted) => {
    expect(await names(tempTree(files), pattern)).toEqual(wanted);
  });

  test("are relative to path, and an absolute one may stand inside the workspace", async () => {
    const root = tempTree(files);
    expect(await names(root, "*.ts", "src")).toEqual(["src/[id].ts", "src/c.ts"]);
    expect(await names(root, `${root}/src/**/d.ts`)).toEqual(["src/deep/d.ts"]);
    expect(await names(root, `${root}/a.ts`)).toEqual(["a.ts"]);
    expect(await names(root, `${root}/*.tsx`, "src")).toEqual(["b.tsx"]);
  });
});

describe("refused at once, with a reason", () => {
  test.each([
    ["an empty pattern", { pattern: " " }, "INVALID_ARGUMENT", /empty/],
    ["a step up", { pattern: "../*" }, "INVALID_ARGUMENT", /may not hold \.\./],
    ["a step up within", { pattern: "src/../../*" }, "INVALID_ARGUMENT", /may not hold \.\./],
    ["a step up in braces", { pattern: "{src,..}/*" }, "INVALID_ARGUMENT", /may not hold \.\./],
    ["a step up in nested braces", { pattern: "{a,{b,../..}}/*" }, "INVALID_ARGUMENT", /may not hold \.\./],
    ["a step up in a group", { pattern: "@(..|a)/*" }, "INVALID_ARGUMENT", /may not hold \.\./],
    ["a negation", { pattern: "!*.ts" }, "INVALID_ARGUMENT", /begins with !/],
    ["a NUL", { pattern: "a\0b" }, "INVALID_ARGUMENT", /NUL/],
    ["a bomb of braces", { pattern: "{a,b}".repeat(40) }, "INVALID_ARGUMENT", /too many/],
    ["a bomb of ranges", { pattern: "{1..999}{1..999}{1..999}" }, "INVALID_ARGUMENT", /too many/],
    ["a group that repeats", { pattern: "*(*(*(a)))b" }, "INVALID_ARGUMENT", /repeated groups/],
    ["a thousand stars", { pattern: "*a".repeat(400) }, "INVALID_ARGUMENT", /wildcards/],
    ["a pattern of a megabyte", { pattern: "a".repeat(1_000_000) }, "INVALID_ARGUMENT", /longer/],
    ["an absolute one outside", { pattern: "/etc/*" }, "OUTSIDE_WORKSPACE", /not inside/],
    ["the root", { pattern: "/**" }, "OUTSIDE_WORKSPACE", /not inside/],
    ["a folder outside", { pattern: "*", path: "../" }, "OUTSIDE_WORKSPACE", /not inside/],
    ["a folder that is not there", { pattern: "*", path: "nope" }, "NOT_FOUND", /nope/],
    ["a file as folder", { pattern: "*", path: "a.ts" }, "NOT_FOUND", /is a file/],
    ["the repository's own data", { pattern: "*", path: ".git" }, "PROTECTED", /is sealed/],
  ])("%s", async (_, args, code, message) => {
    const result = await glob(tempTree({ "a.ts": "", ".git/config": "" }), args);
    expect(result.metadata?.["code"]).toBe(code);
    expect(result.error).toMatch(message);
  });
});

test("what git ignores is not found, whether the pattern walks or names it outright", async () => {
  const root = tempTree({
    ".gitignore": "*.log\nbuild/\n",
    "a.log": "",
    "build/o.ts": "",
    "node_modules/m/i.ts": "",
    "src/node_modules/n/i.ts": "",
    ".git/config": "",
    "src/.gitignore": "!build/\nsecret.ts\n",
    "src/build/ok.ts": "",
    "src/secret.ts": "",
    "src/deep/secret.ts": "",
    "src/ok.ts": "",
  });
  expect(await names(root, "**/*")).toEqual([".gitignore", "src/.gitignore", "src/build/ok.ts", "src/ok.ts"]);
  for (const pattern of ["a.log", "build/o.ts", "{src/secret.ts,.git/config}", "node_modules/m/*", "src/deep/*"])
    expect(await names(root, pattern)).toEqual([`No file matches ${pattern} in . (ignored files are not searched).`]);
  expect(await names(root, "*", "build")).toEqual(["build/o.ts"]);
});

test("links are named but not followed, and none leads out", async () => {
  const outside = tempTree({ "secret.txt": "", "d/x.txt": "" });
  const root = tempTree({ "src/a.txt": "" });
  symlinkSync(outside, join(root, "out"));
  symlinkSync("src", join(root, "in"));
  symlinkSync(join(outside, "secret.txt"), join(root, "one.txt"));
  symlinkSync(".", join(root, "src", "loop"));
  expect(await names(root, "**/*")).toEqual(["in", "one.txt", "out", "src/a.txt", "src/loop"]);
  for (const pattern of ["out/*", "out/**/*", "out/secret.txt", "{out,x}/d/x.txt"])
    expect((await names(root, pattern))[0]).toMatch(/^No file matches/);
});

test("special files in the tree are passed over and block nothing", async () => {
  const root = tempTree({ "a.ts": "" });
  execFileSync("mkfifo", [join(root, "b.ts"), join(root, ".gitignore")]);
  mkdirSync(join(root, "sub"));
  symlinkSync("/dev/zero", join(root, "sub", ".gitignore"));
  expect(await names(root, "**/*.ts")).toEqual(["a.ts"]);
});

test("a thousand are shown, with a count of what was left out", async () => {
  const root = tempTree();
  for (let i = 0; i < 1_003; i++) writeFileSync(join(root, `f${i}.txt`), "");
  const shown = await found(root, { pattern: "*.txt" });
  expect(shown).toHaveLength(1_001);
  expect(shown.at(-1)).toBe("(1,000 of 1,003 files, newest first; 3 left out: narrow the pattern to see them)");
});

test("a name with a line break stands on one line", async () => {
  expect(await names(tempTree({ "a\nb.ts": "" }), "*.ts")).toEqual(['"a\\nb.ts"']);
});

test("an aborted search is CANCELLED", async () => {
  const stop = new AbortController();
  const root = tempTree({ "a/b/c.ts": "" });
  const running = executeTool(createGlobTool(), { pattern: "**/*" }, { workspace: root, signal: stop.signal });
  stop.abort();
  expect((await running).metadata).toEqual({ code: "CANCELLED" });
});

test("a plan names the folder that is searched, also where the pattern is absolute", async () => {
  const root = tempTree({ "src/a.ts": "" });
  const ctx = createToolContext({ workspace: root });
  const real = join(root, "src");
  const tool = createGlobTool();
  expect((await tool.plan?.({ pattern: "*", path: "src" }, ctx))?.reads).toEqual([{ asked: "src", real }]);
  const absolute = `${root}/src/`;
  expect((await tool.plan?.({ pattern: `${absolute}*` }, ctx))?.reads).toEqual([{ asked: absolute, real }]);
});
