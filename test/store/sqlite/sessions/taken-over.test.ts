import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { advance } from "../../../../src/core/call.ts";
import { thisProcess } from "../../../../src/process/process-identity.ts";
import type { Journal, JournalReading, Store } from "../../../../src/store/types.ts";
import { RawStore } from "../../../support/raw-store.ts";
import { commitCalls, drive, executing, open, pendingCall, putState, tempFile } from "../../support.ts";

const id = "calm-fox-0001";
const digest = "a".repeat(64);
const usage = { inputTokens: 1, outputTokens: 1 };
const cut = { by: "person", upTo: "h1", madeAfter: "h1", before: 2, after: 1, kind: "prune", kept: 0 } as const;
const said = (words: string) => new HumanMessage({ id: words, content: words });
const [asked, running, read] = [pendingCall("c1", { effect: "once" }), pendingCall("c2"), pendingCall("c3")];
const waiting = advance<"pending", "awaiting_approval">(asked, { status: "awaiting_approval", digest });
const verdict = { by: { actor: "policy" }, risk: "low", verdict: {} } as const;

type Writing = Exclude<keyof Journal, keyof JournalReading | "isHeldUp">;
/** Each way in which a driver writes to its journal; all of them can be done in this order. A new one does not type until it is here. */
const writes: Record<Writing, (journal: Journal) => Promise<unknown>> = {
  addTurn: (journal) => journal.addTurn({ text: "x", message: said("x"), queued: true, keep: [new Uint8Array([1])] }),
  addSteer: (journal) => journal.addSteer(said("y")),
  tellSteers: (journal) => journal.tellSteers({ turn: 1, step: 1 }),
  steerToTurn: async (journal) => {
    await journal.addSteer(said("z"));
    return journal.steerToTurn();
  },
  withdrawWaiting: (journal) => journal.withdrawWaiting(),
  commitReply: (journal) =>
    journal.commitReply({
      ...{ stepId: { turn: 1, step: 2 }, after: undefined, usage },
      ...{ message: new AIMessage({ id: "a2", content: "" }), calls: [pendingCall("c4")] },
    }),
  tellFiles: (journal) => journal.tellFiles({ turn: 1, step: 1 }, [{ name: "a/AGENTS.md", text: "| x" }]),
  beginHook: (journal) =>
    journal.beginHook({ step: { turn: 1, step: 1 }, event: "PreToolUse", callId: "c1", attempt: 1, hook: "h" }),
  noteHookChild: (journal) => journal.noteHookChild(1, { ...thisProcess(), mark: "m" }),
  endHook: (journal) => journal.endHook(1, { decision: "none" }),
  noteHeard: (journal) => journal.noteHeard(1, { became: "stale" }),
  notePublished: (journal) => journal.notePublished([{ callId: "c1", digest }]),
  noteVerdicts: (journal) => journal.noteVerdicts([{ callId: "c3", ...verdict }]),
  move: (journal) => journal.move([{ before: running, after: executing(running), keep: [new Uint8Array([2])] }]),
  noteChild: (journal) => journal.noteChild("c2", { ...thisProcess(), mark: "m" }),
  keepOutput: (journal) => journal.keepOutput("c2", new Uint8Array([3]), "lost"),
  noteJobTold: (journal) => journal.noteJobTold(1),
  noteGrantKept: (journal) => journal.noteGrantKept("c1"),
  addCompaction: (journal) => journal.addCompaction(cut, usage),
  undoCompaction: (journal) => journal.undoCompaction("k1"),
  noteSpent: (journal) => journal.noteSpent(usage),
  setModel: (journal) => journal.setModel("other"),
  noteModelTitle: (journal) => journal.noteModelTitle("another title", usage),
  setTurn: (journal) => journal.setTurn(1, "done", "done"),
  setState: (journal) => journal.setState("running"),
};

/** And what is written for it beside its journal. */
const others: Record<string, (store: Store) => Promise<unknown>> = {
  checkpoint: async (store) => {
    await putState(store.saver, { thread: id }, { turn: 1 });
  },
  "pending writes": (store) =>
    store.saver.putWrites(
      { configurable: { thread_id: id, checkpoint_ns: "", checkpoint_id: "any" } },
      [["__interrupt__", 1]],
      "task",
    ),
  "deleted thread": (store) => store.saver.deleteThread(id),
  child: (store) =>
    store.beginChild(
      { id: "child-1", parent: id, call: "c2", place: 0, spec: { task: "t" }, workspace: "/w", model: "m" },
      { text: "t", message: said("t"), queued: false },
    ),
};

/** All rows of all tables. */
function rowsOf(file: string): Record<string, unknown[]> {
  const db = new RawStore(file);
  try {
    const tables = db.column<string>("SELECT name FROM sqlite_schema WHERE type = 'table'");
    return Object.fromEntries(tables.map((name) => [name, db.all(`SELECT * FROM ${name}`)]));
  } finally {
    db.close();
  }
}

test("a driver from which its session was taken writes nothing more of any kind, and whoever took it can", async () => {
  const file = tempFile();
  const old = await drive(await open({ file, beatMs: 3_600_000 }), id);
  await old.journal.addTurn({ text: "go", message: said("go"), queued: false });
  await commitCalls(old.journal, "1.1", [asked, running, read]);
  await old.journal.move([{ before: asked, after: waiting }]);
  const denial = { kind: "answer", session: id, call: "c1", digest, decision: "deny" } as const;
  expect(await old.store.requests.add(denial)).toMatchObject({ key: 1 });
  // What was mirrored and what waits to go along is there too.
  expect(old.journal.allCalls()).toHaveLength(3);
  await putState(old.store.saver, { thread: id }, { turn: 1 });

  const store = await open({ file });
  const journal = store.journal(await store.acquire(id, { takeOver: true }));
  const taken = rowsOf(file);
  const taker = { name: "SessionBusy", why: "taken" };
  for (const write of Object.values(writes)) await expect(write(old.journal)).rejects.toMatchObject(taker);
  for (const write of Object.values(others)) await expect(write(old.store)).rejects.toMatchObject(taker);
  old.lease.release();
  expect(rowsOf(file)).toEqual(taken);

  for (const [name, write] of Object.entries(writes)) {
    const before = store.requests.version();
    await write(journal);
    expect(store.requests.version(), name).not.toBe(before);
  }
  for (const write of Object.values(others)) await write(store);
});

test("a driver from which its own process took the session is told at once, and writes nothing more", async () => {
  const { store, journal, lease } = await drive(await open(), id);
  const next = store.journal(await store.acquire(id, { takeOver: true }));
  expect(lease.lost.reason).toMatchObject({ name: "SessionBusy", why: "taken" });
  await expect(journal.setState("running")).rejects.toMatchObject({ name: "SessionBusy" });
  await next.setState("awaiting_approval");
  expect(store.sessions.get(id)?.state).toBe("awaiting_approval");
});
