import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ToolRefusal } from "../../src/core/codes.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Tool, ToolArgs } from "../../src/core/tool.ts";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import type { Policy } from "../../src/policy/types.ts";
import { createToolRegistry } from "../../src/tools/registry.ts";
import { createToolCatalogue } from "../../src/tools/tool-catalogue.ts";
import { parseArguments } from "../../src/tools/use/arguments.ts";
import { createToolContext } from "../../src/tools/use/run-tool.ts";
import { toolSchema } from "../../src/tools/use/schema.ts";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { placeWithTools } from "../support/tool-files.ts";
import { tempTree } from "../tools/temp-tree.ts";

const token = "s3cret/01 23";
const forms = [token, "s3cret", encodeURIComponent(token)];
const args = z.object({ text: z.string(), token: z.string() });
const place = createToolContext({ workspace: "/", sessionId: "s1", uid: "ada" });

const toolOf = (more: Partial<Tool>): Tool =>
  ({
    ...{ name: "sign", description: "Signs.", args, hidden: ["token"], inject: { token }, effect: "none" },
    ...{ execute: () => "" },
    ...more,
  }) as Tool;

const untold = (value: unknown): void => {
  for (const form of forms) expect(JSON.stringify(value)).not.toContain(form);
};

type Thrown = () => never;
const throws =
  (error: Error): Thrown =>
  () => {
    throw error;
  };

describe("the value of a hidden parameter is not told by what its author's own code says", () => {
  const schema: JsonObject = { type: "object", properties: { text: { type: "string" }, token: { type: "string" } } };
  const parsing = (parse: (given: JsonObject) => unknown): ToolArgs<unknown> =>
    ({ jsonSchema: schema, parse }) as ToolArgs<unknown>;

  test.each<[string, Partial<Tool>]>([
    [
      "zod's message",
      {
        args: args.superRefine((given, ctx) =>
          ctx.addIssue({ code: "custom", message: `no ${given.token}!`, path: ["text"] }),
        ) as unknown as Tool["args"],
      },
    ],
    ["a transform that throws", { args: args.transform(throws(new Error(`bad ${token}`))) as unknown as Tool["args"] }],
    [
      "a transform that puts it into another argument",
      { args: args.transform((given) => ({ text: given.token })) as unknown as Tool["args"] },
    ],
    ["validate", { validate: (given) => `cannot sign with ${(given as { token: string }).token}` }],
    ["validate, as a URL has it", { validate: () => `not at https://a.example/?key=${encodeURIComponent(token)}` }],
    ["validate that throws", { validate: throws(new Error(token)) }],
    ["validate that refuses", { validate: throws(new ToolRefusal("FORBIDDEN" as never, `${token} may not`)) }],
    ["parse that throws", { args: parsing(throws(new Error(`${token} is bad`))) }],
    ["parse that refuses", { args: parsing(throws(new ToolRefusal("NOT_FOUND", `${token} is bad`))) }],
    ["parse that makes it another argument", { args: parsing((given) => ({ text: given["token"] })) }],
  ])("%s", async (_, more) => {
    const parsed = await parseArguments(toolOf(more), { text: "a" }, place).catch((error: Error) => ({
      ok: false,
      message: error.message,
    }));
    untold(parsed.ok && "canonical" in parsed ? parsed.canonical : parsed);
    if (!parsed.ok) expect(JSON.stringify(parsed)).toContain("[hidden]");
  });

  test("a value that is no text, and the schema's own preset", async () => {
    const parts = z.object({ text: z.string(), token: z.any(), rounds: z.int().default(40_417) });
    const tool = toolOf({
      args: parts as unknown as Tool["args"],
      ...{ hidden: ["token", "rounds"], inject: { token: () => ({ keys: [token], pin: "x1" }) } },
      validate: (given) => `${JSON.stringify(given)} pin x1, not x12`,
    });
    const parsed = await parseArguments(tool, { text: "a" }, place);
    untold(parsed);
    expect(JSON.stringify(parsed)).not.toMatch(/40417|pin x1,/);
    expect(JSON.stringify(parsed)).toContain("not x12");
  });

  const policy: Policy = { rules: [], grants: [], mode: "full-auto", sealed: { roots: [] } };

  test.each<[string, Partial<Tool>]>([
    [
      "says",
      {
        plan: async (given, { cwd }) => ({
          summary: `sign by ${(given as { token: string }).token}`,
          cwd,
          warnings: [token],
          confirm: token,
        }),
      },
    ],
    ["throws", { plan: throws(new Error(`no ${token}`)) }],
    ["refuses", { plan: throws(new ToolRefusal("NOT_FOUND", `no ${token}`)) }],
  ])("plan: what it %s", async (_, more) => {
    const workspace = tempTree();
    const ctx = createToolContext({ workspace, sessionId: "s1", callId: "c1" });
    const prepared = await prepareCall(toolOf(more), { text: "a" }, ctx, policy);
    untold(prepared.kind === "ready" ? [prepared.plan, prepared.canonical, prepared.verdict] : prepared);
    expect(JSON.stringify(prepared)).toContain("[hidden]");
  });

  test("also by a tool of a file, to the model and in the record", async () => {
    const file = `import { defineTool, z } from "holdfast";
const tool = (name, more) => defineTool({ name, description: "Signs.", effect: "none", args: z.object({ text: z.string(), token: z.string() }),
  hidden: ["token"], inject: { token: "s3cret-0123" }, execute: () => "signed", ...more });
export default [
  tool("checks", { validate: ({ token }) => "not with " + token }),
  tool("plans", { plan: ({ token }, { cwd }) => ({ summary: "sign by " + token, cwd }) }),
  tool("fails", { plan: ({ token }) => { throw new Error("no " + token); } }),
];`;
    const answers = ["checks", "plans", "fails"].map((name) => asks(name, { text: "a" }));
    const at = await placeWithTools({ "sign.mjs": file }, [...answers, says("Done.")]);
    const ran = await at.json(["run", "sign", "--mode", "full-auto"]);
    const exported = await at.run(["sessions", "export", ran.session]);
    const told = [ran.stdout, exported.stdout, JSON.stringify(at.server.requests.map(({ body }) => body))];
    for (const text of told) expect(text).not.toContain("s3cret-0123");
    expect(told[2]).toContain("not with [hidden]");
  });

  test("the model's own words, and paths that it knows, stay", async () => {
    const tool = toolOf({
      args: z.object({ text: z.string(), workspace: z.string(), token: z.string() }) as unknown as Tool["args"],
      hidden: ["workspace", "token"],
      validate: (given) =>
        `there is no ${(given as { workspace: string }).workspace}/${(given as { text: string }).text}`,
    });
    expect(await parseArguments(tool, { text: "notes" }, { ...place, workspace: "/home/ada/work" })).toMatchObject({
      message: "sign: there is no /home/ada/work/notes",
    });
  });
});

