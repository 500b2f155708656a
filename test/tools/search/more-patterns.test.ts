import { describe, expect, it } from "vitest";
import type { Tool } from "../../../src/core/tool.ts";
import { executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { createDefaultTools } from "../../../src/tools/create-default-tools.ts";
import { createGlobTool } from "../../../src/tools/search/glob.ts";
import { createGrepTool } from "../../../src/tools/search/grep.ts";
import { tempTree } from "../temp-tree.ts";

const files = {
  ".gitignore": "*.tmp\n!keep.log\n",
  "a.ts": "word\n",
  "a.tmp": "word\n",
  "b.log": "word\n",
  "keep.log": "word\n",
  "gen/c.ts": "word\n",
  "gen/deep/d.ts": "word\n",
  "src/gen/e.ts": "word\n",
  "src/[x].ts": "word\n",
};

const filesIn = (output: string): string[] =>
  output
    .split("\n")
    .filter((line) => /\.(ts|log|tmp)(:|$)/.test(line) && !line.startsWith("("))
    .map((line) => line.replace(/:1:word$/, ""))
    .toSorted();

async function found(tool: Tool, args: object, workspace: string): Promise<string[]> {
  return filesIn((await executeTool(tool, args, { workspace })).output);
}

/** What each searcher finds below `path`. */
async function searches(ignore: string[], workspace: string, path = "."): Promise<string[][]> {
  return Promise.all([
    found(createGlobTool({ ignore }), { pattern: "**/*", path }, workspace),
    found(createGrepTool({ ignore }), { pattern: "word", path }, workspace),
  ]);
}

describe("patterns beside those of .gitignore", () => {
  it.each([
    [["*.log"], ["a.ts", "gen/c.ts", "gen/deep/d.ts", "src/[x].ts", "src/gen/e.ts"]],
    [["gen/"], ["a.ts", "b.log", "keep.log", "src/[x].ts"]],
    [["/gen"], ["a.ts", "b.log", "keep.log", "src/[x].ts", "src/gen/e.ts"]],
    [["gen/**"], ["a.ts", "b.log", "keep.log", "src/[x].ts", "src/gen/e.ts"]],
    [
      ["*.log", "!keep.log"],
      ["a.ts", "gen/c.ts", "gen/deep/d.ts", "keep.log", "src/[x].ts", "src/gen/e.ts"],
    ],
    [["!a.tmp"], ["a.ts", "b.log", "gen/c.ts", "gen/deep/d.ts", "keep.log", "src/[x].ts", "src/gen/e.ts"]],
    [
      ["\\[x].ts", "# a note", "[", "  "],
      ["a.ts", "b.log", "gen/c.ts", "gen/deep/d.ts", "keep.log", "src/gen/e.ts"],
    ],
  ])("%j leave the same out of every search", async (ignore, left) => {
    const workspace = tempTree(files);
    expect(await searches(ignore, workspace)).toEqual([left, left]);
  });

  it("are told in every search, with how many names they left out and which, but for those that may not be told", async () => {
    const workspace = tempTree({ ...files, "gen/.env": "word\n", ".env.local": "word\n", "src/old.log": "word\n" });
    const told = async (ignore: string[], path: string, include?: string): Promise<string[]> => {
      const notes = [createGlobTool({ ignore }), createGrepTool({ ignore })];
      const texts = notes.map(async (tool, index) => {
        const args =
          index === 0 ? { pattern: "**/*", path } : { pattern: "nothing", path, ...(include && { include }) };
        const { output } = await executeTool(tool, args, { workspace });
        return output.split("\n").filter((line) => line.startsWith("(the settings"));
      });
      return (await Promise.all(texts)).flat();
    };
    const twice = (text: string) => [text, text];
    expect(await told(["*.log", "gen"], ".")).toEqual(
      twice("(the settings' ignore left out 5 names: b.log, gen, keep.log, src/gen, src/old.log)"),
    );
    const [byName, byContent] = await told(["*"], ".", "*.nothing");
    expect(byName).toBe(
      "(the settings' ignore left out 7 names: .env.local, .gitignore, a.ts, b.log, gen, and 2 more)",
    );
    const text = "(the settings' ignore left out 7 names: .gitignore, a.ts, b.log, gen, keep.log, and 2 more)";
    expect(byContent).toBe(text);
    expect((await told([".env.local"], ".")).slice(1)).toEqual(["(the settings' ignore left out 1 name)"]);
    expect(await told(["gen", "*.none"], "gen")).toEqual([]);
    expect(await told([], ".")).toEqual([]);
  });

  it("hide nothing in a folder that is asked for by name", async () => {
    const workspace = tempTree(files);
    const inside = ["gen/c.ts", "gen/deep/d.ts"];
    expect(await searches(["gen"], workspace, "gen")).toEqual([inside, inside]);
  });

  it("are found anew by workspace where they come from a function", async () => {
    const workspace = tempTree(files);
    const asked: string[] = [];
    const tools = createDefaultTools({
      workspace,
      ignore: async (at) => {
        asked.push(at);
        return ["gen", "src"];
      },
    });
    const ls = tools.find((tool) => tool.name === "ls");
    if (ls === undefined) throw new Error("no ls");
    const { output } = await executeTool(ls, {}, { workspace });
    expect(output.split("\n")).toEqual([
      ".gitignore",
      "a.ts",
      "b.log",
      "keep.log",
      "(3 ignored, left out: a.tmp, gen, src)",
    ]);
    expect(asked).toEqual([workspace]);
  });
});
