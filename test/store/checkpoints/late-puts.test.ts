import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/store/types.ts";
import { RawStore } from "../../support/raw-store.ts";
import { commitCalls, drive, open, pendingCall, putState, stateOf, tempFile } from "../support.ts";

const id = "calm-fox-0001";

/** What another process sees: checkpoints by id, and how many messages there are. */
function onDisk(file: string): { checkpoints: string[]; messages: number } {
  const raw = new RawStore(file);
  const checkpoints = raw.column("SELECT id FROM checkpoint ORDER BY key") as string[];
  const messages = raw.one("SELECT count(*) FROM message") as number;
  raw.close();
  return { checkpoints, messages };
}

/** Three checkpoints of one turn, one after another. */
async function putThree(store: Store, turn: number, after?: string): Promise<[string, string, string]> {
  const first = await putState(store.saver, { thread: id, after }, { turn }, 1);
  const second = await putState(store.saver, { thread: id, after: first }, { turn }, 2);
  return [first, second, await putState(store.saver, { thread: id, after: second }, { turn }, 3)];
}

describe("checkpoints of a session that is driven here", () => {
  test("go to disk with the journal's next transaction, the last of a turn alone", async () => {
    const file = tempFile();
    const { store, journal } = await drive(await open({ file }), id);
    const [, , third] = await putThree(store, 1);
    expect(onDisk(file).checkpoints).toEqual([]);
    await journal.setState("running");
    expect(onDisk(file).checkpoints).toEqual([third]);
    const [, , sixth] = await putThree(store, 2, third);
    await journal.setState("idle");
    expect(onDisk(file).checkpoints).toEqual([third, sixth]);
  });

  test("of two turns at once are both kept, each its turn's last", async () => {
    const file = tempFile();
    const { store, journal } = await drive(await open({ file }), id);
    const [, , third] = await putThree(store, 1);
    const [, , sixth] = await putThree(store, 2, third);
    await journal.setState("idle");
    expect(onDisk(file).checkpoints).toEqual([third, sixth]);
    const listed = [];
    for await (const { checkpoint, parentConfig } of store.saver.list({ configurable: { thread_id: id } }))
      listed.push([checkpoint.id, parentConfig?.configurable?.["checkpoint_id"]]);
    expect(listed).toEqual([
      [sixth, third],
      [third, undefined],
    ]);
  });

  test("are read as they were put, written or not", async () => {
    const { store } = await drive(await open(), id);
    const [, , third] = await putThree(store, 1);
    expect(await stateOf(store.saver, id)).toEqual({ turn: 1 });
    expect((await store.saver.getTuple({ configurable: { thread_id: id } }))?.checkpoint.id).toBe(third);
  });

  test("are written before the lease is given up, and before the store is closed", async () => {
    for (const leave of ["release", "close"] as const) {
      const file = tempFile();
      const { store, lease } = await drive(await open({ file }), id);
      const [, , third] = await putThree(store, 1);
      if (leave === "release") lease.release();
      else store.close();
      expect(onDisk(file).checkpoints).toEqual([third]);
    }
  });

  test("and the journal's replies make one list of messages, each stored once", async () => {
    const file = tempFile();
    const { store, journal } = await drive(await open({ file }), id);
    const prompt = new HumanMessage({ id: "h1", content: "do it" });
    await journal.addTurn({ text: "do it", message: prompt, queued: false });
    const messages: BaseMessage[] = [prompt];
    let after = await putState(store.saver, { thread: id }, { messages, turn: 1 });
    for (const step of [1, 2, 3]) {
      const reply = await commitCalls(journal, `1.${step}`, [pendingCall(`c${step}`)], messages.at(-1));
      after = await putState(store.saver, { thread: id, after }, { messages: [...messages, reply], turn: 1 }, step);
      messages.push(reply, new ToolMessage({ id: `o${step}`, content: "", tool_call_id: `c${step}` }));
      after = await putState(store.saver, { thread: id, after }, { messages: [...messages], turn: 1 }, step);
    }
    store.close();
    expect(onDisk(file)).toEqual({ checkpoints: [after], messages: 7 });
    expect((await stateOf((await open({ file })).saver, id))?.["messages"]).toEqual(messages);
  });

  test("stay to be written where the transaction that takes them along is refused", async () => {
    const file = tempFile();
    const { store, journal } = await drive(await open({ file }), id);
    const reply = await commitCalls(journal, "1.1", []);
    const after = await putState(store.saver, { thread: id }, { messages: [reply], turn: 1 });
    await expect(commitCalls(journal, "1.1", [])).rejects.toThrow("has its reply already");
    expect(onDisk(file).checkpoints).toEqual([]);
    await journal.setState("idle");
    expect(onDisk(file)).toEqual({ checkpoints: [after], messages: 1 });
  });

  test("that cannot be written fail the transaction that takes them along, and no other", async () => {
    const file = tempFile();
    const { store, journal } = await drive(await open({ file }), id);
    await putState(store.saver, { thread: id }, { turn: 1, big: 1n });
    await expect(journal.setState("running")).rejects.toThrow("a bigint cannot be stored");
    await journal.setState("idle");
    expect(store.sessions.get(id)?.state).toBe("idle");
    expect(onDisk(file).checkpoints).toEqual([]);
  });

  test("that another process took over are not written, and stop no other session", async () => {
    const file = tempFile();
    const { store } = await drive(await open({ file }), id);
    const other = await drive(store, "keen-owl-0002");
    await putThree(store, 1);
    await (await open({ file })).acquire(id, { takeOver: true });
    await other.journal.setState("running");
    expect(store.sessions.get("keen-owl-0002")?.state).toBe("running");
    expect(onDisk(file).checkpoints).toEqual([]);
  });
});

test("a checkpoint of a lease that was given up behind its holder's back is not written", async () => {
  const file = tempFile();
  const { store } = await drive(await open({ file }), id);
  await putThree(store, 1);
  const raw = new RawStore(file);
  raw.exec("UPDATE lease SET pid = NULL");
  raw.close();
  const other = await drive(store, "keen-owl-0002");
  await other.journal.setState("running");
  expect(onDisk(file).checkpoints).toEqual([]);
});

test("a checkpoint of a session that is not driven is on disk at once, whatever else is driven", async () => {
  const file = tempFile();
  const { store } = await drive(await open({ file }), "keen-owl-0002");
  await store.sessions.create({ id, workspace: "/w", model: "demo", title: "" });
  const put = await putState(store.saver, { thread: id }, { turn: 1 });
  expect(onDisk(file).checkpoints).toEqual([put]);
});

test("without a lease a checkpoint is on disk when its put resolves", async () => {
  const file = tempFile();
  const store = await open({ file });
  const [, , third] = await putThree(store, 1);
  expect(onDisk(file).checkpoints).toEqual([third]);
});
