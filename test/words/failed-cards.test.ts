import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../../src/core/json.ts";
import { defineTool } from "../../src/core/tool.ts";
import { executeTool } from "../../src/graph/calls/execute-tool.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { speak } from "../../src/words/room.ts";
import { failureAgain } from "../../src/words/said-again.ts";
import * as chinese from "../../src/words/zh/index.ts";
import { tempTree } from "../tools/temp-tree.ts";

afterEach(() => speak(undefined));

/** What the model reads of such a call, and what stands on its card on a Chinese screen. */
async function failed(name: string, given: JsonObject): Promise<{ model: string; card: string }> {
  const workspace = tempTree();
  writeFileSync(join(workspace, "a.txt"), "a\n");
  const one = defineTool({
    name: "one",
    description: "takes one of several",
    args: z.strictObject({
      how: z.enum(["exact", "a, b", 'or "c"']).optional(),
      level: z.literal([1, 2.5, true, null]).optional(),
      what: z.union([z.string(), z.int(), z.boolean(), z.array(z.string())]).optional(),
      most: z.number().gt(5).optional(),
    }),
    execute: () => "done",
  });
  const tool = name === "one" ? one : createDefaultTools({ workspace }).find((each) => each.name === name);
  const call = async (): Promise<string> => (tool && (await executeTool(tool, given, { workspace })).error) ?? "";
  speak(undefined);
  const model = await call();
  speak(chinese);
  expect(await call()).toBe(model);
  return { model, card: failureAgain(name, model) };
}

test.each([
  [
    { how: "near" },
    'one: how must be "exact", "a, b" or "or \\"c\\"", but the string "near" was given',
    'one: how 应为"exact"、"a, b" 或 "or \\"c\\""，却给了 the string "near"',
  ],
  [
    { level: 3 },
    "one: level must be 1, 2.5, true or null, but 3 was given",
    "one: level 应为1、2.5、true 或 null，却给了 3",
  ],
  [
    { what: { a: 1 } },
    'one: what must be a string, a number, true or false or an array, but the object {"a":1} was given',
    'one: what 应为字符串、数、true 或 false 或数组，却给了 the object {"a":1}',
  ],
  [{ most: 5 }, "one: most must be more than 5, but 5 was given", "one: most 应为大于 5，却给了 5"],
])("of several kinds or values each is said in Chinese on a card: %j", async (given, model, card) => {
  expect(await failed("one", given)).toEqual({ model, card });
});

test.each([
  [{ pattern: "a(" }, "该模式不是有效的正则表达式：", "the pattern is not a valid regular expression: "],
  [{ pattern: "(?<=a)(b" }, "该模式不是有效的正则表达式：", "the pattern is not a valid regular expression: "],
  [{ pattern: "a", include: "{a" }, "include 无效，ripgrep 说：", "include: "],
  [{ pattern: "a", include: "[z-a]" }, "include 无效，ripgrep 说：", "include: "],
])("ripgrep's own words stand on a card behind a Chinese lead, whole: %j", async (given, lead, english) => {
  const { model, card } = await failed("grep", given);
  expect([model.startsWith(english), model.length > english.length]).toEqual([true, true]);
  expect(card).toBe(lead + model.slice(english.length));
});
