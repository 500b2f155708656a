import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import { schemaProblem } from "../../../src/core/json-schema/keywords.ts";
import { misfitsOf, misfitText } from "../../../src/core/json-schema/misfits.ts";

const misfits = (schema: JsonObject, value: Json): string[] => misfitsOf(schema, value, 1_000).map(misfitText);

describe("a schema", () => {
  it.each<[Json, string]>([
    [[], "a schema is a JSON object"],
    ["text", "a schema is a JSON object"],
    [{ name: "Otter" }, "no keyword of JSON Schema is in it"],
    [{ type: "text" }, "/type: it has to be one of object, array, string, number, integer, boolean, null, or a list"],
    [{ properties: { a: { type: ["string", 1] } } }, "/properties/a/type: it has to be one of"],
    [{ properties: [] }, "/properties: it has to be an object of schemas"],
    [{ properties: { a: 1 } }, "/properties/a: a schema is an object, true or false"],
    [{ required: "a" }, "/required: it has to be a list of names"],
    [{ anyOf: [] }, "/anyOf: it has to be a list of schemas"],
    [{ items: [{ minLength: -1 }] }, "/items/0/minLength: it has to be a whole number of 0 or more"],
    [{ pattern: "(" }, "/pattern: it has to be a pattern of JavaScript"],
    [{ patternProperties: { "(": {} } }, '/patternProperties: "(" is no pattern of JavaScript'],
    [{ $dynamicRef: "#a" }, "/$dynamicRef: this keyword cannot be checked here"],
    [{ exclusiveMinimum: true }, "/exclusiveMinimum: it has to be a number"],
    [{ $ref: "https://example.com/s.json" }, '/$ref: "https://example.com/s.json" leads out of the schema'],
    [{ properties: { a: { $ref: "file:///etc/passwd" } } }, '/properties/a/$ref: "file:///etc/passwd" leads out'],
    [{ $ref: "other.json#/a" }, '"other.json#/a" leads out of the schema'],
    [{ $ref: "#/$defs/none" }, '/$ref: there is no schema at "#/$defs/none"'],
    [{ $ref: "#" }, "/$ref: the references go round in a circle"],
    [{ $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } }, "the references go round in a circle"],
  ])("that cannot be checked by says where and why: %j", (schema, problem) => {
    expect(schemaProblem(schema)).toContain(problem);
  });

  it.each<JsonObject>([
    {},
    { $schema: "https://json-schema.org/draft/2020-12/schema", title: "anything" },
    { properties: { unevaluatedItems: { type: "string" }, $ref: { const: 1 } } },
    { type: "object", properties: { next: { $ref: "#" } } },
    { items: [true, false], additionalItems: { $ref: "#/definitions/a~1b" }, definitions: { "a/b": {} } },
  ])("that can is taken: %j", (schema) => {
    expect(schemaProblem(schema)).toBeUndefined();
  });
});

