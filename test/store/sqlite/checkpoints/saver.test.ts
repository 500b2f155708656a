import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Annotation, Command, END, interrupt, messagesStateReducer, START, StateGraph } from "@langchain/langgraph";
import { TASKS } from "@langchain/langgraph-checkpoint";
import { describe, expect, test, vi } from "vitest";
import { parseStep } from "../../../../src/core/step-id.ts";
import type { Store } from "../../../../src/store/types.ts";
import { RawStore } from "../../../support/raw-store.ts";
import { commitCalls, drive, open, pendingCall, places, putState, reopened, stateOf, tempFile } from "../../support.ts";

const State = Annotation.Root({
  messages: Annotation<BaseMessage[]>({ reducer: messagesStateReducer, default: () => [] }),
  turn: Annotation<number>(),
});

/** An echo: each prompt is answered by `re: prompt`, its id made from the prompt's. */
function echo(store: Store) {
  return new StateGraph(State)
    .addNode("answer", ({ messages }) => {
      const prompt = messages.at(-1);
      return { messages: [new AIMessage({ id: `re-${prompt?.id}`, content: `re: ${prompt?.text}` })] };
    })
    .addNode("rest", () => ({}))
    .addEdge(START, "answer")
    .addEdge("answer", "rest")
    .addEdge("rest", END)
    .compile({ checkpointer: store.saver });
}

const at = (id?: string) => ({
  configurable: { thread_id: "t", ...(id === undefined ? {} : { checkpoint_id: id }) },
  durability: "sync" as const,
});

async function say(store: Store, text: string, turn: number, from?: string): Promise<{ id: string; texts: string[] }> {
  const graph = echo(store);
  await graph.invoke({ messages: [new HumanMessage({ id: text, content: text })], turn }, at(from));
  const state = await graph.getState(at());
  return { id: String(state.config.configurable?.["checkpoint_id"]), texts: textsOf(state.values) };
}

const textsOf = (values: Record<string, unknown>): string[] =>
  ((values["messages"] as BaseMessage[] | undefined) ?? []).map((message) => message.text);

async function textsAt(store: Store, id: string): Promise<string[]> {
  return textsOf((await echo(store).getState(at(id))).values);
}

/** Counted by another connection, which a store in memory cannot have. */
function expectRows(file: string, table: string, rows: number): void {
  if (file === ":memory:") return;
  const db = new RawStore(file);
  const counted = Number(db.one(`SELECT count(*) FROM ${table}`));
  db.close();
  expect(counted).toBe(rows);
}

describe.each(places)("branches, %s", (_where, place) => {
  test.each([false, true])(
    "two branches of one checkpoint read right, live and reopened (keep all: %s)",
    async (keepAll) => {
      const store = await open({ file: place(), keepAll });
      const base = await say(store, "q", 1);
      const left = await say(store, "A", 2, base.id);
      const right = await say(store, "B", 2, base.id);
      const leftLonger = await say(store, "A2", 3, left.id);
      const expected: [string, string[]][] = [
        [base.id, ["q", "re: q"]],
        [left.id, ["q", "re: q", "A", "re: A"]],
        [right.id, ["q", "re: q", "B", "re: B"]],
        [leftLonger.id, ["q", "re: q", "A", "re: A", "A2", "re: A2"]],
      ];
      expect([base, left, right, leftLonger].map(({ id, texts }) => [id, texts])).toEqual(expected);
      for (const [id, texts] of expected) expect(await textsAt(store, id)).toEqual(texts);
      const again = await reopened(store, { keepAll });
      for (const [id, texts] of expected) expect(await textsAt(again, id)).toEqual(texts);
      // Eight messages, however many checkpoints and branches hold them.
      expectRows(store.file, "message", 8);
      const rightLonger = await say(again, "B2", 3, right.id);
      expect(rightLonger.texts).toEqual(["q", "re: q", "B", "re: B", "B2", "re: B2"]);
      expectRows(store.file, "message", 10);
    },
  );

  test("versions that two branches mint for the same change differ, and rise", async () => {
    const { saver } = await open();
    const first = saver.getNextVersion(undefined);
    const [left, right] = [saver.getNextVersion(first), saver.getNextVersion(first)];
    expect(left).not.toBe(right);
    expect(String(left) > String(first)).toBe(true);
    expect(String(saver.getNextVersion(7)).startsWith("0000000000000008.")).toBe(true);
  });
});

