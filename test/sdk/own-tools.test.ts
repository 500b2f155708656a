import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import { createGraph } from "../../src/graph.ts";
import {
  type Agent,
  type AgentEvent,
  type AgentOptions,
  createAgent,
  createToolkits,
  createToolRegistry,
  defineTool,
  executeTool,
  type Model,
  type Policy,
  type Tool,
  z,
} from "../../src/index.ts";
import { createToolContext } from "../../src/tools/use/run-tool.ts";
import { tempTree } from "../tools/temp-tree.ts";

type Call = [name: string, args: object];

/** A model that makes these calls, one a step, and then says that it is done; and what it was offered. */
function calling(...calls: Call[]): {
  model: Model;
  offered: { name: string; description: string }[][];
  heard: string[];
} {
  const offered: { name: string; description: string }[][] = [];
  const heard: string[] = [];
  const model: Model = {
    spec: "the test's",
    async *stream({ messages, tools }) {
      offered.push(tools.map(({ name, description }) => ({ name, description })));
      const last = messages.at(-1);
      if (last?.getType() === "tool") heard.push(String(last.content));
      const next = calls[offered.length - 1];
      const made = next === undefined ? [] : [{ id: "", name: next[0], rawArguments: JSON.stringify(next[1]) }];
      yield { type: "done", reply: { text: made.length === 0 ? "Done." : "", calls: made, finish: "stop" } };
    },
  };
  return { model, offered, heard };
}

async function play(
  options: Pick<AgentOptions, "tools" | "model" | "uid"> & { store?: string },
): Promise<{ agent: Agent; events: AgentEvent[] }> {
  const agent = createAgent({ workspace: tempTree(), ...options });
  onTestFinished(() => agent.close());
  const session = agent.start();
  const events: AgentEvent[] = [];
  void (async () => {
    for await (const event of session.events()) events.push(event);
  })();
  await session.submit("go");
  await session.settled();
  await new Promise((resolve) => setImmediate(resolve));
  return { agent, events };
}

const read = { risk: "low", effect: "none" } as const;

test("the shortest tool needs a name, words, arguments and what it does; its types come from its schema", async () => {
  const add = defineTool({
    name: "add",
    description: "Adds.",
    args: z.object({ a: z.number(), b: z.number().default(1) }),
    ...read,
    execute: ({ a, b }) => JSON.stringify({ sum: a + b }),
  });
  const greet = defineTool({
    name: "greet",
    description: "Greets.",
    args: { jsonSchema: { type: "object", properties: { who: { type: "string", minLength: 2 } }, required: ["who"] } },
    ...read,
    execute: ({ who }) => `hello ${String(who)}`,
  });
  const parsed = defineTool({
    name: "parsed",
    description: "Parses.",
    args: {
      jsonSchema: { type: "object", properties: { day: { type: "string" } } },
      parse: ({ day }) => new Date(String(day)),
    },
    ...read,
    execute: async (day) => day.getUTCFullYear(),
  });
  const { model, heard } = calling(
    ["add", { a: "2" }],
    ["greet", { who: "x" }],
    ["greet", { who: "you" }],
    ["parsed", { day: "2026-01-01" }],
  );
  await play({ tools: [add, greet, parsed], model });
  expect(heard).toEqual(['{"sum":3}', expect.stringContaining("INVALID_ARGUMENT: greet: who"), "hello you", "2026"]);
});

