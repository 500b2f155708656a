import { expect, test } from "vitest";
import type { Goals } from "../../../src/core/goals.ts";
import { executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { createGoalTool } from "../../../src/tools/goals/goal.ts";
import { tempTree } from "../temp-tree.ts";

const goals: Goals = [
  { id: "g1", text: "one", state: "active" },
  { id: "g2", text: "two", state: "pending" },
];

const call = (args: object, known: Goals | undefined = goals) =>
  executeTool(createGoalTool(), args, { workspace: tempTree(), goals: () => known });

test("says what was done, what it did to others, and what is open", async () => {
  expect(await call({ action: "add", text: " three ", parent: "g2" })).toMatchObject({
    output: "g3 is added as part of g2. 0 of 3 done, open: g1 (active), g2, g3.",
    title: "g3 added: three",
    metadata: { goal: "g3", state: "pending" },
  });
  expect((await call({ action: "start", id: "g2" })).output).toBe(
    "g2 is active; g1, active before, is pending again. 0 of 2 done, open: g1, g2 (active).",
  );
  expect((await call({ action: "done", summary: "it works" })).output).toBe("g1 is done. 1 of 2 done, open: g2.");
  expect((await call({ action: "drop", id: "g2" })).output).toBe("g2 is dropped. 0 of 1 done, open: g1 (active).");
  expect((await call({ action: "list" })).output).toBe("0 of 2 done\ng1 active: one\ng2 pending: two");
  expect((await call({ action: "list" }, [])).output).toBe("There are no goals yet.");
});

test.each([
  [{ action: "add" }, "add needs text"],
  [{ action: "start" }, "start needs id"],
  [{ action: "list", id: "g1" }, "list takes no id: it takes nothing else"],
  [{ action: "start", id: "g1", summary: "x" }, "start takes no summary: it takes id"],
  [{ action: "add", text: "x", id: "g9" }, "add takes no id: it takes text and parent"],
  [{ action: "add", text: "  " }, "the text is empty"],
  [{ action: "add", text: "one\ntwo" }, "the text must be one line without control characters"],
  [{ action: "add", text: "hid\u200bden" }, "the text holds characters that nobody can see"],
  [{ action: "add", text: "x".repeat(201) }, "the text is longer than 200 characters: say it shorter"],
  [{ action: "done", summary: "x".repeat(1001) }, "the summary is longer than 1000 characters: say it shorter"],
])("%j is refused", async (args, message) => {
  const { error, metadata } = await call(args);
  expect([error, metadata?.["code"]]).toEqual([expect.stringContaining(message), "INVALID_ARGUMENT"]);
});

test("of one that helpers worked for says what came of it", async () => {
  const worked: Goals = [
    {
      id: "g1",
      text: "one",
      state: "active",
      type: "agent_call",
      agentCallMode: "delegate",
      subSessionIds: ["s@delegate-1"],
    },
  ];
  for (const args of [{ action: "done" }, { action: "done", id: "g1" }])
    expect(await call(args, worked)).toMatchObject({
      error: "helpers have worked for g1: done needs a summary of what came of it",
      metadata: { code: "INVALID_ARGUMENT" },
    });
  expect((await call({ action: "done", summary: "it works" }, worked)).output).toContain("g1 is done");
  expect((await call({ action: "drop" }, worked)).output).toContain("g1 is dropped");
});

test("is refused outside of a session, which is what keeps goals", async () => {
  const { error } = await executeTool(createGoalTool(), { action: "list" }, { workspace: tempTree() });
  expect(error).toBe("goals are kept with a session, and there is none here");
});
