import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { advance } from "../../../../src/core/call.ts";
import { observationText } from "../../../../src/graph/talk/observation-text.ts";
import { forkSession } from "../../../../src/records/fork.ts";
import type { ObservationOf, Store } from "../../../../src/store/types.ts";
import { RawStore } from "../../../support/raw-store.ts";
import {
  begin,
  commitCalls,
  type Driven,
  drive,
  open,
  pendingCall,
  putState,
  stateOf,
  tempFile,
} from "../../support.ts";

const id = "calm-fox-0001";
const words = "all that the tool printed, once";

/** The words of a settled call, as who runs the graph makes them. */
function observing(store: Store, driven?: string): string[] {
  const asked: string[] = [];
  const lookup: ObservationOf = (thread, callId) => {
    asked.push(callId);
    const call = store.sessions.get(thread) === undefined ? undefined : store.readJournal(thread).call(callId);
    if (call?.status === "success") return { content: call.result.output, status: "success" };
    return call?.status === "cancelled" ? { content: observationText(call), status: "error" } : undefined;
  };
  store.saver.fillObservations(lookup, driven);
  return asked;
}

const told = (callId: string, more: Partial<ToolMessage> = {}): ToolMessage =>
  new ToolMessage({ id: `o-${callId}`, tool_call_id: callId, name: "read_file", content: words, ...more });

/** A session with a turn, and a step of it whose calls all have these words. */
async function settled(file: string, ...callIds: string[]): Promise<Driven & { before: BaseMessage[] }> {
  const driven = await drive(await open({ file }), id);
  const { journal } = driven;
  const prompt = new HumanMessage({ id: "h1", content: "go" });
  await journal.addTurn({ text: "go", message: prompt, queued: false });
  const calls = callIds.map((callId) => pendingCall(callId));
  const reply = await commitCalls(journal, "1.1", calls, prompt);
  for (const call of calls) {
    const running = await begin(journal, call);
    const done = advance<"executing", "success">(running, { status: "success", result: { output: words } });
    await journal.move([{ before: running, after: done }]);
  }
  return { ...driven, before: [prompt, reply] };
}

const messagesOf = async (store: Store, thread = id): Promise<BaseMessage[]> =>
  (await stateOf(store.saver, thread))?.["messages"] as BaseMessage[];

function bodies(file: string): string[] {
  const db = new RawStore(file);
  const found = db.column("SELECT body FROM message WHERE type = 'tool' ORDER BY key") as string[];
  db.close();
  return found;
}

test("the words of a call are stored with the call alone, and its tool message is filled with them when it is loaded", async () => {
  const file = tempFile();
  const { store, before } = await settled(file, "c1", "c2", "c3");
  observing(store);
  const messages = [
    ...before,
    told("c1"),
    told("c2", { status: "success", artifact: { figure: 3 } }),
    told("c3", { status: "error" }),
  ];
  await putState(store.saver, { thread: id }, { messages, turn: 1 });
  expect(await messagesOf(store)).toEqual(messages);
  store.close();

  expect(bodies(file).join()).not.toContain(words);
  expect(bodies(file)[0]).toBe('{"n":"read_file","x":"c1","o":1}');
  const again = await open({ file });
  expect((await messagesOf(again))[2]?.content).toBe("[What call c1 came to is kept with the call alone]");
  observing(again);
  expect(await messagesOf(again)).toEqual(messages);
});

test("a message that says anything else, or of a call of no journal, is stored whole", async () => {
  const file = tempFile();
  const { store, before } = await settled(file, "c1");
  observing(store);
  const cut = told("c1", { content: words.slice(0, 5) });
  const blocks = told("c1", { id: "t2", content: [{ type: "text", text: words }] });
  const unknown = told("c9");
  await putState(store.saver, { thread: id }, { messages: [...before, cut, blocks, unknown], turn: 1 });
  const foreign = [new HumanMessage({ id: "h", content: "hi" }), told("c1")];
  await putState(store.saver, { thread: "a graph of its own" }, { messages: foreign });
  store.close();
  const again = await open({ file });
  observing(again);
  expect(await messagesOf(again)).toEqual([...before, cut, blocks, unknown]);
  expect(await messagesOf(again, "a graph of its own")).toEqual(foreign);
});

test("where nobody knows the words of calls, each message is stored whole", async () => {
  const file = tempFile();
  const { store, before } = await settled(file, "c1");
  await putState(store.saver, { thread: id }, { messages: [...before, told("c1")], turn: 1 });
  store.close();
  expect(bodies(file).join()).toContain(words);
  expect((await messagesOf(await open({ file })))[2]).toEqual(told("c1"));
});

