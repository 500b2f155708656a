import { expect, it } from "vitest";
import { offeredShape } from "../../../src/tools/use/offered-shape.ts";

const text = { type: "string" };

it("alternatives at the top are one object: what they name, and required what each of them requires, with the rest in words", () => {
  const anyOf = [
    { type: "object", properties: { kind: { const: "file" }, path: text }, required: ["kind", "path"] },
    { $ref: "#/$defs/Url" },
  ];
  const $defs = {
    Url: { type: "object", properties: { kind: { const: "url" }, url: text }, required: ["kind", "url"] },
  };
  expect(offeredShape({ type: "object", properties: {}, anyOf, $defs })).toEqual({
    type: "object",
    description: `The arguments have to fit this too: ${JSON.stringify({ anyOf })}`,
    properties: { kind: { anyOf: [{ const: "file" }, { const: "url" }] }, path: text, url: text },
    required: ["kind"],
    $defs,
  });
});

it("parts at the top are one object with all that each requires, closed where one of them is", () => {
  const allOf = [
    { properties: { a: text }, required: ["a"], additionalProperties: false },
    { properties: { a: text, b: text }, required: ["b"] },
  ];
  expect(offeredShape({ type: "object", description: "Two.", properties: {}, allOf })).toEqual({
    type: "object",
    description: `Two.\nThe arguments have to fit this too: ${JSON.stringify({ allOf })}`,
    properties: { a: text, b: text },
    required: ["a", "b"],
    additionalProperties: false,
  });
});

it("what only narrows the whole is told in words; what leads back to itself comes to an end", () => {
  const given = { type: "object", properties: { a: text, b: text } };
  const oneOf = [{ required: ["a"] }, { required: ["b"] }];
  expect(offeredShape({ ...given, oneOf, not: { required: ["c"] } })).toEqual({
    ...given,
    description: `The arguments have to fit this too: ${JSON.stringify({ oneOf, not: { required: ["c"] } })}`,
  });
  expect(
    offeredShape({ ...given, anyOf: [{ $ref: "#" }, { $ref: "#/$defs/a" }], $defs: { a: { $ref: "#" } } }),
  ).toMatchObject(given);
});

it("a list says of what it is one, wherever it stands, and a name that not every server takes is told in words", () => {
  const many = { type: "array", default: [{ type: "array" }] };
  const given = {
    type: "object",
    properties: {
      many,
      some: { type: ["array", "null"] },
      pair: { type: "array", items: [text, { type: "number" }] },
      "a b": text,
    },
    required: ["many", "a b"],
    additionalProperties: false,
  };
  expect(offeredShape(given)).toEqual({
    type: "object",
    description: `Further arguments are: ${JSON.stringify({ properties: { "a b": text }, required: ["a b"] })}`,
    properties: {
      many: { ...many, items: {} },
      some: { type: ["array", "null"], items: {} },
      pair: { type: "array", items: { anyOf: [text, { type: "number" }] } },
    },
    required: ["many"],
    additionalProperties: true,
  });
});

it("what all servers take stays as it is", () => {
  const given = {
    type: "object",
    properties: { a: { anyOf: [text, { type: "null" }] }, list: { type: "array", items: text } },
    required: ["a"],
  };
  expect(offeredShape(given)).toEqual(given);
});
