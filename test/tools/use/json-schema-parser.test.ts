import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/core/json.ts";
import { defineTool } from "../../../src/core/tool.ts";
import { executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { parseByJsonSchema } from "../../../src/tools/use/json-schema-parser.ts";
import { tempTree } from "../temp-tree.ts";

const schema: JsonObject = {
  type: "object",
  properties: {
    path: { type: "string" },
    depth: { type: "integer", default: 2, maximum: 9 },
    filter: { type: "object", properties: { kinds: { type: "array", default: ["file"] } } },
    places: { type: "array", items: { type: "object", properties: { deep: { type: "boolean", default: true } } } },
    db: {},
  },
  required: ["path", "db"],
  additionalProperties: false,
};

it("what is not given has its default, at any depth, and nothing given is changed", async () => {
  const given = { path: "a", filter: {}, places: [{}, { deep: false }], db: 1 };
  const before = structuredClone(given);
  expect(await parseByJsonSchema(schema, given)).toEqual({
    ok: true,
    value: { ...given, depth: 2, filter: { kinds: ["file"] }, places: [{ deep: true }, { deep: false }] },
  });
  expect(given).toEqual(before);
});

it.each<[JsonObject, string | undefined, string]>([
  [{ db: 1 }, undefined, 'Instance does not have required property "path"'],
  [{ path: "a", db: 1, depth: 10 }, "depth", "depth: 10 is greater than 9"],
  [{ path: "a", db: 1, more: 1 }, undefined, 'Property "more" does not match additional properties schema'],
  [
    { path: "a", db: 1, places: [{ deep: "yes" }] },
    "places",
    'places.0.deep: Instance type "string" is invalid. Expected "boolean"',
  ],
])("what does not fit is told by its place: %j", async (given, at, message) => {
  expect(await parseByJsonSchema(schema, given)).toEqual({ ok: false, at, message });
});

it("what is filled in and is no JSON is not checked, and stays what it is", async () => {
  const db = (): number => 1;
  const parsed = await parseByJsonSchema(schema, { path: "a", db });
  expect(parsed).toMatchObject({ ok: true, value: { path: "a", db } });
  expect(await parseByJsonSchema(schema, { path: 1, db })).toMatchObject({ ok: false, at: "path" });
});

it("a name of the model's that is no Unicode is refused to it, and throws nothing that would stop the run", async () => {
  const tool = defineTool({
    name: "count",
    description: "Counts.",
    args: { jsonSchema: { type: "object", additionalProperties: { type: "number" } } },
    execute: () => "counted",
  });
  const workspace = tempTree({});
  expect(await executeTool(tool, { "\ud800": "x" }, { workspace })).toMatchObject({
    metadata: { code: "INVALID_ARGUMENT" },
  });
  expect(await executeTool(tool, { a: 1 }, { workspace })).toMatchObject({ output: "counted" });
});

it("a schema that cannot be checked by is a defect of the tool, and says where", async () => {
  const made = parseByJsonSchema({ type: "object", properties: { a: { pattern: "(" } } }, {});
  await expect(made).rejects.toThrow(
    "the JSON Schema of its arguments cannot be used: /properties/a/pattern: it has to be a pattern of JavaScript",
  );
});

it("a pattern that comes to no end is ended, and all else goes on meanwhile", async () => {
  const evil: JsonObject = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
  const ended: string[] = [];
  const checked = parseByJsonSchema(evil, { a: `${"a".repeat(40)}!` }).finally(() => ended.push("the check"));
  for (let turns = 0; turns < 20; turns += 1) await new Promise((next) => setImmediate(next));
  ended.push("twenty turns");
  const message = expect.stringContaining("a pattern of the schema does not come to an end with it");
  expect(await checked).toEqual({ ok: false, at: undefined, message });
  expect(ended).toEqual(["twenty turns", "the check"]);
  expect(await parseByJsonSchema(evil, { a: "aaa" })).toMatchObject({ ok: true });
});
