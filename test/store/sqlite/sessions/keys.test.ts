import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { builtProgram } from "../../../support/built.ts";
import { RawStore } from "../../../support/raw-store.ts";
import { commitCalls, drive, open, pendingCall, putState, stateOf, tempFile } from "../../support.ts";

const keysOf = (file: string): unknown => {
  const db = new RawStore(file);
  try {
    return Object.fromEntries(
      db.all<{ id: string; key: number }>("SELECT id, key FROM thread ORDER BY key").map(({ id, key }) => [id, key]),
    );
  } finally {
    db.close();
  }
};
const newSession = (id: string) => ({ id, workspace: "/w", model: "demo", title: "t" });
const words = (text: string) => ({ text, message: new HumanMessage({ id: "h", content: text }), queued: false });

/** A real process that drives the session. `go`: it writes to it in each way there is; resolves with what came of each. */
async function otherHolder(file: string, session: string): Promise<{ go: () => Promise<Record<string, unknown>> }> {
  const child = spawn(process.execPath, [await builtProgram("test/store/sqlite/sessions/holder.ts"), file, session], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe("drives");
  return {
    go: async () => {
      child.stdin.end("go\n");
      return JSON.parse((await lines.next()).value as string) as Record<string, unknown>;
    },
  };
}

const removed = (id: string): unknown => ["removed", `session ${id} is gone: it was removed`];

test("a key is given once: whatever is removed, who comes next has a higher one", async () => {
  const file = tempFile();
  const store = await open({ file });
  for (const id of ["a", "b", "c"]) await store.sessions.create(newSession(id));
  await store.sessions.create({ ...newSession("c.1"), parent: "c" });
  await store.sessions.remove("c");
  await store.sessions.create(newSession("d"));
  await store.sessions.remove("d");
  store.close();
  const again = await open({ file });
  await putState(again.saver, { thread: "of LangGraph alone" }, { turn: 1 });
  for (const id of ["a", "b"]) await again.sessions.remove(id);
  await again.begin({ id: "e", workspace: "/w", model: "demo" }, words("first"));
  expect(keysOf(file)).toEqual({ "of LangGraph alone": 6, e: 7 });
});

test("a process whose session was taken over and removed is told so, and writes nothing into the session after it", async () => {
  const file = tempFile();
  const store = await open({ file, clock: () => 0 });
  await store.sessions.create(newSession("old"));
  const holder = await otherHolder(file, "old");
  await store.acquire("old", { takeOver: true });
  await store.sessions.remove("old");
  const next = await drive(store, "next");
  const before = next.journal.turns();
  expect(await holder.go()).toEqual({
    turn: removed("old"),
    state: removed("old"),
    checkpoint: removed("old"),
    lost: true,
  });
  expect(next.journal.turns()).toEqual(before);
  expect(await stateOf(store.saver, "next")).toBeUndefined();
  expect(keysOf(file)).toEqual({ next: 2 });
});

test("a process whose session was removed and made anew by the same name writes nothing into it", async () => {
  const file = tempFile();
  const store = await open({ file });
  await store.sessions.create(newSession("same"));
  const holder = await otherHolder(file, "same");
  await store.acquire("same", { takeOver: true });
  await store.sessions.remove("same");
  const { lease } = await drive(store, "same");
  lease.release();
  expect(await holder.go()).toMatchObject({ turn: removed("same"), checkpoint: removed("same") });
  expect(await stateOf(store.saver, "same")).toBeUndefined();
  expect(store.readJournal("same").turns()).toEqual([]);
});

test("words of a removed session are never read as those of the session whose rows have their place", async () => {
  const file = tempFile();
  const reader = await open({ file });
  const store = await open({ file });
  const begin = async (id: string, text: string): Promise<void> => {
    const { lease } = await store.begin({ id, workspace: "/w", model: "demo" }, words(text));
    lease.release();
  };
  await begin("old", "the old words");
  const [old] = [reader.readJournal("old").turnMessage(1)];
  expect(old.content).toBe("the old words");
  await store.sessions.remove("old");
  await begin("next", "the new words");
  expect(reader.readJournal("next").turnMessage(1).content).toBe("the new words");
});

test("a store that has not noted its keys is damaged: nothing is made in it, and the check names it", async () => {
  const file = tempFile();
  const store = await open({ file });
  const { journal } = await drive(store, "a");
  await commitCalls(journal, "1.1", [pendingCall("c1")]);
  expect(store.damage()).toBeUndefined();
  const db = new RawStore(file);
  db.exec("UPDATE thread_key SET last = 0");
  const told = "it has not noted which keys its sessions were given";
  expect(store.damage()).toBe(told);
  await expect(store.sessions.create(newSession("b"))).rejects.toThrow();
  db.exec("DELETE FROM thread_key");
  db.close();
  expect(store.damage()).toBe(told);
  await expect(store.sessions.create(newSession("b"))).rejects.toMatchObject({ kind: "corrupt" });
  await commitCalls(journal, "1.2", [pendingCall("c2")]);
  expect(keysOf(file)).toEqual({ a: 1 });
});
