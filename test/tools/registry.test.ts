import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../src/core/tool.ts";
import { createToolRegistry } from "../../src/tools/registry.ts";

const named = (name: string) =>
  defineTool({ name, description: "", args: z.strictObject({}), execute: async () => "" });

const registry = createToolRegistry(["read_file", "write_file", "ls", "grep"].map(named));

test("gives tools by name, in the order they were registered", () => {
  expect(registry.names()).toEqual(["read_file", "write_file", "ls", "grep"]);
  expect(registry.all().map((tool) => tool.name)).toEqual(registry.names());
  expect(registry.get("ls")?.name).toBe("ls");
});

test("knows no name that was not registered, not even one that every object has", () => {
  expect(["constructor", "toString", "__proto__", "LS", ""].map((name) => registry.get(name))).toEqual(
    Array(5).fill(undefined),
  );
});

test("cannot be changed from outside", () => {
  registry.all().pop();
  registry.names().pop();
  expect(registry.names()).toHaveLength(4);
  expect(Object.isFrozen(registry)).toBe(true);
});

describe("nearest", () => {
  test.each([
    ["readFile", "read_file"],
    ["Read_File", "read_file"],
    ["read-file", "read_file"],
    ["readfil", "read_file"],
    ["write", "write_file"],
    ["gerp", undefined],
    ["grepp", "grep"],
    ["LS", "ls"],
    ["delete_database", undefined],
    ["", undefined],
    ["_", undefined],
    ["x".repeat(100_000), undefined],
  ])("%s -> %s", (asked, name) => {
    expect(registry.nearest(asked)).toBe(name);
  });
});

test.each(["", "a b", "a.b", "ä", "x".repeat(65), "a\n"])("refuses the name %j", (name) => {
  expect(() => createToolRegistry([named(name)])).toThrow(TypeError);
});

test("refuses two tools of one name", () => {
  expect(() => createToolRegistry([named("a"), named("a")])).toThrow("two tools are named a");
});
