import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Tool } from "../../../src/core/tool.ts";
import { executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { createGlobTool } from "../../../src/tools/search/glob.ts";
import { createGrepTool } from "../../../src/tools/search/grep.ts";
import { createLsTool } from "../../../src/tools/search/ls.ts";
import { tempTree } from "../temp-tree.ts";

const nobody = 65_534;

/** Permissions do not bind root: for the time of `act` the process is somebody else. */
async function unprivileged<T>(act: () => Promise<T>): Promise<T> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(nobody);
  try {
    return await act();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

async function closedTree(): Promise<string> {
  const root = tempTree({ "a.txt": "foo", "closed/b.txt": "foo", "c.txt": "foo" });
  chmodSync(root, 0o755);
  chmodSync(join(root, "closed"), 0o000);
  chmodSync(join(root, "c.txt"), 0o000);
  return root;
}

const output = async (tool: Tool, args: object, workspace: string): Promise<string[]> => {
  const result = await unprivileged(() => executeTool(tool, args, { workspace }));
  return (result.error ?? result.output).split("\n");
};

test("glob tells how many folders it could not read", async () => {
  const lines = await output(createGlobTool(), { pattern: "**/*.txt" }, await closedTree());
  expect(lines.sort()).toEqual(["(1 folder could not be read: permission denied)", "a.txt", "c.txt"]);
});

test.each([
  ["ripgrep", createGrepTool()],
  ["the fall-back", createGrepTool({ rgPath: "/nonexistent/rg" })],
])("grep with %s tells how much it could not read", async (_, tool) => {
  const lines = await output(tool, { pattern: "foo" }, await closedTree());
  expect(lines).toEqual(["a.txt:1:foo", "(2 files or folders could not be read)"]);
});

test("ls of a closed folder says that permission is denied", async () => {
  const root = await closedTree();
  const result = await unprivileged(() => executeTool(createLsTool(), { path: "closed" }, { workspace: root }));
  expect(result.metadata).toEqual({ code: "EACCES" });
});