describe("what is kept", () => {
  test("of checkpoints the last and the last of each turn, each with its messages", async () => {
    const file = tempFile();
    const store = await open({ file });
    const ends = [await say(store, "one", 1), await say(store, "two", 2), await say(store, "three", 3)];
    const kept: string[] = [];
    for await (const tuple of store.saver.list({ configurable: { thread_id: "t" } }))
      kept.push(String(tuple.config.configurable?.["checkpoint_id"]));
    expect(kept).toEqual(ends.map(({ id }) => id).reverse());
    const last = await store.saver.getTuple(at());
    expect(last?.parentConfig?.configurable?.["checkpoint_id"]).toBe(ends[1]?.id);
    expect(last?.metadata).toMatchObject({ source: "loop", step: 10 });
    expectRows(store.file, "pending_write", 0);
  });

  test("every checkpoint, where the store was asked to", async () => {
    const store = await open({ keepAll: true });
    await say(store, "one", 1);
    expectRows(store.file, "checkpoint", 4);
  });

  test("the last checkpoint is the one written last, though the clock went back", async () => {
    const { saver } = await open();
    const first = await putState(saver, { thread: "t" }, { turn: 1, n: 1 });
    const tuple = await saver.getTuple(at(first));
    if (tuple === undefined) throw new Error("no checkpoint");
    const earlier = {
      ...tuple.checkpoint,
      id: "00000000-0000-6000-8000-000000000000",
      channel_values: { turn: 2, n: 2 },
    };
    await saver.put(tuple.config, earlier, { source: "loop", step: 2, parents: {} }, {});
    expect(await stateOf(saver, "t")).toEqual({ turn: 2, n: 2 });
  });

  test("the checkpoint before one of an old format, for its sends are among the writes to that one", async () => {
    const store = await open();
    const checkpoint = { v: 1, ts: "", channel_values: {}, channel_versions: {}, versions_seen: {} };
    const metadata = { source: "loop" as const, step: 0, parents: {} };
    const first = await store.saver.put(at(), { ...checkpoint, id: "1" }, metadata, {});
    await store.saver.putWrites(first, [[TASKS, "a send"]], "task");
    await store.saver.put(first, { ...checkpoint, id: "2" }, metadata, {});
    const again = await reopened(store);
    expect(await stateOf(again.saver, "t")).toEqual({ [TASKS]: ["a send"] });
    expect((await again.saver.getTuple(at("1")))?.pendingWrites).toEqual([["task", TASKS, "a send"]]);
  });

  test("a DeltaChannel, whose history lies in all checkpoints, is refused unless all are kept", async () => {
    const metadata = {
      source: "loop" as const,
      step: 1,
      parents: {},
      counters_since_delta_snapshot: { m: [1, 1] as [number, number] },
    };
    const checkpoint = { v: 4, id: "1", ts: "", channel_values: {}, channel_versions: {}, versions_seen: {} };
    await expect((await open()).saver.put(at(), checkpoint, metadata, {})).rejects.toThrow("keeps all");
    await expect((await open({ keepAll: true })).saver.put(at(), checkpoint, metadata, {})).resolves.toBeDefined();
  });
});

