import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { limits } from "../../src/core/limits.ts";
import { executeTool } from "../../src/graph/calls/execute-tool.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { tempTree } from "../tools/temp-tree.ts";

async function call(workspace: string, name: string, args: object): Promise<{ code: unknown; output: string }> {
  const tool = createDefaultTools({ workspace }).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const { output, metadata } = await executeTool(tool, args, { workspace });
  return { code: metadata?.["code"], output };
}

test.each(["a.txt/", "a.txt//", "a.txt/.", "new.txt/"])(
  "%s names a folder, for every tool of files alike",
  async (file_path) => {
    const workspace = tempTree({ "a.txt": "one\n" });
    const codes = [
      await call(workspace, "read_file", { file_path }),
      await call(workspace, "write_file", { file_path, content: "two\n" }),
      await call(workspace, "edit_file", { file_path, old_string: "one", new_string: "two" }),
    ].map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(["IS_DIRECTORY"]));
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("one\n");
  },
);

describe.each(["exact", "regex"])("an edit in mode %s", (mode) => {
  const { most } = limits.editPlaces;
  const edit = { file_path: "a.txt", old_string: "a", new_string: "b", mode, replace_all: true };

  test("of as many places as there may be is made", async () => {
    const workspace = tempTree({ "a.txt": "a\n".repeat(most) });
    expect(await call(workspace, "edit_file", edit)).toMatchObject({ code: undefined });
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("b\n".repeat(most));
  });

  test("of one more is refused, and nothing is changed", async () => {
    const workspace = tempTree({ "a.txt": "a\n".repeat(most + 1) });
    expect(await call(workspace, "edit_file", edit)).toMatchObject({ code: "TOO_LARGE" });
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("a\n".repeat(most + 1));
  });
});
