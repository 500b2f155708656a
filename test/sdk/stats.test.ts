import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  createAgent,
  createDefaultTools,
  defineTool,
  type Model,
  type ToolStats,
  topTools,
  z,
} from "../../src/index.ts";
import { tempTree } from "../tools/temp-tree.ts";

/** Each step one of these calls, then a word. */
const calling = (...calls: [name: string, args: object][]): Model => ({
  spec: "own:model",
  async *stream({ messages }) {
    const [name, args] = calls[messages.filter((message) => message.getType() === "ai").length] ?? [];
    const made = name === undefined ? [] : [{ id: "", name, rawArguments: JSON.stringify(args) }];
    yield { type: "done", reply: { text: made.length === 0 ? "Done." : "", calls: made, finish: "stop" } };
  },
});

/** What was measured has a time, and nothing else differs by it. */
const untimed = ({ meanMs, p95Ms, totalMs, lastUsed, ...counts }: ToolStats) => ({
  ...counts,
  timed: [meanMs !== null, p95Ms !== null, totalMs >= 0, lastUsed !== null],
});

/** The statistics of a store after a session with a success, failures and a denied call, and of nothing before it. */
async function played(store: string) {
  const workspace = tempTree();
  const flaky = defineTool({
    name: "flaky",
    description: "Fails as it is told.",
    args: z.object({ fails: z.boolean() }),
    risk: "low",
    effect: "none",
    execute: ({ fails }) => (fails ? { output: "", error: "it failed" } : "it went well"),
  });
  const agent = createAgent({
    workspace,
    store,
    tools: [...createDefaultTools({ workspace }), flaky],
    model: calling(
      ["flaky", { fails: false }],
      ["flaky", { fails: true }],
      ["flaky", { fails: false }],
      ["write_file", { file_path: "a.txt", content: "a" }],
    ),
  });
  onTestFinished(() => agent.close());
  const before = await agent.stats();
  const session = agent.start();
  await session.submit("go");
  await session.settled();
  const waiting = await agent.stats();
  await session.answer({ session: session.id, call: "c4" }, { decision: "deny" });
  await session.settled();
  const stats = async (asked = {}) => (await agent.stats(asked)).map(untimed);
  const of = [
    await stats(),
    await stats({ tool: "flaky" }),
    await stats({ limit: 1, by: "calls", ascending: true }),
    await stats({ since: Date.now() + 60_000 }),
    await stats({ tool: "none" }),
  ];
  return { agent, told: [before, waiting.map(untimed), ...of] };
}

test("a store in memory tells of its tools what one in a file does", async () => {
  const file = join(tempTree(), "agent.db");
  const [memory, sqlite] = [await played("memory"), await played(file)];
  expect(memory.told).toEqual(sqlite.told);
  const [before, waiting, all] = memory.told;
  const flaky = { tool: "flaky", calls: 3, success: 2, error: 1, cancelled: 0, interrupted: 0, successRate: 0.6667 };
  expect(before).toEqual([]);
  expect(waiting).toMatchObject([flaky]);
  expect(all).toMatchObject([flaky, { tool: "write_file", calls: 1, success: 0, cancelled: 1, successRate: null }]);
  // Whoever has the file alone is told the same; memory is gone with its agent.
  await sqlite.agent.close();
  expect((await topTools(file)).map(untimed)).toEqual(all);
  await memory.agent.close();
  await expect(memory.agent.stats()).rejects.toThrow("the agent is closed");
});