test("a mistyped key of a result does not compile, in any form of a tool; all that a tool may return does", () => {
  const spec = { name: "t", description: "T.", args: z.object({ n: z.number() }), ...read };
  const json = { name: "t", description: "T.", args: { jsonSchema: {} }, ...read };
  const code = { metadata: { code: "FAILED" } };
  const good: Tool[] = [
    defineTool({ ...spec, execute: ({ n }) => ({ output: String(n), title: "t" }) }),
    defineTool({ ...spec, execute: async ({ n }) => (n > 1 ? { output: "", error: "no", ...code } : { output: "x" }) }),
    defineTool({
      ...spec,
      execute: ({ n }) =>
        n > 1
          ? "text"
          : {
              output: "x",
              images: [
                { name: "a", path: "a.png" },
                { name: "b", mediaType: "image/png", data: "AAAA" },
              ],
            },
    }),
    defineTool({ ...spec, execute: async () => [1, { any: "data" }, null] }),
    defineTool({ ...json, execute: () => undefined }),
    defineTool({ ...json, execute: async ({ n }) => Number(n) }),
    defineTool({
      ...json,
      execute: () => {
        throw new Error("no");
      },
    }),
  ];
  expect(good).toHaveLength(7);
  // @ts-expect-error it has no output
  defineTool({ ...spec, execute: () => ({ ok: true, outpt: ".." }) });
  // @ts-expect-error a result has no outpt
  defineTool({ ...spec, execute: () => ({ outpt: "..", title: "t" }) });
  // @ts-expect-error a result has no tilte
  defineTool({ ...spec, execute: () => ({ output: "..", tilte: "t" }) });
  // @ts-expect-error nor has that of a promise
  defineTool({ ...spec, execute: async () => ({ output: "..", tilte: "t" }) });
  // @ts-expect-error nor one of several
  defineTool({ ...spec, execute: ({ n }) => (n > 1 ? { output: "..", metdata: {} } : { output: "..", error: "no" }) });
  // @ts-expect-error nor that of a tool by JSON Schema
  defineTool({ ...json, execute: () => ({ output: "..", tilte: "t" }) });
  // @ts-expect-error a title is text
  defineTool({ ...json, execute: () => ({ output: "..", title: 1 }) });
  const made = class implements Pick<Tool, "execute"> {
    // @ts-expect-error a class is held to it too
    execute = () => ({ ok: true, outpt: ".." });
  };
  expect(made).toBeDefined();
});

test("a mistyped key of what a class returns without a type does not compile where it is handed over; what is right does", async () => {
  const spec = { description: "T.", args: z.object({ n: z.number() }), ...read };
  class Good implements Tool<{ n: number }> {
    readonly name: string = "good";
    readonly description = spec.description;
    readonly args = spec.args;
    execute({ n }: { n: number }) {
      return n > 1 ? "text" : { output: "x", title: "t" };
    }
  }
  class Any extends Good {
    override readonly name = "any";
    // biome-ignore lint/suspicious/noExplicitAny: what is not typed says nothing of its keys
    override execute(): any {
      return { output: "x" };
    }
  }
  class Bad implements Tool<{ n: number }> {
    readonly name = "bad";
    readonly description = spec.description;
    readonly args = spec.args;
    async execute({ n }: { n: number }) {
      return n > 1 ? { output: "x" } : { output: "x", tilte: "t" };
    }
  }
  const at = { workspace: tempTree(), model: "demo" };
  const made = defineTool({ ...spec, name: "made", execute: () => ({ output: "" }) });
  const tools = [made];
  const options: AgentOptions = { ...at, tools };
  const agents = [
    ...[createAgent(at), createAgent(options), createAgent({ ...at, tools: [] })],
    createAgent({ ...at, tools: [Good, Any, ...tools, { name: "later", factory: async () => new Good() }] }),
    createAgent({ ...at, tools: [...tools, new Good()] }),
    createAgent({ ...at, tools: [{ ...spec, name: "x", execute: async (_args, { uid }) => ({ output: `${uid}` }) }] }),
    createAgent({
      ...at,
      tools: createToolRegistry(new Set([made]))
        .register(Good)
        .register(new Any()),
    }),
    // @ts-expect-error a result has no tilte
    createAgent({ ...at, tools: [made, Bad] }),
    // @ts-expect-error nor one of an instance beside others
    createAgent({ ...at, tools: [made, new Bad()] }),
    // @ts-expect-error nor of what a factory makes
    createAgent({ ...at, tools: [{ name: "bad", factory: async () => new Bad() }] }),
    // @ts-expect-error nor of an object
    createAgent({ ...at, tools: [{ ...spec, name: "x", execute: () => ({ output: "", tilte: "" }) }] }),
    // @ts-expect-error an option that there is not is none, whatever the tools
    createAgent({ ...at, tools: [made], maxStesp: 1 }),
  ];
  await Promise.all(agents.map((agent) => agent.close()));
  // @ts-expect-error nor of a registry's
  createToolRegistry([made, Bad]);
  // @ts-expect-error nor one by one
  createToolRegistry().register(new Bad());
  // @ts-expect-error nor of toolkits
  createToolkits({ all: ["*"] }, [Bad]);
  // @ts-expect-error nor on LangGraph
  createGraph({ ...at, tools: [Bad] });
});

