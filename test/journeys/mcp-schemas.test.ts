import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { Told } from "../support/cli.ts";
import { openMcpPlace } from "../support/mcp.ts";
import { asks, says } from "../support/model-server.ts";

const goes = ["run", "go", "--mode", "full-auto", "--sandbox", "off"];

const settled = (ran: Told) =>
  ran.of("tool_call").flatMap(({ call }) => (["success", "error", "cancelled"].includes(call.status) ? [call] : []));

const text = { type: "string" };

/** Schemas of which one is enough for OpenAI's server, or Anthropic's, to refuse the request. */
const refusedOnes = {
  either: { type: "object", properties: { a: text, b: text }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
  kinds: {
    oneOf: [
      { type: "object", properties: { path: text }, required: ["path"], additionalProperties: false },
      { type: "object", properties: { url: text }, required: ["url"], additionalProperties: false },
    ],
  },
  parts: { allOf: [{ $ref: "#/$defs/a" }, { properties: { b: text } }], $defs: { a: { properties: { a: text } } } },
  referred: { $ref: "#/$defs/whole", $defs: { whole: { type: "object", properties: { a: text }, required: ["a"] } } },
  lists: { type: "object", properties: { many: { type: "array" } } },
  signs: { type: "object", properties: { "a b": text }, required: ["a b"] },
};

it("a schema that servers of models refuse costs no request, and its tool's calls are checked by all of it", async () => {
  const place = await openMcpPlace([], { trusted: false });
  const tools = Object.entries(refusedOnes).map(([name, inputSchema]) => ({ name, description: name, inputSchema }));
  await writeFile(`${place.changed}.tools`, JSON.stringify(tools));
  expect((await place.run(["mcp", "trust", "small", "--yes"])).code).toBe(0);
  const given: [string, object][] = [
    ["either", { a: "x" }],
    ["either", {}],
    ["kinds", { url: "x" }],
    ["kinds", { url: "x", path: "y" }],
    ["parts", { a: "x", b: "y" }],
    ["parts", { a: "x", b: {} }],
    ["referred", { a: "x" }],
    ["referred", {}],
    ["lists", { many: ["x", 2] }],
    ["signs", { "a b": "x" }],
    ["signs", {}],
  ];
  place.server.push(...given.map(([name, args]) => asks(`mcp__small__${name}`, args as never)), says("Done."));
  const ran = await place.json(goes);
  // The model's server refused none of the requests: that is looked at as the test ends.
  expect(settled(ran).map((call) => ("toolName" in call ? [call.toolName.slice(12), call.status] : []))).toEqual([
    ["either", "success"],
    ["either", "error"],
    ["kinds", "success"],
    ["kinds", "error"],
    ["parts", "success"],
    ["parts", "error"],
    ["referred", "success"],
    ["referred", "error"],
    ["lists", "success"],
    ["signs", "success"],
    ["signs", "error"],
  ]);
  const offered = place.server.requests[0]?.body.tools?.find((tool) => tool.function.name === "mcp__small__kinds");
  expect(offered?.function.parameters["properties"]).toEqual({ path: text, url: text });
});
