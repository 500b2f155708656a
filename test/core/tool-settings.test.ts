import { expect, test } from "vitest";
import { readToolSettings } from "../../src/core/tool-settings.ts";
import { defineTool, executeTool, type JsonObject, type JsonSchemaArgs, ToolRefusal, z } from "../../src/index.ts";
import { createToolContext } from "../../src/tools/use/run-tool.ts";
import { toolSchema } from "../../src/tools/use/schema.ts";
import { settingsHash, withSettings } from "../../src/tools/use/with-settings.ts";
import { tempTree } from "../tools/temp-tree.ts";

const nested = (levels: number): JsonObject => (levels === 0 ? {} : { in: nested(levels - 1) });
const cycle: Record<string, unknown> = {};
cycle["itself"] = cycle;
const proto = JSON.parse('{"deploy": {"__proto__": {"polluted": true}}}');

test.each([
  ["no object", null, [], "by their names"],
  ["a list", [], [], "by their names"],
  ["a name that no tool can have", { "a b": {} }, ["a b"], 'tool name "a b" must be 1 to 64'],
  ["a name of every object", { constructor: {} }, ["constructor"], "every object of JavaScript has"],
  ["its prototype", JSON.parse('{"__proto__": {"a": 1}}'), ["__proto__"], "every object of JavaScript has"],
  ["a prototype in them", proto, ["deploy"], '"__proto__" is not accepted'],
  ["no settings", { deploy: null }, ["deploy"], "expected an object"],
  ["a list of settings", { deploy: [1] }, ["deploy"], "expected an object"],
  ["a function", { deploy: { run: () => 1 } }, ["deploy"], "JSON cannot hold a function"],
  ["a class's instance", { deploy: { at: new Date(0) } }, ["deploy"], "JSON cannot hold a Date"],
  ["a number that is none", { deploy: { n: Number.NaN } }, ["deploy"], "JSON cannot hold the number NaN"],
  ["a cycle", { deploy: cycle }, ["deploy"], "nested deeper"],
  ["what is too deep", { deploy: nested(500) }, ["deploy"], "nested deeper"],
  ["what is too large", { deploy: { text: "ü".repeat(32_768) } }, ["deploy"], "65547 bytes as JSON, at most 64000"],
  ["too many", Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`t${i}`, {}])), [], "201 tools, at most 200"],
])("%s is refused, and the key named", (_what, given, path, message) => {
  expect(readToolSettings(given)).toEqual({ wrong: [{ path, message: expect.stringContaining(message) }] });
});

test("all that is wrong is told, and what is right is a copy of what was given", () => {
  expect(readToolSettings({ a: 1, b: {}, c: [] })).toMatchObject({ wrong: [{ path: ["a"] }, { path: ["c"] }] });
  const given = { deploy: { hosts: ["a"], most: undefined }, "x-1": {} };
  const read = readToolSettings(given);
  given.deploy.hosts.push("b");
  expect(read).toEqual({ settings: { deploy: { hosts: ["a"] }, "x-1": {} } });
  expect({}).not.toHaveProperty("polluted");
});

const seen = (ctx: { config: JsonObject }): string => JSON.stringify(ctx.config);

test("each method of the tool finds its settings, also those that another context would have given it", async () => {
  const heard: string[] = [];
  const tool = withSettings(
    defineTool({
      name: "deploy",
      description: (ctx) => `described ${seen(ctx)}`,
      args: async (outer): Promise<JsonSchemaArgs<object>> => ({
        jsonSchema: { type: "object", title: seen(outer), properties: { filled: { type: "string" } } },
        parse: (given, ctx) => ({ ...given, parsed: seen(ctx) }),
      }),
      inject: { filled: (ctx) => seen(ctx) },
      validate: (_args, ctx) => void heard.push(`validated ${seen(ctx)}`),
      plan: async (_args, ctx) => ({ summary: `planned ${seen(ctx)}`, cwd: ctx.cwd, settings: "said by itself" }),
      onPartial: (_args, ctx) => void heard.push(`partly ${seen(ctx)}`),
      execute: (args, ctx) => `${JSON.stringify(args)} run ${seen(ctx)} ${ctx.plan?.summary} ${ctx.plan?.settings}`,
    }),
    { to: "a" },
  );
  const workspace = tempTree();
  const ctx = createToolContext({ workspace, config: { to: "elsewhere" } });
  const own = '{"to":"a"}';
  expect(await toolSchema(tool, ctx)).toMatchObject({ description: `described ${own}`, parameters: { title: own } });
  await tool.onPartial?.({}, ctx);
  const { output } = await executeTool(tool, {}, { workspace, config: { to: "elsewhere" } });
  const args = JSON.stringify({ filled: own, parsed: own });
  expect(output).toBe(`${args} run ${own} planned ${own} ${settingsHash(tool)}`);
  expect(heard).toEqual([`partly ${own}`, `validated ${own}`]);
});

test("a tool can change neither its settings nor, by them, those of its next call; nor can whoever gave them", async () => {
  const given = { hosts: ["a"], deep: { n: 1 } };
  const tool = withSettings(
    defineTool({
      name: "deploy",
      description: "Deploys.",
      args: z.object({ how: z.enum(["add", "set", "read"]) }),
      execute: ({ how }, ctx) => {
        if (how === "add") (ctx.config["hosts"] as string[]).push("evil");
        if (how === "set") ctx.config["deep"] = {};
        return seen(ctx);
      },
    }),
    given,
  );
  const hash = settingsHash(tool);
  given.hosts.push("late");
  const workspace = tempTree();
  for (const how of ["add", "set"])
    expect(await executeTool(tool, { how }, { workspace })).toMatchObject({ metadata: { code: "FAILED" } });
  expect((await executeTool(tool, { how: "read" }, { workspace })).output).toBe('{"hosts":["a"],"deep":{"n":1}}');
  expect(settingsHash(tool)).toBe(hash);
});

test("the same settings have one hash in any order of their keys, others another one", () => {
  const tool = defineTool({
    name: "t",
    description: "T.",
    args: z.object({}),
    execute: () => {
      throw new ToolRefusal("FAILED", "not run");
    },
  });
  const hash = (settings: JsonObject) => settingsHash(withSettings(tool, settings));
  expect(hash({ a: 1, b: [2] })).toBe(hash({ b: [2], a: 1 }));
  expect(new Set([hash({ a: 1 }), hash({ a: "1" }), hash({ a: [1] }), settingsHash(tool)]).size).toBe(4);
});
