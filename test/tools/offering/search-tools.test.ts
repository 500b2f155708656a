import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type Agent,
  type AgentEvent,
  createAgent,
  createToolRegistry,
  defineTool,
  type Model,
  type Tool,
} from "../../../src/index.ts";
import { tempTree } from "../temp-tree.ts";

const agents: Agent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
});

const subjects = ["invoice", "customer", "shipment", "calendar"];

/** Tools as a large server has them: the words of a tool are told in some hundred characters. */
const many = (count: number): Tool[] =>
  Array.from({ length: count }, (_, index) =>
    defineTool({
      name: `${subjects[index % subjects.length]}_${index}`,
      description: `Looks at one ${subjects[index % subjects.length]}. ${"It says much of itself. ".repeat(20)}`,
      args: z.strictObject({ id: z.string() }),
      risk: "low",
      effect: "none",
      searchable: true,
      execute: ({ id }) => `${index} has ${id}`,
    }),
  );

const plain = defineTool({
  name: "plain",
  description: "is always there",
  args: z.strictObject({}),
  risk: "low",
  effect: "none",
  execute: () => "plain",
});

interface Asked {
  tools: { name: string; description: string }[];
  said: string;
}

/** Calls these, one a request over all turns, and keeps what it was asked with. */
function calling(calls: readonly ({ name: string; arguments: object } | string)[], asked: Asked[]): Model {
  return {
    spec: "the test's",
    contextWindow: 20_000,
    async *stream({ messages, tools }) {
      asked.push({
        tools: tools.map(({ name, description }) => ({ name, description })),
        said: String(messages.at(-1)?.content),
      });
      const next = calls[messages.filter((message) => message.getType() === "ai").length] ?? "Done.";
      const made =
        typeof next === "string" ? [] : [{ id: "", name: next.name, rawArguments: JSON.stringify(next.arguments) }];
      yield { type: "done", reply: { text: typeof next === "string" ? next : "", calls: made, finish: "stop" } };
    },
  };
}

const search = (query: string) => ({ name: "search_tools", arguments: { query } });
const names = ({ tools }: Asked) => tools.map(({ name }) => name).filter((name) => !name.endsWith("artifact"));

async function said(agent: Agent, words: string, id?: string): Promise<{ id: string; events: AgentEvent[] }> {
  const session = id === undefined ? agent.start() : await agent.resume(id);
  const events: AgentEvent[] = [];
  void (async () => {
    for await (const event of session.events()) events.push(event);
  })();
  await session.submit(words);
  await expect.poll(() => events.some(({ type }) => type === "turn_ended"), { timeout: 20_000 }).toBe(true);
  await session.close();
  return { id: session.id, events };
}

describe("tools that can be searched for", () => {
  test("are told as any where they take little of the window", async () => {
    const asked: Asked[] = [];
    const agent = createAgent({ workspace: tempTree(), model: calling([], asked), tools: [plain, ...many(4)] });
    agents.push(agent);
    await said(agent, "go");
    expect(asked.map(names)).toEqual([["plain", "invoice_0", "customer_1", "shipment_2", "calendar_3"]]);
  });

  test("are told by their names where they take more than a tenth of it, and found by words, in another process too", async () => {
    const asked: Asked[] = [];
    const calls = [
      { name: "shipment_2", arguments: { id: "a" } },
      search("where is the shipment"),
      { name: "shipment_2", arguments: { id: "a" } },
      "Found.",
      search("calendar_7 invoice_0"),
      search("what nobody has"),
      "Done.",
    ];
    const [workspace, store] = [tempTree(), join(tempTree(), "agent.db")];
    const begin = (): Agent => {
      const agent = createAgent({ workspace, store, model: calling(calls, asked), tools: [plain, ...many(40)] });
      agents.push(agent);
      return agent;
    };
    const first = begin();
    const { id } = await said(first, "where is my shipment?");
    const found = [
      "shipment_2",
      "shipment_6",
      "shipment_10",
      "shipment_14",
      "shipment_18",
      "shipment_22",
      "shipment_26",
      "shipment_30",
    ];
    expect(asked.map(names)).toEqual([
      ["plain", "search_tools"],
      ["plain", "search_tools"],
      ["plain", ...found, "search_tools"],
      ["plain", ...found, "search_tools"],
    ]);
    expect(asked[0]?.tools.at(-1)?.description).toContain("invoice_0, customer_1, shipment_2");
    expect(asked[1]?.said).toContain(
      "Error UNKNOWN_TOOL: shipment_2 was not described yet: call search_tools with its name, and then it",
    );
    expect(asked[2]?.said).toContain("shipment_2: Looks at one shipment.");
    expect(asked[3]?.said).toContain("2 has a");
    await first.close();
    asked.length = 0;
    await said(begin(), "and my calendar?", id);
    expect(names(asked[0] as Asked)).toEqual(["plain", ...found, "search_tools"]);
    expect(names(asked[1] as Asked).toSorted()).toEqual(
      ["calendar_7", "invoice_0", "plain", ...found, "search_tools"].toSorted(),
    );
    expect(asked[2]?.said).toContain("NOT_FOUND");
  });

  test("have a tool whose name nobody else may take", () => {
    expect(() => createToolRegistry([{ ...plain, name: "search_tools" }])).toThrow(
      "search_tools: no tool but the agent's own may have this name",
    );
  });
});
