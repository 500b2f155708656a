import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace, runProgram } from "./support.ts";

it("drives an agent to a question, dies there, and answers it in another process", async () => {
  const { workspace, env } = await openPlace();
  const asked = await runProgram("agent-program.mjs", [workspace, "ask"], env);
  expect(asked).toMatchObject({ end: "SIGKILL", stderr: "", told: { id: expect.any(String) } });
  await expect(readFile(join(workspace, "it.txt"), "utf8")).rejects.toThrow();
  const done = await runProgram("agent-program.mjs", [workspace, "answer", String(asked.told["id"])], env);
  expect(done).toEqual({ end: 0, stderr: "", told: { reason: "done", text: "Did: write it." } });
  expect(await readFile(join(workspace, "it.txt"), "utf8")).toBe("write it\n");
});

it("drives the graph by LangGraph's own API to a question, dies there, and answers it in another process", async () => {
  const { workspace, env } = await openPlace();
  const asked = await runProgram("graph-program.mjs", [workspace, "ask"], env);
  expect(asked).toMatchObject({ end: "SIGKILL", stderr: "" });
  const done = await runProgram("graph-program.mjs", [workspace, "answer"], env);
  expect(done).toMatchObject({ end: 0, stderr: "", told: { words: "Did: write it." } });
  expect(done.told["custom"]).toEqual(expect.arrayContaining(["decision", "tool_call", "usage"]));
  expect(await readFile(join(workspace, "it.txt"), "utf8")).toBe("write it\n");
});