test("what is made from the context is worked out once a turn; where it throws, the tool is left out and the turn goes on", async () => {
  let described = 0;
  const tools: Tool[] = [
    defineTool({
      name: "tables",
      description: async () => `described ${++described} times`,
      args: async () => z.object({ n: z.literal(described) }),
      ...read,
      execute: ({ n }) => n,
    }),
    defineTool({
      name: "broken",
      description: () => {
        throw new Error("no database");
      },
      args: z.object({}),
      execute: () => "",
    }),
  ];
  const { model, offered, heard } = calling(["tables", { n: 1 }], ["broken", {}]);
  const { events } = await play({ tools, model });
  expect(offered).toEqual(Array(3).fill([{ name: "tables", description: "described 1 times" }]));
  expect(heard).toEqual(["1", expect.stringContaining("UNKNOWN_TOOL")]);
  expect(events.filter((event) => event.type === "notice")).toMatchObject([
    { code: "tool_left_out", text: "the tool broken is left out: it could not be described: no database" },
  ]);
});

test("of a class and of a factory each call has an instance, which is disposed when it is over; the rest with the session", async () => {
  const log: string[] = [];
  let made = 0;
  class Own implements Tool<unknown> {
    readonly name = "own";
    readonly description = "Own.";
    readonly args = z.object({});
    readonly risk = "low";
    readonly effect = "none";
    readonly #id = ++made;
    async plan(_: unknown, { cwd }: { cwd: string }) {
      log.push(`${this.#id} plans`);
      return { summary: "own", cwd };
    }
    execute(): string {
      log.push(`${this.#id} runs`);
      return `from ${this.#id}`;
    }
    dispose(): void {
      log.push(`${this.#id} disposed`);
    }
  }
  const { model, heard } = calling(["own", {}], ["own", {}]);
  const { agent } = await play({ tools: [Own], model });
  expect(heard).toEqual(["from 2", "from 3"]);
  expect(log).toEqual(["2 plans", "2 runs", "2 disposed", "3 plans", "3 runs", "3 disposed"]);
  await agent.close();
  expect(log.slice(6)).toEqual(["1 disposed"]);
});

test("what comes into a registry and goes out of it while a session runs is offered with the next request, told and stored", async () => {
  const registry = createToolRegistry();
  const late = defineTool({ name: "late", description: "Late.", args: z.object({}), ...read, execute: () => "late" });
  registry.register(
    defineTool({
      name: "grow",
      description: "Grows.",
      args: z.object({}),
      ...read,
      execute: () => {
        registry.remove("grow");
        registry.register(late);
        return "grown";
      },
    }),
  );
  const { model, offered, heard } = calling(["grow", {}], ["late", {}], ["grow", {}]);
  const store = join(tempTree(), "agent.db");
  const { agent, events } = await play({ tools: registry, model, store });
  expect(offered.map((tools) => tools.map(({ name }) => name))).toEqual([["grow"], ["late"], ["late"], ["late"]]);
  expect(heard).toEqual(["grown", "late", expect.stringContaining("UNKNOWN_TOOL")]);
  expect(events.filter((event) => event.type === "notice")).toMatchObject([
    { code: "tools_changed", text: "new tools: late; no longer there: grow" },
  ]);
  await agent.close();
  expect(readFileSync(store, "latin1").split("offer_change")).toHaveLength(2);
});

