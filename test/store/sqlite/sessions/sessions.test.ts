import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import type { Effect } from "../../../../src/core/tool.ts";
import type { ChildRow, NewTurn, SessionRow } from "../../../../src/store/types.ts";
import { RawStore } from "../../../support/raw-store.ts";
import { begin, commitCalls, drive, executing, open, pendingCall, putState, tempFile } from "../../support.ts";

describe("a session whose process died while it ran", () => {
  const dead = (file: string): void => {
    const db = new RawStore(file);
    db.exec("UPDATE lease SET pid = 2147483646");
    db.close();
  };

  test.each<[string, Effect, SessionRow["state"]]>([
    ["an effect whose end was not seen", "once", "awaiting_recovery"],
    ["a read", "none", "idle"],
  ])("after %s says what it waits for", async (_name, effect, state) => {
    const file = tempFile();
    const { store, journal } = await drive(await open({ file }), "a");
    const call = pendingCall("c1", { effect });
    await commitCalls(journal, "1.1", [call]);
    await begin(journal, call);
    await journal.setState("running");
    expect(store.sessions.get("a")?.state).toBe("running");
    dead(file);
    expect((await open({ file })).sessions.get("a")?.state).toBe(state);
  });

  test("at an open question still waits for it", async () => {
    const file = tempFile();
    const { journal } = await drive(await open({ file }), "a");
    const call = pendingCall("c1");
    await commitCalls(journal, "1.1", [call]);
    await journal.move([{ before: call, after: { ...call, status: "awaiting_approval", digest: "d" } }]);
    await journal.setState("running");
    dead(file);
    expect((await open({ file })).sessions.list()[0]?.state).toBe("awaiting_approval");
  });
});

test("a removed session leaves nothing, its sub-agents' included, and others keep all", async () => {
  const file = tempFile();
  const store = await open({ file });
  const rows = (): Record<string, number> => {
    const db = new RawStore(file);
    const names = db.column("SELECT name FROM sqlite_schema WHERE type = 'table'") as string[];
    const counts = names.map((name) => [name, Number(db.one(`SELECT count(*) FROM ${name}`))]);
    db.close();
    return Object.fromEntries(counts) as Record<string, number>;
  };
  const fill = async (id: string): Promise<void> => {
    const { journal } = await drive(store, id);
    await journal.addTurn({ text: "x", message: new HumanMessage({ id: "h", content: "x" }), queued: false });
    await journal.addSteer(new HumanMessage({ id: "s", content: "y" }));
    const call = pendingCall("c1");
    await commitCalls(journal, "1.1", [call]);
    await journal.move([{ before: call, after: executing(call), keep: [new Uint8Array([1])] }]);
    await journal.keepOutput("c1", new Uint8Array([2]), "lost");
    await journal.tellFiles({ turn: 1, step: 1 }, [{ name: "a/AGENTS.md", text: "| x" }]);
    await journal.beginHook({ step: { turn: 1, step: 1 }, event: "PreToolUse", callId: "c1", attempt: 1, hook: "h" });
    await journal.addCompaction({ kind: "prune", by: "auto", upTo: "h", madeAfter: "h", before: 2, after: 1, kept: 0 });
    await journal.noteModelTitle(undefined, { inputTokens: 1, outputTokens: 1 });
    await journal.move([], { callId: "c1", digest: "d", decision: "deny", at: 1 });
    await store.requests.add({ kind: "stop", session: id });
    await putState(store.saver, { thread: id }, { messages: [new HumanMessage({ id: "m", content: "m" })] });
    const at = { configurable: { thread_id: id, checkpoint_ns: "", checkpoint_id: "any" } };
    await store.saver.putWrites(at, [["__interrupt__", 1]], "task");
  };
  const beginChild = (id: string, parent: string) =>
    store.beginChild(
      { id, parent, call: "c1", place: 0, spec: { task: "t" }, workspace: "/w", model: "m" },
      { text: "t", message: new HumanMessage({ id: "t", content: "t" }), queued: false },
    );
  await fill("keep");
  await beginChild("keep-child", "keep");
  const before = rows();
  expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([]);
  await fill("drop");
  await beginChild("drop-child", "drop");
  await fill("drop-child");
  await store.sessions.remove("drop");
  expect(rows()).toEqual(before);
  await store.sessions.remove("drop");
  await fill("drop");
  expect(store.readJournal("drop").allCalls()).toHaveLength(1);
});

describe("a session that a call drives", () => {
  const first: NewTurn = { text: "t", message: new HumanMessage({ id: "t", content: "t" }), queued: false };
  const child = (place: number, more: Partial<ChildRow> = {}) => ({
    ...{ id: `a@c1.${place + 1}`, parent: "a", call: "c1", place, spec: { task: "t" }, workspace: "/w", model: "m" },
    ...more,
  });

  test("is begun once for a place, under the lease of its root alone, or not at all", async () => {
    const file = tempFile();
    const { store, lease } = await drive(await open({ file }), "a");
    await store.beginChild(child(0), first);
    await expect(store.beginChild(child(0, { id: "other" }), first)).rejects.toThrow();
    const other = await open({ file });
    await expect(other.beginChild(child(1), first)).rejects.toThrow("session a is not driven here");
    other.close();
    lease.release();
    await expect(store.beginChild(child(1), first)).rejects.toThrow("session a is not driven here");
    expect(store.sessions.list().map(({ id }) => id)).toEqual(["a@c1.1", "a"]);
  });
});