describe.each(places)("interrupts and failures, %s", (_where, place) => {
  const asking = (store: Store, runs: string[]) =>
    new StateGraph(State)
      .addNode("sibling", () => {
        runs.push("sibling");
        return { messages: [new HumanMessage({ id: "s", content: "sibling was here" })] };
      })
      .addNode("ask", () => {
        runs.push("ask");
        const said = interrupt({ question: "go on?", lc: 1 }) as { answer: string };
        return { messages: [new AIMessage({ id: "said", content: said.answer })] };
      })
      .addEdge(START, "sibling")
      .addEdge(START, "ask")
      .compile({ checkpointer: store.saver });

  test("an interrupt and what its sibling wrote outlive the process", async () => {
    const runs: string[] = [];
    const store = await open({ file: place() });
    await asking(store, runs).invoke({ messages: [], turn: 1 }, at());
    const again = await reopened(store);
    const graph = asking(again, runs);
    const tasks = (await graph.getState(at())).tasks;
    expect(tasks.flatMap((task) => task.interrupts.map(({ value }) => value))).toEqual([{ question: "go on?", lc: 1 }]);
    await graph.invoke(new Command({ resume: { answer: "yes" } }), at());
    expect(textsOf((await graph.getState(at())).values)).toEqual(["yes", "sibling was here"]);
    expect(runs).toEqual(["ask", "sibling", "ask"]);
    expectRows(store.file, "pending_write", 0);
  });

  test("a task that had finished is not run again after its sibling failed", async () => {
    const store = await open({ file: place() });
    const written = vi.spyOn(store.saver, "putWrites");
    const runs: string[] = [];
    let fail = true;
    const graph = new StateGraph(State)
      .addNode("a", () => {
        runs.push("a");
        return {};
      })
      .addNode("b", async () => {
        // What the graph begins with is written, and after it that a has finished.
        await expect.poll(() => written.mock.settledResults.filter(({ type }) => type === "fulfilled").length).gt(1);
        runs.push("b");
        if (fail) throw new Error("no luck");
        return {};
      })
      .addNode("c", () => ({ messages: [new HumanMessage({ id: "c", content: "c" })] }))
      .addEdge(START, "a")
      .addEdge(START, "b")
      .addEdge("a", "c")
      .compile({ checkpointer: store.saver });
    await expect(graph.invoke({ messages: [], turn: 1 }, at())).rejects.toThrow("no luck");
    fail = false;
    await graph.invoke(null, at());
    expect(runs).toEqual(["a", "b", "b"]);
  });

  test("a plain run of single tasks puts no pending write on disk", async () => {
    const store = await open({ file: place() });
    await putState(store.saver, { thread: "t" }, { turn: 1 });
    const tuple = await store.saver.getTuple(at());
    if (tuple === undefined) throw new Error("no checkpoint");
    await store.saver.putWrites(tuple.config, [["messages", [1]]], "task");
    expectRows(store.file, "pending_write", 0);
    expect((await store.saver.getTuple(at()))?.pendingWrites).toEqual([["task", "messages", [1]]]);
    await store.saver.putWrites(tuple.config, [["messages", [2]]], "other");
    await store.saver.putWrites(tuple.config, [["messages", [3]]], "third");
    expectRows(store.file, "pending_write", 3);
  });
});

describe("what a model may write", () => {
  const poison = { lc: 1, type: "constructor", id: ["langchain", "nope", "Nope"], kwargs: {} };

  test("arguments in LangChain's own form neither kill nor change a session", async () => {
    const file = tempFile();
    const store = await open({ file });
    const message = new AIMessage({ id: "a", content: "", tool_calls: [{ id: "c", name: "ls", args: { poison } }] });
    await putState(
      store.saver,
      { thread: "t" },
      { messages: [message], pendingToolCalls: [{ arguments: poison }], turn: 1 },
    );
    store.close();
    const values = await stateOf((await open({ file })).saver, "t");
    expect(values).toEqual({ messages: [message], pendingToolCalls: [{ arguments: poison }], turn: 1 });
  });

  test("a state that cannot be stored is refused whole, and the one before it stays", async () => {
    const store = await open();
    const before = await putState(
      store.saver,
      { thread: "t" },
      { messages: [new HumanMessage({ id: "h", content: "hi" })], turn: 1 },
    );
    const bad = { messages: [new HumanMessage({ id: "h2", content: "more" })], n: 1n, turn: 1 };
    await expect(putState(store.saver, { thread: "t", after: before }, bad)).rejects.toMatchObject({
      kind: "unserialisable",
    });
    expect(textsOf((await stateOf(store.saver, "t")) ?? {})).toEqual(["hi"]);
  });

  test("one damaged row leaves the rest of the conversation readable, and going on with it too", async () => {
    const file = tempFile();
    const store = await open({ file });
    await say(store, "one", 1);
    store.close();
    const other = new RawStore(file);
    other.run("UPDATE message SET body = '{\"c\":' WHERE id = 're-one'");
    other.close();

    const again = await open({ file });
    const { texts } = await say(again, "two", 2);
    expect(texts).toEqual(["one", expect.stringContaining("could not be read"), "two", "re: two"]);
    expectRows(store.file, "message", 4);
  });

  test("a conversation whose beginning is gone says so, and goes on", async () => {
    const file = tempFile();
    const store = await open({ file });
    await say(store, "one", 1);
    store.close();
    const other = new RawStore(file);
    other.run("DELETE FROM message WHERE id = 'one'");
    other.close();

    const again = await open({ file });
    await say(again, "two", 2);
    again.close();
    const state = await stateOf((await open({ file })).saver, "t");
    expect(textsOf(state ?? {})).toEqual([
      "[1 earlier messages could not be read from the store]",
      "re: one",
      "two",
      "re: two",
    ]);
  });
});

