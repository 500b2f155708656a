import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type AIMessage, HumanMessage } from "@langchain/core/messages";
import { type BaseCheckpointSaver, Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ToolCallInfo } from "../../../src/core/call.ts";
import { defineTool } from "../../../src/core/tool.ts";
import type { AgentEventBody } from "../../../src/graph/events.ts";
import { JournalMissing } from "../../../src/graph.ts";
import { type Model, ModelFailure } from "../../../src/model/port.ts";
import { calls, says } from "../../support/play.ts";
import { answer, approvalOf, approveAll, ask, at, edit, openPlace, thread } from "../../support/thread-place.ts";

const idOf = async (checkpointer: BaseCheckpointSaver, config = thread) =>
  (await checkpointer.getTuple(config))?.checkpoint.id;

const counting = [calls(edit("1", "2")), says("Two.")];

class KeptElsewhere extends MemorySaver {}

describe("a checkpointer that outlives the journal", () => {
  it("is refused when the graph is made, and when a server sets it later, before anything is written", async () => {
    const place = await openPlace(counting);
    const { checkpointer } = await place.open("checkpoints.db");
    expect(() => place.graph({ checkpointer })).toThrow(JournalMissing);
    expect(() => place.graph({ checkpointer: new KeptElsewhere() })).toThrow(/openStore\(\{ file: .* durable: false/);
    const graph = place.graph({ checkpointer: new MemorySaver() });
    graph.checkpointer = checkpointer;
    for (const run of [graph, graph.withConfig({ tags: ["copy"] })])
      await expect(run.invoke(ask("count up"), thread)).rejects.toThrow(JournalMissing);
    expect(await idOf(checkpointer)).toBeUndefined();
    expect(place.requests).toEqual([]);
  });

  it("counts as the caller says: a MemorySaver that is called durable, another one that is called not", async () => {
    const { parts, ...place } = await openPlace(counting);
    const { createGraph } = await import("../../../src/graph.ts");
    expect(() => createGraph(parts, { checkpointer: new MemorySaver(), durable: true })).toThrow(JournalMissing);
    const later = createGraph(parts, { durable: true });
    later.checkpointer = new MemorySaver();
    await expect(later.invoke(ask("count up"), thread)).rejects.toThrow(JournalMissing);
    const graph = createGraph(parts, { checkpointer: new KeptElsewhere(), durable: false });
    await graph.invoke(ask("count up"), thread);
    await approveAll(graph);
    expect(await place.text("a.txt")).toBe("2\n");
  });

  it("may be the store's own, in memory too", async () => {
    const place = await openPlace(counting);
    const { openStore } = await import("../../../src/graph.ts");
    const store = await openStore({ file: ":memory:" });
    const graph = place.graph({ store, checkpointer: store.saver });
    await graph.invoke(ask("count up"), thread);
    await approveAll(graph);
    expect(await place.text("a.txt")).toBe("2\n");
    store.close();
  });
});

describe("a thread whose checkpoint knows more than the journal", () => {
  it("is not answered, asked or gone on with, and the one who has its journal goes on as if nothing had been", async () => {
    const place = await openPlace(counting);
    const [{ checkpointer }, mine, empty] = [
      await place.open("checkpoints.db"),
      await place.open(),
      await place.open("other.db"),
    ];
    const graph = place.graph({ checkpointer, store: mine.store });
    await graph.invoke(ask("count up"), thread);
    const before = await idOf(checkpointer);
    const { calls: waiting } = await approvalOf(graph);
    const stranger = place.graph({ checkpointer, store: empty.store });
    const answers = { c1: { decision: "approve", digest: waiting[0]?.digest ?? "" } };
    for (const input of [new Command({ resume: { answers } }), ask("more"), null]) {
      const run = stranger.invoke(input as never, thread);
      await expect(run).rejects.toThrow(
        /checkpoint of thread otter has turn 1, and the journal in .*other\.db has not/,
      );
      await expect(run).rejects.toBeInstanceOf(JournalMissing);
    }
    expect(await idOf(checkpointer)).toBe(before);
    expect((await approvalOf(graph)).calls).toEqual(waiting);
    expect(empty.store.sessions.list()).toEqual([]);
    expect(await place.text("a.txt")).toBe("1\n");
    await answer(graph, answers);
    expect(await place.text("a.txt")).toBe("2\n");
  });

  it("is refused over a journal that was put back from a copy, and over another thread's of its name", async () => {
    const place = await openPlace([says("Hello."), ...counting, says("Hello, other.")]);
    const { checkpointer } = await place.open("checkpoints.db");
    const mine = await place.open();
    await place.graph({ checkpointer, store: mine.store }).invoke(ask("hello"), thread);
    mine.store.close();
    await copyFile(join(place.root, "agent.db"), join(place.root, "copy.db"));
    const again = await place.open();
    const graph = place.graph({ checkpointer, store: again.store });
    await graph.invoke(ask("count up"), thread);
    const copy = place.graph({ checkpointer, store: (await place.open("copy.db")).store });
    await expect(copy.invoke(null, thread)).rejects.toThrow(/has turn 2, and the journal in .*copy\.db has not/);
    await approveAll(graph);
    const other = await place.open("other.db");
    await place.graph({ checkpointer: new MemorySaver(), store: other.store }).invoke(ask("hello"), thread);
    const crossed = place.graph({ checkpointer: new MemorySaver(), store: other.store });
    crossed.checkpointer = checkpointer;
    await expect(crossed.invoke(ask("more"), thread)).rejects.toThrow(JournalMissing);
    expect(await place.text("a.txt")).toBe("2\n");
  });

  it.each<[string, (call: ToolCallInfo) => Partial<ToolCallInfo>]>([
    ["a call of another id", () => ({ callId: "c9" })],
    ["a call of another journal by the same id", (call) => ({ times: { ...call.times, proposed: 1 } })],
    ["another tool's call by the same id", () => ({ toolName: "write_file" })],
  ])("is refused where its state was set to have %s", async (_name, change) => {
    const place = await openPlace([calls(edit("1", "2")), says("unused")]);
    const graph = place.graph(await place.open());
    await graph.invoke(ask("count up"), thread);
    const [call] = (await graph.getState(thread)).values.pendingToolCalls as ToolCallInfo[];
    if (call === undefined) throw new Error("nothing waits");
    const forged = { ...call, ...change(call), status: "pending" } as ToolCallInfo;
    await graph.updateState(thread, { pendingToolCalls: [forged] }, "tool_routing");
    await expect(graph.invoke(null, thread)).rejects.toThrow(JournalMissing);
    expect(await place.text("a.txt")).toBe("1\n");
  });
});

it("settles what a lost checkpoint had asked, when the thread gets its next message", async () => {
  const place = await openPlace([calls(edit("1", "2")), says("Other."), says("unused")]);
  const { store } = await place.open();
  await place.graph({ store, checkpointer: new MemorySaver() }).invoke(ask("count up"), thread);
  const graph = place.graph({ store, checkpointer: new MemorySaver() });
  store.close();
  const later = await place.open();
  const next = place.graph({ store: later.store, checkpointer: graph.checkpointer as BaseCheckpointSaver });
  const { messages, turn } = await next.invoke(ask("something else"), thread);
  expect([turn, messages.at(-1)?.content]).toEqual([2, "Other."]);
  const journal = later.store.readJournal("otter");
  expect(journal.call("c1")).toMatchObject({ status: "cancelled" });
  expect(journal.turns()).toMatchObject([
    { turn: 1, state: "done", reason: "superseded" },
    { turn: 2, state: "done" },
  ]);
});

it("is had by one process at a time, and the other one has written nothing of its run", async () => {
  const place = await openPlace(counting);
  const [one, other] = [await place.open(), await place.open()];
  await place.graph(one).invoke(ask("count up"), thread);
  const checkpointer = new MemorySaver();
  const run = place.graph({ checkpointer, store: other.store }).invoke(ask("hello?"), thread);
  await expect(run).rejects.toThrow(/is driven by process/);
  expect(await idOf(checkpointer)).toBeUndefined();
});

it.each(["../up", "a/b", "a\\b", ".hidden", "..", "a\u0000b", "a\nb", "\u202eb", "x".repeat(201)])(
  "makes nothing of a thread that is called %j",
  async (thread_id) => {
    const place = await openPlace([says("unused")]);
    const { store, checkpointer } = await place.open();
    const run = place.graph({ store, checkpointer }).invoke(ask("hello"), at(thread_id));
    await expect(run).rejects.toThrow(/cannot name a session/);
    expect(store.sessions.list()).toEqual([]);
    expect((await readdir(place.root)).filter((name) => !name.startsWith("agent.db"))).toEqual(["work"]);
  },
);

it.each<[string, object]>([
  ["an input", { messages: "hello", pendingToolCalls: [] }],
  ["an update", new Command({ resume: { answers: {} }, update: { turn: 7 } })],
  ["an update in pairs", new Command({ resume: { answers: {} }, update: [["step", 3]] })],
])("takes nothing but words: %s that sets the graph's state is refused", async (_name, input) => {
  const place = await openPlace([calls(edit("1", "2")), says("unused")]);
  const graph = place.graph(await place.open());
  await graph.invoke(ask("count up"), thread);
  const before = await idOf(graph.checkpointer as BaseCheckpointSaver);
  await expect(graph.invoke(input as never, thread)).rejects.toThrow(/takes \{ messages \}, and not /);
  expect(await idOf(graph.checkpointer as BaseCheckpointSaver)).toBe(before);
});

it("knows a message that came without an id again, when its checkpoint is read", async () => {
  let asked = 0;
  const model: Model = {
    spec: "test",
    async *stream() {
      asked += 1;
      if (asked === 1) throw new ModelFailure("refused", "the model is down");
      yield { type: "done", reply: { text: "Hello.", calls: [], finish: "stop" } };
    },
  };
  const place = await openPlace([], { model });
  const { store } = await place.open();
  const graph = place.graph({ store, checkpointer: new MemorySaver() });
  await expect(graph.invoke(ask("hello"), thread)).rejects.toThrow("the model is down");
  const { messages } = await graph.invoke(null, thread);
  expect(messages.map(({ content }) => content)).toEqual(["hello", "Hello."]);
  expect(store.readJournal("otter").turns()).toMatchObject([{ turn: 1, state: "done" }]);
});

it("streams the model's words on `messages`, and all else that happens on `custom`", async () => {
  const slow = defineTool({
    name: "slow",
    description: "tells of itself",
    args: z.strictObject({}),
    risk: "low",
    effect: "none",
    execute: async (_args, { progress }) => {
      progress({ tip: "half", figure: 0.5 });
      return "done";
    },
  });
  const place = await openPlace([{ ...calls(["slow", {}]), text: "Now." }, says("It is done.")], { tools: [slow] });
  const graph = place.graph({ checkpointer: new MemorySaver() });
  const words = new Map<string, string[]>();
  const custom: AgentEventBody[] = [];
  const stream = await graph.stream(ask("go"), { ...thread, streamMode: ["messages", "custom"] });
  for await (const [mode, data] of stream) {
    if (mode === "custom") custom.push(data as AgentEventBody);
    else {
      const [message, { langgraph_node }] = data as [AIMessage, { langgraph_node: string }];
      const name = `${langgraph_node} ${message.id}`;
      words.set(name, [...(words.get(name) ?? []), String(message.content)]);
    }
  }
  expect([...words].map(([name, pieces]) => [name, pieces.join("")])).toEqual([
    ["reasoning m1.1", "Now."],
    ["observation o-c1", "done"],
    ["reasoning m1.2", "It is done."],
  ]);
  expect(words.get("reasoning m1.2")?.length).toBeGreaterThan(1);
  expect(custom).toContainEqual(
    expect.objectContaining({ type: "tool_progress", callId: "c1", phase: "running", tip: "half", figure: 0.5 }),
  );
  const types = new Set(custom.map(({ type }) => type));
  expect([types.has("text_delta"), types.has("assistant_message"), types.has("tool_call")]).toEqual([
    false,
    false,
    true,
  ]);
  expect(custom.filter((body) => body.type === "tool_call").map((body) => body.call.status)).toContain("success");
});

it("says of no call that it can go on in the background: nobody could send it there", async () => {
  const offered: boolean[] = [];
  const long = defineTool({
    name: "long",
    description: "could go on in the background",
    args: z.strictObject({}),
    risk: "low",
    effect: "none",
    execute: async (_args, { mayGoAside, progress }) => {
      offered.push(mayGoAside !== undefined);
      void mayGoAside?.(new Promise(() => undefined));
      progress({ tip: "half" });
      return "done";
    },
  });
  const place = await openPlace([calls(["long", {}]), says("It is done.")], { tools: [long] });
  const graph = place.graph({ checkpointer: new MemorySaver() });
  const told: AgentEventBody[] = [];
  for await (const [, body] of await graph.stream(ask("go"), { ...thread, streamMode: ["custom"] }))
    told.push(body as AgentEventBody);
  const progress = told.filter((body) => body.type === "tool_progress");
  expect([offered, progress.some(({ mayGoAside }) => mayGoAside === true), progress.length > 0]).toEqual([
    ...[[false], false, true],
  ]);
});

it("streams by LangChain's events too, and tells nobody there what the model was asked", async () => {
  const place = await openPlace([says("Hello, otter.")]);
  const graph = place.graph({ checkpointer: new MemorySaver() });
  const heard: [string, unknown][] = [];
  for await (const { event, data } of graph.streamEvents(ask("the question"), { ...thread, version: "v2" }))
    if (event.startsWith("on_chat_model")) heard.push([event, data]);
  const pieces = heard.filter(([event]) => event === "on_chat_model_stream").map(([, data]) => data);
  expect(pieces.map((data) => (data as { chunk: AIMessage }).chunk.content).join("")).toBe("Hello, otter.");
  expect(JSON.stringify(heard)).not.toContain("the question");
});

it("keeps a bounded number of threads open, and opens one again that it has closed", async () => {
  const open = new Set<number>();
  let made = 0;
  class Note {
    readonly name = "note";
    readonly description = "notes";
    readonly args = z.strictObject({});
    readonly risk = "low";
    readonly effect = "none";
    readonly number = made++;
    constructor() {
      open.add(this.number);
    }
    async execute() {
      return "noted";
    }
    async dispose() {
      open.delete(this.number);
    }
  }
  const model: Model = {
    spec: "test",
    async *stream({ messages }) {
      yield { type: "done", reply: { text: `${messages.length}`, calls: [], finish: "stop" } };
    },
  };
  const place = await openPlace([], { model, tools: [{ name: "note", factory: async () => new Note() }] });
  const { store } = await place.open();
  const graph = place.graph({ store, checkpointer: new MemorySaver() });
  for (let n = 0; n < 39; n += 1) await graph.invoke(ask("hello"), at(`t${n}`));
  await expect.poll(() => open.size).toBeLessThanOrEqual(32);
  const { messages } = await graph.invoke(ask("again"), at("t0"));
  expect(messages.map(({ content }) => content)).toEqual(["hello", "2", "again", "4"]);
});

it("makes no calls that a message of its input brings", async () => {
  const made = { name: "write_file", arguments: { file_path: "made.txt", content: "x" } };
  const place = await openPlace([says("One."), says("Two.")]);
  const { store } = await place.open();
  const graph = place.graph({ store, checkpointer: new MemorySaver() });
  for (const additional_kwargs of [
    { asked_calls: Array.from({ length: 500 }, () => made), holdfast_typed: "/rv" },
    { person_call: made, holdfast_served: true },
  ]) {
    const message = new HumanMessage({ content: "go", additional_kwargs });
    const { messages } = await graph.invoke({ messages: [message] }, thread);
    expect(messages.at(-1)?.content).toMatch(/One|Two/u);
  }
  const [row] = store.sessions.list();
  const journal = store.readJournal(String(row?.id));
  expect(journal.callCount()).toBe(0);
  for (const { turn } of journal.turns()) expect(journal.turnMessage(turn).additional_kwargs).toEqual({});
});

it("ends its turns with JSON by the schema of its maker, whatever a message brings", async () => {
  const outputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  const place = await openPlace([says("One."), says('{"n": 1}')], { outputSchema });
  const graph = place.graph({ checkpointer: new MemorySaver() });
  const loose = new HumanMessage({ content: "count", additional_kwargs: { holdfast_output: {} } });
  const { messages } = await graph.invoke({ messages: [loose] }, thread);
  expect(messages.at(-1)?.content).toBe('{"n": 1}');
  expect(place.requests).toHaveLength(2);
});