describe("a value", () => {
  const person: JsonObject = {
    type: "object",
    properties: {
      name: { type: "string", minLength: 2, maxLength: 5, pattern: "^[A-Z]" },
      age: { type: "integer", minimum: 0, exclusiveMaximum: 150 },
      tags: { type: "array", items: { enum: ["a", "b"] }, uniqueItems: true, maxItems: 2 },
      friend: { $ref: "#" },
    },
    required: ["name"],
    additionalProperties: false,
  };

  it.each<[JsonObject, Json]>([
    [person, { name: "Otter", age: 3, tags: ["b", "a"], friend: { name: "Seal" } }],
    [{ type: "string", maxLength: 2 }, "🦦🦦"],
    [{ type: "integer" }, 2.0],
    [{ multipleOf: 0.1 }, 0.3],
    [{ const: { a: [1, null] } }, { a: [1, null] }],
    [{ enum: [{ b: 1, a: 2 }] }, { a: 2, b: 1 }],
    [{ properties: { a: { type: "string" } } }, ["no object, so nothing is said of it"]],
    [JSON.parse('{"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}'), { c: 1 }],
    [{ contains: { type: "string" }, maxContains: 1 }, [1, "a", 2]],
    [{ prefixItems: [{ type: "string" }], items: false }, ["a"]],
    [{ not: { type: "null" } }, 0],
    [{ format: "email" }, "otter@example.com"],
    [{ format: "of our own" }, "is not known, so nothing is said of it"],
    [{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { a: 1 }],
  ])("fits: %j %j", (schema, value) => {
    expect(misfits(schema, value)).toEqual([]);
  });

  it.each<[JsonObject, Json, string[]]>([
    [person, [], ['the whole: Instance type "array" is invalid. Expected "object"']],
    [
      person,
      { name: "o", age: 1.5, colour: 1 },
      [
        "/name: String is too short (1 < 2)",
        "/name: String does not match pattern",
        '/age: Instance type "number" is invalid. Expected "integer"',
        'the whole: Property "colour" does not match additional properties schema',
      ],
    ],
    [
      person,
      { age: 150, tags: ["a", "a", "c"], friend: {} },
      [
        'the whole: Instance does not have required property "name"',
        "/age: 150 is greater than or equal to 150",
        "/tags: Array has too many items (3 > 2)",
        '/tags/2: Instance does not match any of ["a","b"]',
        "/tags: Duplicate items at indexes 0 and 1",
      ],
    ],
    [{ const: { a: 1 } }, { a: 2 }, ['the whole: Instance does not match {"a":1}']],
    [
      { properties: { "a/b é%": { type: "null" } } },
      { "a/b é%": 1 },
      ['/a~1b é%: Instance type "number" is invalid. Expected "null"'],
    ],
    [
      { anyOf: [{ type: "string" }, { type: "null" }] },
      1,
      [
        "the whole: Instance does not match any subschemas",
        'the whole: Instance type "number" is invalid. Expected "string"',
        'the whole: Instance type "number" is invalid. Expected "null"',
      ],
    ],
    [
      { oneOf: [{ minimum: 1 }, { minimum: 2 }] },
      3,
      ["the whole: Instance does not match exactly one subschema (2 matches)"],
    ],
    [
      JSON.parse('{"if": {"required": ["a"]}, "then": {"required": ["b"]}}'),
      { a: 1 },
      ['the whole: Instance does not have required property "b"'],
    ],
    [{ prefixItems: [{ type: "string" }], items: false }, ["a", 1], ["/1: nothing may stand here"]],
    [{ not: { type: "null" } }, null, ['the whole: Instance matched "not" schema']],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, ['the whole: Instance has "a" but does not have "b"']],
    [
      { patternProperties: { "^x-": { type: "string" } } },
      { "x-a": 1, y: 1 },
      ['/x-a: Instance type "number" is invalid. Expected "string"'],
    ],
    [
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      ['the whole: Property name "ab" does not match schema', "/ab: String is too long (2 > 1)"],
    ],
    [{ contains: { type: "string" } }, [1], ["the whole: Array does not contain item matching schema"]],
    [
      { $schema: "http://json-schema.org/draft-04/schema#", minimum: 1, exclusiveMinimum: true },
      1,
      [expect.stringContaining("1 is less than or equal to")],
    ],
    [{ items: [{ type: "number" }], additionalItems: false }, [1, 2], ["/1: nothing may stand here"]],
    [{ contains: {}, maxContains: 1 }, [1, 2], [expect.stringContaining("at most 1 items") as string]],
    [
      { $ref: "#/definitions/a", definitions: { a: { type: "number" } }, maximum: 1 },
      2,
      ["the whole: 2 is greater than 1"],
    ],
    [{ properties: { a: false } }, { a: 1 }, ["/a: nothing may stand here"]],
    [
      { properties: { toString: { type: "string" } }, required: ["toString"] },
      {},
      ['the whole: Instance does not have required property "toString"'],
    ],
  ])("does not fit: %j %j", (schema, value, told) => {
    expect(misfits(schema, value)).toEqual(told);
  });

  it.each<[string, JsonObject, Json]>([
    ["a name that is no Unicode", { additionalProperties: { type: "number" } }, { "\ud800": "x" }],
    ["the same deep down", { properties: { a: { additionalProperties: false } } }, { a: { "b\udfff": 1 } }],
    ["an id that is no address", { $id: "http://[", type: "number" }, 1],
    ["an id that comes twice", { items: { $id: "a" }, properties: { b: { $id: "a" } } }, 1],
  ])("that cannot be checked does not fit, and stops nothing: %s", (_, schema, value) => {
    expect(misfits(schema, value)).toEqual([
      expect.stringMatching(/^the whole: it cannot be checked by the schema: \S/) as string,
    ]);
  });

  it.each<[JsonObject, Json]>([
    [{ additionalProperties: false }, JSON.parse('{"__proto__": 1}')],
    [JSON.parse('{"properties": {"__proto__": {"type": "string"}}}'), JSON.parse('{"__proto__": 1}')],
    [{ required: ["__proto__"] }, {}],
  ])("is checked by every name: %j %j", (schema, value) => {
    expect(misfits(schema, value)).toHaveLength(1);
  });

  it("that a pattern goes through for ever, or references without end, is a misfit before long", () => {
    const slow = misfitsOf({ pattern: "^(a+)+$" }, `${"a".repeat(40)}b`, 20).map(misfitText);
    expect(slow).toEqual([expect.stringContaining("took longer than 20 ms")]);
    const round: JsonObject = { $defs: { a: { allOf: [{ $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" };
    expect(schemaProblem(round)).toBeUndefined();
    expect(misfits(round, 1)).toEqual(["the whole: the schema refers to itself without an end"]);
  });
});
