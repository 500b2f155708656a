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

test.each([
  ["everywhere", "a".repeat(300_000), "TOO_LARGE"],
  ["but for its beginning", `b${"a".repeat(300_000)}`, "NOT_FOUND"],
  ["but for its middle", `${"a".repeat(150_000)}b${"a".repeat(150_000)}`, "NOT_FOUND"],
])("an edit of a text that repeats itself and stands %s ends soon", async (_, old_string, code) => {
  const workspace = tempTree({ "a.txt": "a".repeat(4_000_000) });
  const edit = { file_path: "a.txt", old_string, new_string: "b" };
  expect(await call(workspace, "edit_file", edit)).toMatchObject({ code });
});

test("an edit of a long text is made where it stands, in one place or in all", async () => {
  const long = `${"ab".repeat(100)}c`;
  const workspace = tempTree({ "a.txt": `ab${long}${long}x`, "b.txt": `ab${long}x` });
  const edit = { old_string: long, new_string: "y" };
  expect(await call(workspace, "edit_file", { file_path: "a.txt", ...edit })).toMatchObject({ code: "NOT_UNIQUE" });
  await call(workspace, "edit_file", { file_path: "a.txt", ...edit, replace_all: true });
  await call(workspace, "edit_file", { file_path: "b.txt", ...edit });
  expect(["a.txt", "b.txt"].map((name) => readFileSync(join(workspace, name), "utf8"))).toEqual(["abyyx", "abyx"]);
});

describe("an edit of lines that are all alike", () => {
  const [text, lines] = ["a\n".repeat(400_000), "a\n".repeat(50_000)];

  test.each(["exact", "flexible"])("ends soon in mode %s where the last one is nowhere", async (mode) => {
    const edit = { file_path: "a.txt", old_string: `${lines}b`, new_string: "x", mode };
    const { code, output } = await call(tempTree({ "a.txt": text }), "edit_file", edit);
    expect([code, output]).toEqual(["NOT_FOUND", expect.anything()]);
  });

  test.each([
    ["exact", { old_string: `${lines} a`, new_string: "x" }, "NOT_FOUND"],
    ["flexible", { old_string: `${lines} a`, new_string: "x" }, "TOO_LARGE"],
    ["flexible", { old_string: " a", new_string: "x".repeat(10_000) }, "NOT_UNIQUE"],
  ])("ends soon in mode %s where it matches nearly everywhere", async (mode, edit, code) => {
    const workspace = tempTree({ "a.txt": text });
    expect(await call(workspace, "edit_file", { file_path: "a.txt", ...edit, mode })).toMatchObject({ code });
  });

  test.each([
    ["  a\n  b\n  a\n  b\n  a\n  c\n", "a\nb\na\nc\n", "x\n", "  a\n  b\n  x\n"],
    ["\tif x:\n\t\ty\n", "if x:\n    y", "if z:\n    y", "\tif z:\n\t\ty\n"],
  ])("that is in %j is made where it is", async (before, old_string, new_string, after) => {
    const workspace = tempTree({ "a.txt": before });
    const edit = { file_path: "a.txt", old_string, new_string, mode: "flexible" };
    expect(await call(workspace, "edit_file", edit)).toMatchObject({ code: undefined });
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe(after);
  });
});
