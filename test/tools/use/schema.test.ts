import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../src/core/tool.ts";
import { createToolContext } from "../../../src/tools/use/run-tool.ts";
import { toolSchema } from "../../../src/tools/use/schema.ts";

const ctx = createToolContext({ workspace: "/ws" });
const execute = async (): Promise<string> => "";

test("the model is told of each visible field with its description, and of no other", async () => {
  const tool = defineTool({
    name: "find",
    description: "Finds.",
    args: z.object({
      query: z.string().describe("What to find."),
      limit: z.int().min(1).default(10).describe("How many."),
      user: z.string(),
      region: z.string(),
      filter: z.object({ kind: z.enum(["a", "b"]) }).optional(),
    }),
    hidden: ["user"],
    inject: { user: "me", region: "eu" },
    execute,
  });
  expect(await toolSchema(tool, ctx)).toEqual({
    name: "find",
    description: "Finds.",
    parameters: {
      type: "object",
      properties: {
        query: { type: "string", description: "What to find." },
        limit: { type: "integer", minimum: 1, default: 10, description: "How many." },
        region: { type: "string" },
        filter: {
          type: "object",
          properties: { kind: { type: "string", enum: ["a", "b"] } },
          required: ["kind"],
          additionalProperties: false,
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
  });
});

test("description and schema may be made for the context", async () => {
  const tool = {
    name: "here",
    description: async (at: { workspace: string }) => `Works in ${at.workspace}.`,
    args: () => z.strictObject({}),
    execute,
  };
  expect(await toolSchema(tool, ctx)).toEqual({
    name: "here",
    description: "Works in /ws.",
    parameters: { type: "object", properties: {}, additionalProperties: false },
  });
});

test("fields named like words of JSON Schema are fields all the same", async () => {
  const inner = z.object({ required: z.boolean() });
  const tool = defineTool({ name: "t", description: "", args: z.object({ enum: inner, default: inner }), execute });
  const field = {
    type: "object",
    properties: { required: { type: "boolean" } },
    required: ["required"],
    additionalProperties: false,
  };
  const { parameters } = await toolSchema(tool, ctx);
  expect(parameters).toMatchObject({ properties: { enum: field, default: field } });
});

test("parts of an intersection are not closed against each other, nor is a loose object", async () => {
  const args = z.strictObject({
    both: z.intersection(z.union([z.looseObject({ a: z.int() }), z.null()]), z.object({ b: z.int() })),
    loose: z.looseObject({ a: z.int() }),
  });
  const { parameters } = await toolSchema(defineTool({ name: "t", description: "", args, execute }), ctx);
  expect(JSON.stringify(parameters["properties"])).not.toContain('"additionalProperties":false');
});

test("what JSON Schema cannot say is open, not a failure", async () => {
  const args = z.strictObject({ day: z.date(), size: z.string().transform(Number) });
  const { parameters } = await toolSchema(defineTool({ name: "t", description: "", args, execute }), ctx);
  expect(parameters["properties"]).toEqual({ day: {}, size: { type: "string" } });
});

test("nothing of a hidden field is in the schema, however the schema is made", async () => {
  const key = z.string().describe("the key").default("k3y").meta({ id: "Key" });
  const one = z.object({ text: z.string(), key }).meta({ id: "One", examples: [{ text: "t", key: "k3y" }] });
  const other = z.object({ path: z.string(), key });
  const shapes: z.ZodType[] = [
    one,
    other.default({ path: "p", key: "k3y" }),
    z.union([one, other]),
    z.discriminatedUnion("kind", [one.extend({ kind: z.literal(1) }), other.extend({ kind: z.literal(2) })]),
    z.intersection(z.union([one, other]), z.object({ more: z.string(), key })),
  ];
  for (const args of shapes) {
    const tool = { name: "t", description: "", args, hidden: ["key"], execute };
    const told = JSON.stringify((await toolSchema(tool, ctx)).parameters);
    expect(told).toMatch(/"(text|path)":\{"type":"string"\}/);
    expect(told).not.toMatch(/k3y|key/i);
  }
});