describe("the schema that the model is told of says nothing of a hidden parameter", () => {
  const told = {
    type: "object",
    properties: { text: { type: "string", default: "a", examples: ["b"] }, token: { type: "string" } },
  };

  test.each<[string, JsonObject]>([
    ["examples", { ...told, examples: [{ token }] }],
    ["default", { ...told, default: { token } }],
    ["an example", { ...told, example: { token } }],
    ["const", { ...told, const: { text: "a", token } }],
    ["enum", { ...told, enum: [{ text: "a", token }] }],
    [
      "if, then and else",
      { ...told, if: { properties: { token: { const: token } } }, else: { properties: { token: { default: token } } } },
    ],
    ["not", { ...told, not: { properties: { token: { const: token } } } }],
    ["dependentSchemas", { ...told, dependentSchemas: { token: { properties: { text: { const: token } } } } }],
    ["a pattern of names", { ...told, patternProperties: { "^tok": { const: token } } }],
    ["a field that no draft has", { ...told, "x-sample": { token } }],
    ["an alternative", { anyOf: [{ ...told, examples: [{ token }], if: { const: token } }] }],
    ["a part", { allOf: [told, { properties: { token: { default: token } } }] }],
    ["definitions that nothing names", { ...told, $defs: { Token: { default: token } } }],
    [
      "a definition that is the arguments, and names itself",
      {
        $ref: "#/$defs/Args",
        $defs: {
          Args: {
            ...told,
            examples: [{ token }],
            properties: { ...told.properties, token: { default: token }, inner: { $ref: "#/$defs/Args" } },
          },
        },
      },
    ],
  ])("%s", async (_, jsonSchema) => {
    const { parameters } = await toolSchema(toolOf({ args: { jsonSchema } as Tool["args"] }), place);
    untold(parameters);
    expect(JSON.stringify(parameters)).not.toContain('"token"');
    expect(JSON.stringify(parameters)).toContain('"text"');
  });

  test("what it says of the others stays, and all of it where nothing is hidden", async () => {
    const jsonSchema: JsonObject = { ...told, description: "All.", if: { properties: { text: { const: "b" } } } };
    const { parameters } = await toolSchema(toolOf({ args: { jsonSchema } as Tool["args"] }), place);
    expect(parameters).toEqual({ type: "object", description: "All.", properties: { text: told.properties.text } });
    const open = toolOf({ args: { jsonSchema } as Tool["args"], hidden: [], inject: {} });
    expect((await toolSchema(open, place)).parameters).toEqual(jsonSchema);
  });
});

describe("a tool has no name that every object has", () => {
  test.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"])("%s", (name) => {
    expect(() => createToolCatalogue([toolOf({ name })])).toThrow(
      `"${name}" is one that every object of JavaScript has`,
    );
    expect(() => createToolRegistry([toolOf({ name })])).toThrow("choose another");
  });

  test("names that only look like it are taken", () => {
    const names = ["proto", "__proto", "to_string", "construct", "prototype"];
    const tools = createToolCatalogue(names.map((name) => toolOf({ name })));
    expect(tools.all().map(({ name }) => name)).toEqual(names);
  });

  test("a model that calls one is told that there is none", async () => {
    const at = await openPlace([asks("__proto__", {}), asks("constructor", {}), says("Done.")]);
    const ran = await at.json(["run", "x"]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { error: 2 } } });
    expect([at.heard(1, -1), at.heard(2, -1)].join()).toMatch(/UNKNOWN_TOOL.*UNKNOWN_TOOL/s);
  });
});
