import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type Agent,
  type AgentEvent,
  type AgentOptions,
  createAgent,
  defineTool,
  type Model,
  type ModelReply,
  type ModelRequest,
} from "../../src/index.ts";
import { tempTree } from "../tools/temp-tree.ts";

const agents: Agent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
});

type Said = string | { name: string; arguments: object };

/** Says these things, one a request, and keeps what it was asked. */
function saying(...said: Said[]): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    spec: "own:model",
    requests,
    async *stream(request) {
      const next = said[requests.length] ?? "Nothing more.";
      requests.push(request);
      const calls =
        typeof next === "string" ? [] : [{ id: "", name: next.name, rawArguments: JSON.stringify(next.arguments) }];
      const text = typeof next === "string" ? next : "";
      const usage = { inputTokens: 1_000_000, outputTokens: 0 };
      if (text !== "") yield { type: "text", text };
      const reply: ModelReply = { text, calls, finish: "stop", usage };
      yield { type: "done", reply };
    },
  };
}

/** One turn of a session, and how it ended. */
async function turn(model: Model, options: Partial<AgentOptions>) {
  const agent = createAgent({ workspace: await tempTree(), model, ...options });
  agents.push(agent);
  const session = agent.start();
  const events: AgentEvent[] = [];
  const read = (async () => {
    for await (const event of session.events()) events.push(event);
  })();
  await session.submit("go");
  await session.settled();
  await session.close();
  await read;
  return events.findLast((event) => event.type === "turn_ended");
}

const ls: Said = { name: "ls", arguments: {} };
const names = ({ tools }: ModelRequest) => tools.map(({ name }) => name);

describe("an agent of a program", () => {
  test("asks for a call until the first, and offers tools that end a turn", async () => {
    const model = saying(ls, { name: "attempt_completion", arguments: { result: "Seen." } });
    expect(await turn(model, { toolChoice: "required" })).toMatchObject({ reason: "done", text: "Seen." });
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(["required", "auto"]);
    const plain = saying("Well.");
    await turn(plain, {});
    expect(names(plain.requests[0] as ModelRequest)).not.toContain("terminate");
    const ends = saying({ name: "terminate", arguments: { status: "success" } });
    expect(await turn(ends, { endTools: true })).toMatchObject({ reason: "done", text: "success" });
  });

  test("runs no call where none is to be made", async () => {
    expect(await turn(saying(ls, "No."), { toolChoice: "none" })).toMatchObject({
      exitCode: 10,
      calls: { cancelled: 1 },
    });
  });

  test("answers with JSON by a schema, which has to be one", async () => {
    const outputSchema = { type: "object", required: ["age"] };
    expect(await turn(saying("three", '{"age": 3}'), { outputSchema })).toMatchObject({ output: { age: 3 } });
    await expect(turn(saying(), { outputSchema: { type: "person" } })).rejects.toThrow(
      /^outputSchema: \/type: it has to be one of object/,
    );
  });

  test("ends a call at its limit", async () => {
    const waits = defineTool({
      name: "waits",
      description: "Waits.",
      args: z.object({}),
      effect: "none",
      risk: "low",
      execute: (_, { signal }) =>
        new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("was told to stop"))),
    });
    const model = saying({ name: "waits", arguments: {} }, "Done.");
    await turn(model, { tools: [waits], toolTimeoutMs: 5 });
    expect(model.requests[1]?.messages.at(-1)?.content).toBe("was told to stop");
    await expect(turn(saying(), { toolTimeoutMs: 0 })).rejects.toThrow("toolTimeoutMs must be above 0, not 0");
  });

  test("lets its model call tools in XML", async () => {
    const model = saying("<tool_call>\n<name>ls</name>\n<params></params>\n</tool_call>", "Done.");
    expect(await turn(model, { toolFormat: "xml" })).toMatchObject({ text: "Done.", calls: { success: 1 } });
    expect(model.requests.map(({ tools }) => tools)).toEqual([[], []]);
  });

  test("spends no more than it may, by a price that has to be known", async () => {
    const priced = { ...saying(ls, ls, "Done."), price: { input: 2, output: 0 } };
    expect(await turn(priced, { maxCost: 3 })).toMatchObject({ reason: "max_cost", exitCode: 53, usage: { cost: 4 } });
    await expect(turn(saying("Well."), { maxCost: 3 })).rejects.toThrow("maxCost needs the price of own:model");
  });

  test("tells its model of a call no more than it says, and cuts nothing where that is its word", async () => {
    const speaks = defineTool({
      name: "speaks",
      description: "Speaks.",
      args: z.object({}),
      effect: "none",
      risk: "low",
      execute: () => "word ".repeat(9_000),
    });
    const told = async (options: Partial<AgentOptions>) => {
      const speak = { name: "speaks", arguments: {} };
      const model = { ...saying(speak, speak, speak, "Done."), contextWindow: 20_000 };
      const end = await turn(model, { tools: [speaks], ...options });
      const results = model.requests.at(-1)?.messages.filter((message) => message.getType() === "tool") ?? [];
      const lengths = results.map(({ content }) => String(content).length);
      return [end?.type === "turn_ended" && end.reason, lengths];
    };
    const short = expect.toSatisfy((length: number) => length > 500 && length < 800);
    expect(await told({ maxObserve: 500 })).toEqual(["done", [short, short, short]]);
    expect(await told({ maxObserve: false, compact: false })).toEqual(["done", [45_000, 45_000, 45_000]]);
    for (const maxObserve of [0, 1.5, Number.NaN, "9" as never])
      await expect(turn(saying(), { maxObserve })).rejects.toThrow("maxObserve must be a whole number of characters");
  });

  test("knows the servers that it is told of", async () => {
    const servers = { mine: { baseUrl: "http://127.0.0.1:1/v1" } };
    const [known, unknown] = [{ servers }, {}].map((more) => {
      const agent = createAgent({ workspace: "/", model: "mine:x", env: {}, ...more });
      agents.push(agent);
      return agent.start().submit("hi");
    });
    await expect(unknown).rejects.toThrow('there is no server "mine"');
    await expect(known).resolves.toBeUndefined();
  });
});
