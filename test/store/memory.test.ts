import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { Annotation, Command, END, interrupt, messagesStateReducer, START, StateGraph } from "@langchain/langgraph";
import { expect, test, vi } from "vitest";
import { advance } from "../../src/core/call.ts";
import { sha256 } from "../../src/core/json.ts";
import { forkSession } from "../../src/records/fork.ts";
import { storeFailure } from "../../src/store/sqlite/failures.ts";
import { SessionBusy } from "../../src/store/types.ts";
import { begin, commitCalls, drive, open, pendingCall, tempFolder } from "./support.ts";

const memory = { file: ":memory:" };

test("a whole session lives in memory: lease, journal, kept bytes, fork, check, removal", async () => {
  const { store, journal, lease } = await drive(await open(memory), "calm-fox-0001");
  await journal.addTurn({ text: "go", message: new HumanMessage({ id: "h1", content: "go" }), queued: false });
  const call = pendingCall("c1", { effect: "file" });
  await commitCalls(journal, "1.1", [call]);
  const bytes = Buffer.from("before\n".repeat(1_000));
  const running = advance<"pending", "executing">(call, { status: "executing" });
  await journal.move([{ before: call, after: running, keep: [bytes] }]);
  const done = advance<"executing", "success">(running, { status: "success", result: { output: "done" } });
  await journal.move([{ before: running, after: done }]);

  expect(store.file).toBe(":memory:");
  expect(store.readJournal("calm-fox-0001").allCalls()).toEqual([done]);
  expect(Buffer.from(journal.bytesOf(sha256(bytes)) ?? [])).toEqual(bytes);
  expect(store.verify("calm-fox-0001")).toEqual({ session: "calm-fox-0001", calls: 1, events: 3 });
  expect(store.damage()).toBeUndefined();
  await expect(store.acquire("calm-fox-0001")).rejects.toThrow(SessionBusy);
  const row = store.sessions.get("calm-fox-0001");
  const fork = row && (await forkSession(store, row));
  expect(store.verify(fork?.id ?? "").calls).toBe(1);
  expect(await store.prune(Number.MAX_SAFE_INTEGER)).toMatchObject({ versions: 1 });
  lease.release();
  await store.sessions.remove("calm-fox-0001");
  expect(store.sessions.list().map(({ id }) => id)).toEqual([fork?.id]);
});

test("two stores in memory know nothing of each other, and a closed one is gone", async () => {
  const [one, other] = [await open(memory), await open(memory)];
  await drive(one, "calm-fox-0001");
  expect(other.sessions.list()).toEqual([]);
  one.close();
  one.close();
  expect((await open(memory)).sessions.list()).toEqual([]);
});

test("it makes no file and no folder, neither where it was opened nor among temporary ones", async () => {
  const [here, temporary] = [tempFolder(), tempFolder()];
  const before = process.cwd();
  vi.stubEnv("TMPDIR", temporary.path);
  try {
    process.chdir(here.path);
    const { store, journal } = await drive(await open(memory));
    for (let step = 1; step <= 20; step += 1) {
      const call = pendingCall(`c${step}`);
      await commitCalls(journal, `1.${step}`, [call]);
      await begin(journal, call);
    }
    await store.prune(Number.MAX_SAFE_INTEGER);
    expect([tmpdir(), readdirSync(here.path), readdirSync(temporary.path)]).toEqual([temporary.path, [], []]);
    store.close();
    expect([readdirSync(here.path), readdirSync(temporary.path)]).toEqual([[], []]);
  } finally {
    process.chdir(before);
    vi.unstubAllEnvs();
    for (const folder of [here, temporary]) folder.remove();
  }
});

test("a failure in it names no file to move away", () => {
  expect(storeFailure("corrupt", ":memory:").message).toBe(":memory:: the store is damaged; nothing was changed");
});

test("a graph of its own runs on it without any session", async () => {
  const State = Annotation.Root({
    messages: Annotation<BaseMessage[]>({ reducer: messagesStateReducer, default: () => [] }),
  });
  const graph = new StateGraph(State)
    .addNode("ask", () => ({ messages: [new AIMessage({ id: "a", content: String(interrupt("go on?")) })] }))
    .addEdge(START, "ask")
    .addEdge("ask", END)
    .compile({ checkpointer: (await open(memory)).saver });
  const at = { configurable: { thread_id: "any" } };
  await graph.invoke({ messages: [new HumanMessage({ id: "h", content: "hi" })] }, at);
  await graph.invoke(new Command({ resume: "yes" }), at);
  const { messages } = (await graph.getState(at)).values as typeof State.State;
  expect(messages.map(({ text }) => text)).toEqual(["hi", "yes"]);
});
