import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ToolResult } from "../../../src/core/tool.ts";
import { callsInProcess } from "../../support/tool-process.ts";
import { tempTree } from "../temp-tree.ts";

const nobody = 65_534;

/** Permissions do not bind root: the call is made by somebody else. */
async function call(tool: string, args: object): Promise<ToolResult> {
  const given = { workspace: await closedTree(), calls: [{ tool, args }] };
  const [result] = await callsInProcess(given, process.getuid?.() === 0 ? nobody : undefined);
  if (result === undefined) throw new Error("there is no result");
  return result;
}

async function closedTree(): Promise<string> {
  const root = tempTree({ "a.txt": "foo", "closed/b.txt": "foo", "c.txt": "foo" });
  chmodSync(root, 0o755);
  chmodSync(join(root, "closed"), 0o000);
  chmodSync(join(root, "c.txt"), 0o000);
  return root;
}

const linesOf = ({ error, output }: ToolResult): string[] => (error ?? output).split("\n");

test("glob tells how many folders it could not read", async () => {
  const found = await call("glob", { pattern: "**/*.txt" });
  expect(linesOf(found).sort()).toEqual(["(1 folder could not be read: permission denied)", "a.txt", "c.txt"]);
});

test("grep tells how much it could not read", async () => {
  const found = await call("grep", { pattern: "foo" });
  expect(linesOf(found)).toEqual(["a.txt:1:foo", "(2 files or folders could not be read)"]);
});

test("ls of a closed folder says that permission is denied", async () => {
  const result = await call("ls", { path: "closed" });
  expect(result.metadata).toEqual({ code: "EACCES" });
});
