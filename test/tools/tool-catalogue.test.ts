import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../src/core/tool.ts";
import { createToolCatalogue, type ToolCatalogue } from "../../src/tools/tool-catalogue.ts";

const named = (name: string) =>
  defineTool({ name, description: "", args: z.strictObject({}), execute: async () => "" });

const namesIn = (tools: ToolCatalogue): string[] => tools.all().map(({ name }) => name);

const catalogue = createToolCatalogue(["read_file", "write_file", "ls", "grep"].map(named));

test("gives tools by name, in the order they were registered", () => {
  expect(namesIn(catalogue)).toEqual(["read_file", "write_file", "ls", "grep"]);
  expect(catalogue.get("ls")?.name).toBe("ls");
});

test("knows no name that was not registered, not even one that every object has", () => {
  expect(["constructor", "toString", "__proto__", "LS", ""].map((name) => catalogue.get(name))).toEqual(
    Array(5).fill(undefined),
  );
});

test("cannot be changed from outside", () => {
  catalogue.all().pop();
  expect(catalogue.all()).toHaveLength(4);
  expect(Object.isFrozen(catalogue)).toBe(true);
});

test.each(["", "a b", "a.b", "ä", "x".repeat(65), "a\n"])("refuses the name %j", (name) => {
  expect(() => createToolCatalogue([named(name)])).toThrow(TypeError);
});

test("refuses two tools of one name", () => {
  expect(() => createToolCatalogue([named("a"), named("a")])).toThrow("two tools are named a");
});

test("refuses a limit that no observation can have", () => {
  for (const maxObserve of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "10" as never, true as never])
    expect(() => createToolCatalogue([{ ...named("a"), maxObserve }])).toThrow(
      "tool a: maxObserve must be a whole number of characters from 1 on, or false for all",
    );
  for (const maxObserve of [1, false] as const)
    expect(namesIn(createToolCatalogue([{ ...named("a"), maxObserve }]))).toEqual(["a"]);
});