describe.each(places)("the journal's messages and the checkpoint's, %s", (_where, place) => {
  test("a prompt and a reply that the journal stored are not stored again", async () => {
    const store = await open({ file: place() });
    const { journal } = await drive(store, "t");
    const prompt = new HumanMessage({ id: "h1", content: "do it" });
    const queued = new HumanMessage({ id: "h2", content: "and that" });
    await journal.addTurn({ text: "do it", message: prompt, queued: false });
    let id = await putState(store.saver, { thread: "t" }, { messages: [prompt], turn: 1 });
    await journal.addTurn({ text: "and that", message: queued, queued: true });
    const reply = await commitCalls(journal, "1.1", [pendingCall("c1")], prompt);
    const result = new ToolMessage({ id: "t1", content: "", tool_call_id: "c1" });
    const messages = [prompt, reply, result, queued];
    id = await putState(store.saver, { thread: "t", after: id }, { messages, turn: 2 });
    const again = await reopened(store);
    expectRows(store.file, "message", 4);
    expect((await stateOf(again.saver, "t", id))?.["messages"]).toEqual(messages);
  });

  test("after a death before the checkpoint, the committed reply takes its place in the list", async () => {
    const store = await open({ file: place() });
    const { journal } = await drive(store, "t");
    const prompt = new HumanMessage({ id: "h1", content: "do it" });
    await journal.addTurn({ text: "do it", message: prompt, queued: false });
    const before = await putState(store.saver, { thread: "t" }, { messages: [prompt], turn: 1 });
    await journal.commitReply({
      stepId: parseStep("1.1"),
      after: prompt,
      message: new AIMessage({ id: "a", content: "hm" }),
      calls: [],
    });
    const again = await reopened(store);
    const found = again.readJournal("t").findReply(parseStep("1.1"));
    const loaded = (await stateOf(again.saver, "t"))?.["messages"] as BaseMessage[];
    await putState(again.saver, { thread: "t", after: before }, { messages: [...loaded, found?.message], turn: 1 });
    expect(textsOf((await stateOf(again.saver, "t")) ?? {})).toEqual(["do it", "hm"]);
    expectRows(store.file, "message", 2);
  });

  test("a prompt made anew after a restart is recognised", async () => {
    const store = await open({ file: place() });
    const { journal } = await drive(store, "t");
    await journal.addTurn({ text: "do it", message: new HumanMessage({ id: "h1", content: "do it" }), queued: false });
    const again = await reopened(store);
    await putState(
      again.saver,
      { thread: "t" },
      { messages: [new HumanMessage({ id: "h1", content: "do it" })], turn: 1 },
    );
    expectRows(store.file, "message", 1);
  });

  test("a message replaced in the middle changes the list from there on, not what was stored before", async () => {
    const { saver } = await open({ keepAll: true });
    const [a, b, c] = ["a", "b", "c"].map((id) => new HumanMessage({ id, content: id }));
    const before = await putState(saver, { thread: "t" }, { messages: [a, b, c], turn: 1 });
    const other = new HumanMessage({ id: "b", content: "other" });
    await putState(saver, { thread: "t", after: before }, { messages: [a, other, c], turn: 1 });
    expect(textsOf((await stateOf(saver, "t")) ?? {})).toEqual(["a", "other", "c"]);
    expect(textsOf((await stateOf(saver, "t", before)) ?? {})).toEqual(["a", "b", "c"]);
  });

  test("deleting the thread keeps what the journal names, and the list can be built again", async () => {
    const store = await open({ file: place() });
    const { journal } = await drive(store, "t");
    const prompt = new HumanMessage({ id: "h1", content: "do it" });
    await journal.addTurn({ text: "do it", message: prompt, queued: false });
    const answer = new AIMessage({ id: "a", content: "done" });
    await putState(store.saver, { thread: "t" }, { messages: [prompt, answer], turn: 1 });
    await store.saver.deleteThread("t");
    expect(await store.saver.getTuple(at())).toBeUndefined();
    expect(journal.turnMessage(1)).toEqual(prompt);
    await putState(store.saver, { thread: "t" }, { messages: [prompt, answer], turn: 1 });
    expect(textsOf((await stateOf(store.saver, "t")) ?? {})).toEqual(["do it", "done"]);
    store.close();
    expectRows(store.file, "message", 2);
  });
});
