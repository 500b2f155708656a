import { spawnSync } from "node:child_process";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../../src/core/json.ts";
import { defineTool } from "../../src/core/tool.ts";
import type { ApprovalQuestion } from "../../src/graph/calls/question.ts";
import type { ModelRequest } from "../../src/model/port.ts";
import { builtProgram } from "../support/built.ts";
import { calls, says } from "../support/play.ts";
import {
  answer,
  approvalOf,
  ask,
  edit,
  type Graph,
  openPlace,
  questionOf,
  scripted,
  thread,
} from "../support/thread-place.ts";

const wordsOf = async (graph: Graph): Promise<[string, unknown][]> => {
  const { messages } = (await graph.getState(thread)).values;
  return messages.map((message: { getType(): string; content: unknown }) => [message.getType(), message.content]);
};

const places = [
  ["MemorySaver", async () => ({ checkpointer: new MemorySaver() })],
  ["the store", (place: Awaited<ReturnType<typeof openPlace>>) => place.open()],
] as const;

describe.each(places)("a graph that LangGraph drives alone, with %s", (_, savers) => {
  it("asks by its interrupt, is answered by its resume value, and writes the file that was shown", async () => {
    const place = await openPlace([calls(edit("1", "2")), says("Two.")]);
    const graph = place.graph(await savers(place));
    const first = await graph.invoke(ask("count up"), thread);
    const [shown] = (first as unknown as { __interrupt__: { value: ApprovalQuestion }[] }).__interrupt__;
    const question = await approvalOf(graph);
    expect(question).toEqual(shown?.value);
    expect(question).toMatchObject({
      kind: "approval",
      calls: [{ callId: "c1", toolName: "edit_file", risk: "medium", verdict: { decision: "ask" } }],
    });
    expect(question.calls[0]?.plan.diff).toContain("-1\n+2");
    expect((await graph.getState(thread)).next).toEqual(["human_approval"]);
    const digest = question.calls[0]?.digest ?? "";
    const done = await answer(graph, { c1: { decision: "approve", digest } });
    expect(await place.text("a.txt")).toBe("2\n");
    expect(done).toMatchObject({ turn: 1, pendingToolCalls: [], completedToolCalls: [] });
    const [human, asked, tool, word] = await wordsOf(graph);
    expect([human, asked, word]).toEqual([
      ["human", "count up"],
      ["ai", ""],
      ["ai", "Two."],
    ]);
    expect(tool?.[0]).toBe("tool");
    expect(tool?.[1]).toMatch(/a\.txt/);
    expect(place.requests.at(-1)?.messages.at(-1)?.content).toBe(tool?.[1]);
    expect(place.events.find((event) => event.type === "decision")).toMatchObject({
      decision: "approve",
      by: "person",
    });
  });

  it("keeps waiting for what was left out or approved by another digest, and tells the model why of a denial", async () => {
    const write = (file: string): [string, JsonObject] => ["write_file", { file_path: file, content: "x\n" }];
    const place = await openPlace([calls(write("b"), write("c"), write("d")), says("So.")]);
    const graph = place.graph(await savers(place));
    await graph.invoke(ask("write"), thread);
    const { calls: waiting } = await approvalOf(graph);
    const digestOf = (id: string) => waiting.find(({ callId }) => callId === id)?.digest ?? "";
    await answer(graph, {
      c1: { decision: "approve", digest: digestOf("c2") },
      c3: { decision: "deny", reason: "no d" },
    });
    expect((await approvalOf(graph)).calls.map(({ callId }) => callId)).toEqual(["c1", "c2"]);
    expect(place.events.filter((event) => event.type === "notice")).toMatchObject([{ code: "answer_refused" }]);
    await answer(graph, {});
    expect((await approvalOf(graph)).calls.map(({ callId }) => callId)).toEqual(["c1", "c2"]);
    await answer(graph, { c2: { decision: "approve", digest: digestOf("c2") } });
    expect((await approvalOf(graph)).calls.map(({ callId }) => callId)).toEqual(["c1"]);
    await expect(place.text("c")).rejects.toThrow();
    await answer(graph, { c1: { decision: "approve", digest: digestOf("c1") } });
    expect([await place.text("b"), await place.text("c")]).toEqual(["x\n", "x\n"]);
    await expect(place.text("d")).rejects.toThrow();
    expect((await wordsOf(graph))[4]).toEqual(["tool", "Not run: denied by the person: no d"]);
  });

  it("publishes an edited call anew, with what was changed, and approves that one only", async () => {
    const place = await openPlace([calls(edit("1", "2")), says("Seven.")]);
    const graph = place.graph(await savers(place));
    await graph.invoke(ask("count up"), thread);
    const [before] = (await approvalOf(graph)).calls;
    await answer(graph, { c1: { decision: "edit", arguments: edit("1", "7")[1] } });
    const [after] = (await approvalOf(graph)).calls;
    expect(after).toMatchObject({ callId: "c1", changed: { from: before?.digest, why: "edited by you" } });
    expect(after?.plan.diff).toContain("+7");
    await answer(graph, { c1: { decision: "approve", digest: before?.digest ?? "" } });
    expect(await place.text("a.txt")).toBe("1\n");
    await answer(graph, { c1: { decision: "approve", digest: after?.digest ?? "" } });
    expect(await place.text("a.txt")).toBe("7\n");
  });

  it.each<[string, unknown, RegExp]>([
    ["a bare word", "approve", /needs \{answers: /],
    ["an approval without a digest", { answers: { c1: { decision: "approve" } } }, /nothing was decided/],
    ["an unknown call", { answers: { c9: { decision: "deny" } } }, /has no call c9/],
    ["another shape", { c1: { decision: "deny" } }, /nothing was decided/],
  ])("refuses %s, decides nothing, and can be answered afterwards", async (_name, resume, message) => {
    const place = await openPlace([calls(edit("1", "2")), says("Two.")]);
    const graph = place.graph(await savers(place));
    await graph.invoke(ask("count up"), thread);
    await expect(graph.invoke(new Command({ resume }), thread)).rejects.toThrow(message);
    const [call] = (await approvalOf(graph)).calls;
    expect(call?.callId).toBe("c1");
    await answer(graph, { c1: { decision: "approve", digest: call?.digest ?? "" } });
    expect(await place.text("a.txt")).toBe("2\n");
  });

  it("streams what each node did, the question included", async () => {
    const place = await openPlace([calls(["ls", {}], edit("1", "2")), says("Two.")]);
    const graph = place.graph(await savers(place));
    const nodes: string[] = [];
    for await (const update of await graph.stream(ask("look"), { ...thread, streamMode: "updates" }))
      nodes.push(...Object.keys(update));
    expect(nodes).toEqual(["reasoning", "tool_routing", "__interrupt__"]);
  });

  it("numbers a thread's turns by its messages, and settles what waited for the one before", async () => {
    const place = await openPlace([calls(edit("1", "2")), says("Other."), says("Third.")]);
    const graph = place.graph(await savers(place));
    await graph.invoke(ask("count up"), thread);
    await graph.invoke({ messages: [{ role: "user", content: "no, something else" }] }, thread);
    const third = await graph.invoke({ messages: "and a third" }, thread);
    expect(third).toMatchObject({ turn: 3, step: 1 });
    expect(await place.text("a.txt")).toBe("1\n");
    expect(place.requests[1]?.messages.slice(1).map(({ content }) => content)).toEqual([
      "count up",
      "",
      "Not run: the person sent a new message instead of an answer",
      "no, something else",
    ]);
    expect(place.events.filter((event) => event.type === "notice")).toMatchObject([{ code: "superseded" }]);
  });

  it("stops after so many steps, and goes on when it is told to", async () => {
    const look = calls(["ls", {}]);
    const place = await openPlace([look, look, look, says("Enough.")], { maxSteps: 2 });
    const graph = place.graph(await savers(place));
    await graph.invoke(ask("look long"), thread);
    expect(place.requests).toHaveLength(2);
    await graph.invoke({ messages: [] }, thread);
    expect((await wordsOf(graph)).at(-1)).toEqual(["ai", "Enough."]);
    expect(place.requests).toHaveLength(4);
  });

  it("asks on once after an empty reply, fails with EMPTY_REPLY after the second, and goes on when it is told to", async () => {
    const nothing = says("");
    const place = await openPlace([nothing, nothing, nothing, says("Here."), says("More.")]);
    const graph = place.graph(await savers(place));
    const failed = await graph.invoke(ask("say it"), thread);
    expect(failed.ending).toBe("empty_reply");
    expect(place.requests).toHaveLength(2);
    expect(place.events.filter(({ type }) => type === "error" || type === "notice")).toMatchObject([
      { type: "notice", code: "empty_reply" },
      { type: "error", code: "EMPTY_REPLY", hint: expect.stringContaining("-m") },
    ]);
    // The word to the model is in its request, and no message of the talk.
    expect((await wordsOf(graph)).map(([type]) => type)).toEqual(["human", "ai", "ai"]);
    const went = await graph.invoke({ messages: [] }, thread);
    expect(went.ending).toBe(null);
    expect((await wordsOf(graph)).at(-1)).toEqual(["ai", "Here."]);
    expect(place.requests).toHaveLength(4);
    await graph.invoke(ask("more"), thread);
    expect((await wordsOf(graph)).at(-1)).toEqual(["ai", "More."]);
    const sent = place.requests.flatMap(({ messages }) => messages.filter(({ content }) => content === ""));
    expect(sent).toEqual([]);
  });

  it("takes a talk that a program brings, and sends none of its empty replies", async () => {
    const place = await openPlace([says("unused"), says("Here.")]);
    const graph = place.graph(await savers(place));
    const brought = [new HumanMessage("one"), new AIMessage({ content: [{ type: "text", text: "\n" }] })];
    await graph.invoke({ messages: [...brought, new HumanMessage("two")] }, thread);
    const sent = place.requests[0]?.messages.slice(1) ?? [];
    expect(sent.map((message) => [message.getType(), message.content])).toEqual([
      ["human", "one"],
      ["ai", "(no words came)"],
      ["human", "two"],
    ]);
  });

  it("is left where its signal is aborted, and goes on from there", async () => {
    const run = new AbortController();
    let runs = 0;
    const wait = defineTool({
      name: "wait",
      description: "waits for the test",
      args: z.strictObject({}),
      risk: "low",
      effect: "none",
      execute: async (_args, { signal }) => {
        runs += 1;
        if (runs > 1) return "waited";
        run.abort();
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        return { output: "", error: "cut off" };
      },
    });
    const place = await openPlace([calls(["wait", {}], ["ls", {}]), says("Done.")], { tools: [wait] });
    const graph = place.graph(await savers(place));
    await expect(graph.invoke(ask("wait"), { ...thread, signal: run.signal })).rejects.toThrow();
    await graph.invoke(null, thread);
    expect((await wordsOf(graph)).at(-1)).toEqual(["ai", "Done."]);
  });
});

describe("the turn of a graph that LangGraph drives alone", () => {
  it("is done in the journal when the graph is, and the checkpoint beside it has the last words", async () => {
    const place = await openPlace([calls(["ls", {}]), says("One file.")]);
    const savers = await place.open();
    const graph = place.graph(savers);
    await graph.invoke(ask("look"), thread);
    // As another process finds it, should this one die now.
    const { store } = await place.open();
    expect(store.readJournal("otter").turns()).toMatchObject([{ turn: 1, state: "done", reason: "done" }]);
    const saved = await store.saver.getTuple(thread);
    const messages = saved?.checkpoint.channel_values["messages"] as { content: unknown }[];
    expect(messages.at(-1)?.content).toBe("One file.");
    expect((await graph.getState(thread)).next).toEqual([]);
  });

  it("can be continued where it only ran out of steps", async () => {
    const place = await openPlace([calls(["ls", {}]), says("One file.")], { maxSteps: 1 });
    const { store, checkpointer } = await place.open();
    await place.graph({ store, checkpointer }).invoke(ask("look"), thread);
    expect(store.readJournal("otter").turns()).toMatchObject([{ state: "running", reason: "max_steps" }]);
  });

  it("can be continued where the model said nothing, and its words are then the turn's", async () => {
    const place = await openPlace([says(""), says(""), says("Here.")]);
    const savers = await place.open();
    const graph = place.graph(savers);
    await graph.invoke(ask("look"), thread);
    const turns = () => savers.store.readJournal("otter").turns();
    expect(turns()).toMatchObject([{ state: "running", reason: "failed" }]);
    await graph.invoke({ messages: [] }, thread);
    expect(turns()).toMatchObject([{ state: "done", reason: "done" }]);
  });
});

describe("a graph on the store", () => {
  it("is gone on with by another process, from its question, with the text of its tools", async () => {
    const place = await openPlace([calls(["read_file", { file_path: "a.txt" }]), calls(edit("1", "2")), says("Two.")]);
    const first = await place.open();
    await place.graph(first).invoke(ask("count up"), thread);
    first.store.close();
    const later = await place.open();
    const graph = place.graph(later);
    const [call] = (await approvalOf(graph)).calls;
    await answer(graph, { c2: { decision: "approve", digest: call?.digest ?? "" } });
    expect(await place.text("a.txt")).toBe("2\n");
    expect((await wordsOf(graph))[2]).toEqual(["tool", expect.stringContaining("1")]);
    expect(later.store.readJournal("otter").answersOf("c2")).toMatchObject([
      { decision: "approve", digest: call?.digest },
    ]);
    expect(later.store.verify("otter")).toMatchObject({ calls: 2 });
  });

  it("is gone on with after its process was killed at the question", async () => {
    const place = await openPlace([says("unused"), says("Written.")]);
    const dyingGraph = await builtProgram("test/graph/dying-graph.ts");
    const died = spawnSync(process.execPath, [dyingGraph, place.root], { encoding: "utf8" });
    expect([died.signal, died.stderr]).toEqual(["SIGKILL", ""]);
    const graph = place.graph(await place.open());
    const [call] = (await approvalOf(graph)).calls;
    await answer(graph, { c1: { decision: "approve", digest: call?.digest ?? "" } });
    expect(await place.text("b.txt")).toBe("b\n");
    expect((await wordsOf(graph)).at(-1)).toEqual(["ai", "Written."]);
  });

  it("asks what became of a call whose end was not seen, and takes the answer", async () => {
    let rings = 0;
    const ring = defineTool({
      name: "ring",
      description: "rings",
      args: z.strictObject({}),
      risk: "low",
      effect: "once",
      execute: async () => {
        rings += 1;
        return { output: "", error: "the line went dead", metadata: { code: "OUTCOME_UNKNOWN" } };
      },
    });
    const place = await openPlace([calls(["ring", {}]), says("Well.")], { tools: [ring] });
    const graph = place.graph(await place.open());
    await graph.invoke(ask("ring"), thread);
    expect(await questionOf(graph)).toMatchObject({
      kind: "recovery",
      calls: [{ callId: "c1", effect: "once", choices: ["retry", "done", "cancel"] }],
    });
    await answer(graph, {});
    await answer(graph, { c1: { choice: "done" } });
    expect(rings).toBe(1);
    expect((await wordsOf(graph)).at(-1)).toEqual(["ai", "Well."]);
  });

  it("has a talk summed up that is longer than its window", async () => {
    const lines = Array.from({ length: 7 }, (_, n) => says(`${"a plain word or two. ".repeat(450)} ${n}`));
    const requests: ModelRequest[] = [];
    const model = scripted(lines, requests, { window: 16_000, summaries: ["## Goal\nto talk"] });
    const place = await openPlace([], { model });
    const savers = await place.open();
    const graph = place.graph(savers);
    for (let n = 0; n < 7; n += 1) await graph.invoke(ask(n === 0 ? "The goal: talk." : `on ${n}`), thread);
    expect(savers.store.readJournal("otter").compactions()).toMatchObject([{ kind: "summary", by: "auto" }]);
    const texts = requests.at(-1)?.messages.map(({ content }) => String(content)) ?? [];
    expect(texts[1]).toContain("\n| The goal: talk.\n");
    expect(texts[1]).toContain("\n| ## Goal\n| to talk\n");
    expect(texts.at(-1)).toBe("on 6");
  });

  it("tells who has a thread that another process drives", async () => {
    const place = await openPlace([says("One."), says("Two.")]);
    const [one, other] = [await place.open(), await place.open()];
    await place.graph(one).invoke(ask("hello"), thread);
    await expect(place.graph(other).invoke(ask("hello?"), thread)).rejects.toThrow(/is driven by process|taken over/);
  });
});
