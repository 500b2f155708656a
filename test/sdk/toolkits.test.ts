import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  createDefaultTools,
  createToolkits,
  createToolRegistry,
  defineTool,
  type Tool,
  type Toolkit,
  z,
} from "../../src/index.ts";
import { tempTree } from "../tools/temp-tree.ts";

const namesOf = (tools: readonly Tool[] = []): string[] => tools.map(({ name }) => name);

const plain = (name: string, audience?: "person"): Tool =>
  defineTool({
    name,
    description: "d",
    args: z.strictObject({ word: z.string() }),
    risk: "low",
    ...(audience === undefined ? {} : { audience }),
    execute: async ({ word }) => ({ output: `${name} heard ${word}` }),
  });

const kits = {
  lead: ["*", "!shell*"],
  search: ["grep", "web_*"],
  none: ["!*"],
};

function openKits() {
  const workspace = tempTree({ "a.txt": "needle\n" });
  const library = createToolRegistry(createDefaultTools({ workspace }));
  const toolkits = createToolkits(kits, library);
  return { workspace, library, toolkits, of: (name: string) => toolkits.toolkitOf(name) as Toolkit };
}

test("each agent has the tools that its patterns name, of those that there are now", async () => {
  const { library, toolkits, of } = openKits();
  expect(namesOf(await toolkits.list("search"))).toEqual(["grep", "web_fetch"]);
  expect(namesOf(await of("search").list())).toEqual(["grep", "web_fetch"]);
  expect(await of("none").list()).toEqual([]);
  expect(namesOf(await of("lead").list())).toEqual(
    namesOf(await toolkits.list()).filter((name) => !name.startsWith("shell")),
  );
  library.register(plain("web_cache")).register(plain("web_private", "person"));
  expect(namesOf(await of("search").list())).toEqual(["grep", "web_fetch", "web_cache"]);
  library.remove("grep");
  expect(await of("search").get("grep")).toBeUndefined();
  expect(namesOf(await toolkits.list())).not.toContain("web_private");
});

test("a tool of the toolkit runs as executeTool runs it; one outside is not there for the agent, and does nothing", async () => {
  const { workspace, library, of } = openKits();
  expect(await of("search").execute("grep", { pattern: "needle" }, { workspace })).toMatchObject({
    output: expect.stringContaining("a.txt"),
  });
  expect(await of("search").execute("grep", { pattern: 1, also: 2 }, { workspace })).toMatchObject({
    metadata: { code: "INVALID_ARGUMENT" },
  });
  const written = { file_path: "b.txt", content: "b" };
  expect(await of("search").execute("write_file", written, { workspace })).toEqual({
    output: "",
    error: '"write_file" is not available to search; the tools are grep, web_fetch',
    metadata: { code: "UNKNOWN_TOOL" },
  });
  expect(existsSync(join(workspace, "b.txt"))).toBe(false);
  expect((await of("search").execute("web_fetchh", {}, { workspace })).error).toContain("did you mean web_fetch?");
  expect((await of("none").execute("zzz", {}, { workspace })).error).toBe(
    '"zzz" is not available to none; there are no tools',
  );
  library.register(plain("web_private", "person"));
  expect(await of("search").execute("web_private", { word: "x" }, { workspace })).toMatchObject({
    metadata: { code: "UNKNOWN_TOOL" },
  });
  expect((await of("lead").execute("write_file", written, { workspace })).error).toBeUndefined();
  expect(existsSync(join(workspace, "b.txt"))).toBe(true);
});

test("what is no toolkit is none: names that there are not, and sets that would be of every tool by mistake", async () => {
  const { toolkits } = openKits();
  for (const name of ["other", "__proto__", "constructor", ""]) expect(toolkits.toolkitOf(name)).toBeUndefined();
  await expect(toolkits.list("other")).rejects.toThrow('there is no toolkit "other"');
  expect(() => createToolkits({ a: [] }, [])).toThrow("the toolkit a has no pattern");
  expect(() => createToolkits({ a: ["read file"] }, [])).toThrow('"read file" is not a name of a tool');
  expect(() => createToolkits({ a: ["*"] }, [plain("x"), plain("x")])).toThrow("two tools are named x");
  const patterns = ["x"];
  const kept = createToolkits({ a: patterns }, [plain("x"), plain("y")]);
  patterns.push("y");
  expect(namesOf(await kept.list("a"))).toEqual(["x"]);
});
