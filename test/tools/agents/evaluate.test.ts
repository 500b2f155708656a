import { expect, it } from "vitest";
import type { Goals } from "../../../src/core/goals.ts";
import { executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { createEvaluateTool } from "../../../src/tools/agents/evaluate-tool.ts";
import { tempTree } from "../temp-tree.ts";

const goals: Goals = [{ id: "g1", text: "one", state: "active" }];
const evaluate = (args: object) =>
  executeTool(createEvaluateTool(), args, { workspace: tempTree(), goals: () => goals });

it.each([
  [{}, "helpers cannot work here"],
  [{ criteria: "it is nice" }, "criteria"],
  [{ messages: ["x".repeat(100_001)] }, "a text has 100001 characters, of at most 100000"],
])("is refused %#", async (args, words) => {
  const { error, metadata } = await evaluate(args);
  expect([error, metadata]).toEqual([expect.stringContaining(words), { code: "INVALID_ARGUMENT" }]);
});
