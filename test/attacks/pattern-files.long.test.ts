import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFileFinder } from "../../src/cli/services/find-files.ts";
import { executeTool } from "../../src/graph/calls/execute-tool.ts";
import { createGlobTool } from "../../src/tools/search/glob.ts";
import { createGrepTool } from "../../src/tools/search/grep.ts";
import { createLsTool } from "../../src/tools/search/ls.ts";
import { tempTree } from "../tools/temp-tree.ts";

const kinds: Record<string, (path: string) => void> = {
  "a pipe": (path) => void execFileSync("mkfifo", [path]),
  "a link to a pipe": (path) => {
    const pipe = join(dirname(path), "pipe");
    execFileSync("mkfifo", [pipe]);
    symlinkSync(pipe, path);
  },
  "a link to a device without end": (path) => symlinkSync("/dev/zero", path),
  "a link to a device that waits": (path) => symlinkSync("/dev/ptmx", path),
  "a link to itself": (path) => symlinkSync(path, path),
  "a folder": (path) => void execFileSync("mkdir", [path]),
};

/** Relative to the workspace. */
const places = [
  ".gitignore",
  "sub/.gitignore",
  "sub/deep/.gitignore",
  "../.gitignore",
  ".git/info/exclude",
  "../.git/info/exclude",
  ".ignore",
  "sub/.rgignore",
  "sub/.git",
];

describe.each(Object.entries(kinds))("what names ignored files, and is %s", (_, make) => {
  test.each(places)("as %s stops neither grep nor glob, ls and the names offered behind @", async (place) => {
    const outer = tempTree({
      ".git/info/x": "",
      "ws/.git/info/x": "",
      "ws/a.txt": "word",
      "ws/sub/b.txt": "word",
      "ws/sub/deep/c.txt": "word",
    });
    const workspace = join(outer, "ws");
    make(join(workspace, place));
    const said = async (tool: ReturnType<typeof createGrepTool>, args: object): Promise<string[]> => {
      const { output, error } = await executeTool(tool, args, { workspace });
      expect(error).toBeUndefined();
      return output.split("\n").sort();
    };
    expect(await said(createGrepTool(), { pattern: "word" })).toEqual([
      "a.txt:1:word",
      "sub/b.txt:1:word",
      "sub/deep/c.txt:1:word",
    ]);
    expect(await said(createGrepTool(), { pattern: "word", path: "sub/deep" })).toEqual(["sub/deep/c.txt:1:word"]);
    expect(await said(createGrepTool(), { pattern: "word", path: "a.txt" })).toEqual(["a.txt:1:word"]);
    expect(await said(createGlobTool(), { pattern: "**/*.txt" })).toEqual(["a.txt", "sub/b.txt", "sub/deep/c.txt"]);
    expect(await said(createLsTool(), { path: "sub" })).toContain("b.txt");
    expect(await createFileFinder(workspace)("c.txt")).toEqual(["sub/deep/c.txt"]);
    rmSync(join(workspace, place), { recursive: true });
  });
});
