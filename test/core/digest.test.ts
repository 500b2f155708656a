import { expect, test } from "vitest";
import { digestOf } from "../../src/core/digest.ts";
import { sha256 } from "../../src/core/json.ts";
import type { Plan } from "../../src/core/tool.ts";

const plan: Plan = { summary: "edit a.ts (+1 -1)", cwd: "/ws", diff: "-a\n+b\n" };
const parts = { toolName: "edit_file", arguments: { b: 1, a: "x" }, cwd: "/ws", plan };

test("is the sha256 of the RFC 8785 JSON of the four keys", () => {
  const text =
    '{"arguments":{"a":"x","b":1},"cwd":"/ws","plan":{"cwd":"/ws","diff":"-a\\n+b\\n","summary":"edit a.ts (+1 -1)"},"toolName":"edit_file"}';
  expect(digestOf(parts)).toBe(sha256(text));
});

test("does not depend on the order of keys, nor on what else the object carries", () => {
  const shuffled = { extra: 1, plan: { ...plan }, cwd: "/ws", arguments: { a: "x", b: 1 }, toolName: "edit_file" };
  expect(digestOf(shuffled)).toBe(digestOf(parts));
});

test("differs when any of the four differs", () => {
  const others = [
    { ...parts, toolName: "write_file" },
    { ...parts, arguments: { b: 1, a: "y" } },
    { ...parts, arguments: { b: "1", a: "x" } },
    { ...parts, cwd: "/ws/sub" },
    { ...parts, plan: { ...plan, diff: "-a\n+c\n" } },
    { ...parts, plan: { ...plan, warnings: ["never read"] } },
    { ...parts, plan: null },
  ];
  expect(new Set([parts, ...others].map(digestOf)).size).toBe(others.length + 1);
});
