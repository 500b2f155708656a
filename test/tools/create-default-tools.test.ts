import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Tool } from "../../src/core/tool.ts";
import { executeTool } from "../../src/graph/calls/execute-tool.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { createToolCatalogue } from "../../src/tools/tool-catalogue.ts";
import { createToolContext } from "../../src/tools/use/run-tool.ts";
import { toolSchema } from "../../src/tools/use/schema.ts";
import { tempTree } from "./temp-tree.ts";

const toolsIn = (workspace: string, memoryFile?: string) =>
  createToolCatalogue(createDefaultTools({ workspace, ...(memoryFile === undefined ? {} : { memoryFile }) }));

const toolOf = (workspace: string, name: string, memoryFile?: string): Tool => {
  const tool = toolsIn(workspace, memoryFile).get(name);
  if (tool === undefined) throw new Error(`no ${name}`);
  return tool;
};

test("twelve tools, in the order the model is told of them, with their risk and effect", () => {
  expect(
    toolsIn("/ws")
      .all()
      .map(({ name, risk, effect }) => [name, risk, effect]),
  ).toEqual([
    ["read_file", "low", "none"],
    ["write_file", "medium", "file"],
    ["edit_file", "medium", "file"],
    ["ls", "low", "none"],
    ["glob", "low", "none"],
    ["grep", "low", "none"],
    ["save_memory", "low", "store"],
    ["goal", "low", "store"],
    ["shell", "medium", "once"],
    ["shell_output", "low", "none"],
    ["shell_stop", "low", "store"],
    ["web_fetch", "medium", "none"],
  ]);
});

describe("what the model is told", () => {
  const ctx = createToolContext({ workspace: "/ws" });
  test.each([
    ["read_file", ["file_path", "offset", "limit"], ["file_path"]],
    ["write_file", ["file_path", "content"], ["file_path", "content"]],
    [
      "edit_file",
      ["file_path", "old_string", "new_string", "mode", "replace_all"],
      ["file_path", "old_string", "new_string"],
    ],
    ["ls", ["path", "ignore"], undefined],
    ["glob", ["pattern", "path"], ["pattern"]],
    ["grep", ["pattern", "path", "include", "ignore_case", "context", "max_results"], ["pattern"]],
    ["save_memory", ["fact", "scope"], ["fact"]],
    ["goal", ["action", "id", "text", "parent", "summary"], ["action"]],
    ["shell", ["command", "description", "cwd", "timeout_ms", "network", "workspace", "background"], ["command"]],
    ["shell_output", ["id", "since"], ["id"]],
    ["shell_stop", ["id"], ["id"]],
    ["web_fetch", ["url", "max_chars", "start", "format", "method", "headers", "body"], ["url"]],
  ])("%s", async (name, fields, required) => {
    const { parameters, description } = await toolSchema(toolOf("/ws", name), ctx);
    const properties = parameters["properties"] as Record<string, { description?: string }>;
    expect(Object.keys(properties)).toEqual(fields);
    expect(parameters["required"]).toEqual(required);
    expect(parameters["additionalProperties"]).toBe(false);
    expect(Object.values(properties).filter((field) => (field.description ?? "").length < 10)).toEqual([]);
    expect(description.length).toBeGreaterThan(20);
  });
});

test("a memory is saved where a memory file is given", async () => {
  const workspace = tempTree();
  const memoryFile = join(workspace, "home", "CONTEXT.md");
  const result = await executeTool(toolOf(workspace, "save_memory", memoryFile), { fact: "likes tabs" }, { workspace });
  expect(result.error).toBeUndefined();
  expect(readFileSync(memoryFile, "utf8")).toContain("- likes tabs");
});

test("without one save_memory refuses and says why", async () => {
  const workspace = tempTree();
  const result = await executeTool(toolOf(workspace, "save_memory"), { fact: "likes tabs" }, { workspace });
  expect(result).toMatchObject({
    error: expect.stringContaining("no memory file is configured"),
    metadata: { code: "NOT_FOUND" },
  });
});

test("the tools work together on one folder: write, list, find, search, edit, read", async () => {
  const workspace = tempTree();
  const run = async (name: string, args: object): Promise<string> => {
    const result = await executeTool(toolOf(workspace, name), args, { workspace });
    if (result.error !== undefined) throw new Error(result.error);
    return result.output;
  };
  await run("write_file", { file_path: "src/a.ts", content: "one\ntwo\n" });
  expect(await run("ls", {})).toBe("src/");
  expect(await run("glob", { pattern: "**/*.ts" })).toBe("src/a.ts");
  expect(await run("grep", { pattern: "two" })).toBe("src/a.ts:2:two");
  await run("edit_file", { file_path: "src/a.ts", old_string: "two", new_string: "three" });
  expect(await run("read_file", { file_path: "src/a.ts" })).toContain("     2\tthree");
});