test("a message without words, as earlier versions stored each observation, is filled too", async () => {
  const file = tempFile();
  const { store, before } = await settled(file, "c1", "c2");
  const messages = [...before, told("c1", { content: "" }), told("c2", { content: "", id: "another's" })];
  await putState(store.saver, { thread: id }, { messages, turn: 1 });
  store.close();
  const again = await open({ file });
  observing(again);
  expect((await messagesOf(again)).slice(2).map(({ content }) => content)).toEqual([words, ""]);
});

test("a message that is stored, or was loaded, is known by the object: its words are not looked up again", async () => {
  const file = tempFile();
  const { store, before } = await settled(file, "c1", "c2");
  const asked = observing(store);
  const messages = [...before, told("c1")];
  let after = await putState(store.saver, { thread: id }, { messages, turn: 1 });
  await store.sessions.create({ id: "other", workspace: "/w", model: "m", title: "" }); // and with it the checkpoint
  after = await putState(store.saver, { thread: id, after }, { messages: [...messages, told("c2")], turn: 1 });
  store.close();
  expect(asked).toEqual(["c1", "c2"]);

  const again = await open({ file });
  const askedAgain = observing(again);
  const loaded = await messagesOf(again);
  await putState(again.saver, { thread: id, after }, { messages: loaded, turn: 1, step: 2 });
  await putState(again.saver, { thread: id, after }, { messages: loaded, turn: 2, step: 3 });
  expect(askedAgain).toHaveLength(2);
  expect(bodies(file)).toHaveLength(2);
});

test("in the thread that is driven the words of a call are looked up once somebody reads them, and the message is no other one", async () => {
  const file = tempFile();
  const { store, before } = await settled(file, "c1", "c2", "c3");
  observing(store);
  const messages = [...before, told("c1"), told("c2", { status: "success" }), told("c3", { status: "error" })];
  const after = await putState(store.saver, { thread: id }, { messages, turn: 1 });
  store.close();
  const again = await open({ file });
  const asked = observing(again, id);
  const loaded = await messagesOf(again);
  await putState(again.saver, { thread: id, after }, { messages: loaded, turn: 1, step: 2 });
  expect(asked).toEqual([]);

  expect(loaded[3]?.content).toBe(words);
  expect(loaded.map((message) => message.toDict())).toEqual(messages.map((message) => message.toDict()));
  expect(loaded).toEqual(messages);
  expect(asked).toEqual(["c2", "c1", "c3"]);
  await putState(again.saver, { thread: "a copy" }, { messages: loaded });
  expect(await messagesOf(again, "a copy")).toEqual(messages);
});

test("words that cannot be read say so in their message, and the rest of the talk is whole", async () => {
  const file = tempFile();
  const { store, before } = await settled(file, "c1");
  observing(store);
  await putState(store.saver, { thread: id }, { messages: [...before, told("c1", { status: "success" })], turn: 1 });
  store.close();
  const again = await open({ file });
  again.saver.fillObservations(() => {
    throw new Error("no such row");
  }, id);
  const loaded = await messagesOf(again);
  expect(loaded.slice(0, 2)).toEqual(before);
  expect(loaded[2]?.content).toBe("[This message could not be read from the store: no such row]");
});

test("a fork's messages say what its own calls came to", async () => {
  const { store, journal, before } = await settled(tempFile(), "c1");
  observing(store);
  const second = pendingCall("c2", { effect: "once" });
  await commitCalls(journal, "1.2", [second], before.at(-1));
  const row = store.sessions.get(id);
  const fork = row && (await forkSession(store, row, "c2"));
  const forked = await messagesOf(store, fork?.id);
  expect(forked.filter((message) => ToolMessage.isInstance(message)).map(({ content }) => content)).toEqual([
    words,
    "Not run: the session was forked before it ran",
  ]);
});

test("the arguments that the model wrote are known where the person changed them", async () => {
  const { journal } = await settled(tempFile(), "c1");
  const call = pendingCall("c2");
  await commitCalls(journal, "1.2", [call]);
  const other = { file_path: "other.ts" };
  const asked = advance(call, { status: "awaiting_approval", digest: "d" });
  await journal.move([{ before: call, after: asked }]);
  await journal.move(
    [{ before: asked, after: advance(asked, { status: "awaiting_approval", digest: "e", arguments: other }) }],
    { callId: "c2", digest: "d", decision: "edit", arguments: other, at: 1 },
  );
  expect(journal.call("c2")?.arguments).toEqual(other);
  expect(["c1", "c2", "c9"].map((callId) => journal.askedArguments(callId))).toEqual([
    undefined,
    { file_path: "src/c2.ts" },
    undefined,
  ]);
});