test("a tool with a hidden parameter that nothing fills in is left out of the session, and told with what would", async () => {
  const who = defineTool({
    name: "who",
    description: "Says who.",
    args: z.object({ uid: z.string() }),
    hidden: ["uid"],
    ...read,
    execute: ({ uid }) => uid,
  });
  const { model, offered } = calling();
  const { events } = await play({ tools: [who], model });
  expect([offered, events.filter((event) => event.type === "notice").map(({ text }) => text)]).toEqual([
    [[]],
    [expect.stringContaining("the tool who is left out: INVALID_ARGUMENT: nothing fills in its hidden parameter uid")],
  ]);
  const known = calling(["who", {}]);
  await play({ tools: [who], model: known.model, uid: "ada" });
  expect(known.heard).toEqual(["ada"]);
});

const low = { description: "", args: z.object({}), ...read, execute: () => "done" };

test.each<[string, Partial<Tool>, string[]]>([
  ["true", { confirm: true }, ["it must be confirmed each time"]],
  ["a text", { confirm: "sure?" as unknown as boolean }, ["sure?"]],
  ["a function", { confirm: (() => false) as unknown as boolean }, ["it must be confirmed each time"]],
  ["false", { confirm: false }, []],
  ["nothing", {}, []],
  ["words in its plan", { plan: async (_, { cwd }) => ({ summary: "s", cwd, confirm: "it rings" }) }, ["it rings"]],
  [
    "junk in its plan",
    { plan: async (_, { cwd }) => ({ summary: "s", cwd, confirm: 7 as unknown as string }) },
    ["it must be confirmed each time"],
  ],
])("a tool that must be confirmed is asked about whatever its risk, by any word but no: %s", async (_, fields, why) => {
  const { model } = calling(["it", {}]);
  const { events } = await play({ tools: [{ ...low, name: "it", ...fields }], model });
  const asked = events.flatMap((event) => (event.type === "approval_requested" ? event.calls : []));
  expect(asked.map(({ verdict }) => verdict.why)).toEqual(why);
});

test("a plan that never comes is not waited for without an end", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const plan = (): Promise<never> => {
    void vi.advanceTimersByTimeAsync(60_000);
    return new Promise(() => undefined);
  };
  const told = await executeTool({ ...low, name: "it", plan }, {}, { workspace: tempTree() });
  expect(told).toMatchObject({ error: expect.stringContaining("nothing was done"), metadata: { code: "TIMEOUT" } });
});

test("a message of many calls is no leak to the runtime", async () => {
  const warnings: string[] = [];
  const warned = (warning: Error): void => void warnings.push(warning.message);
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  const many: Model = {
    spec: "the test's",
    async *stream({ messages }) {
      const calls = Array.from({ length: 40 }, () => ({ id: "", name: "it", rawArguments: "{}" }));
      const isFirst = !messages.some((message) => message.getType() === "ai");
      yield { type: "done", reply: { text: "So.", calls: isFirst ? calls : [], finish: "stop" } };
    },
  };
  const { events } = await play({ tools: [{ ...low, name: "it" }], model: many });
  expect([events.at(-1), warnings]).toMatchObject([{ calls: { success: 40 } }, []]);
});

test("what fills in a hidden parameter is no part of what is approved", async () => {
  const workspace = tempTree();
  const tool = { ...low, name: "it", args: z.object({ uid: z.string() }), hidden: ["uid"] };
  const policy: Policy = { rules: [], grants: [], mode: "ask", sealed: { roots: [] } };
  const [ada, bob] = await Promise.all(
    ["ada", "bob"].map((uid) => prepareCall(tool, {}, createToolContext({ workspace, uid }), policy)),
  );
  if (ada?.kind !== "ready" || bob?.kind !== "ready") throw new Error("it was refused");
  expect([ada.args, bob.args, bob.digest]).toEqual([{ uid: "ada" }, { uid: "bob" }, ada.digest]);
});
