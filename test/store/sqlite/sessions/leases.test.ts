import { hostname } from "node:os";
import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Journal, SessionBusy } from "../../../../src/store/types.ts";
import { RawStore } from "../../../support/raw-store.ts";
import { begin, commitCalls, drive, open, pendingCall, putState, tempFile } from "../../support.ts";

const id = "calm-fox-0001";
const write = (journal: Journal): Promise<unknown> =>
  journal.addTurn({ text: "x", message: new HumanMessage({ id: "h", content: "x" }), queued: false });

/** Rewrites the lease as if another process had taken it. */
function pretend(file: string, columns: string): void {
  const db = new RawStore(file);
  db.exec(`UPDATE lease SET ${columns}`);
  db.close();
}

describe("one session", () => {
  test("is driven by one at a time, and who comes second is told by whom and since when", async () => {
    const file = tempFile();
    await drive(await open({ file, clock: () => 0 }), id);
    const told = `session ${id} is driven by process ${process.pid} since 1970-01-01T00:00:00.000Z; `;
    const advice = `end it there, or take it over: agent resume ${id} --take-over`;
    await expect((await open({ file })).acquire(id)).rejects.toThrow(
      expect.objectContaining({ message: told + advice }),
    );
    await expect((await open({ file })).acquire(id)).rejects.toThrow(SessionBusy);
  });

  test("is free after its release, and each holder has a higher fence", async () => {
    const file = tempFile();
    const first = await drive(await open({ file }), id);
    first.lease.release();
    first.lease.release();
    const second = await drive(await open({ file }), id);
    expect(second.lease.fence).toBe(first.lease.fence + 1);
    await expect(write(first.journal)).rejects.toThrow(SessionBusy);
    await write(second.journal);
    first.store.close();
    await expect(write(second.journal)).resolves.toBeDefined();
  });

  test("is no loss to who drives it where an old lease of the same store is still in use", async () => {
    const store = await open();
    const first = await drive(store, id);
    first.lease.release();
    const second = await drive(store, id);
    await expect(write(first.journal)).rejects.toThrow(SessionBusy);
    expect([first.lease.lost.aborted, second.lease.lost.aborted]).toEqual([false, false]);
    await write(second.journal);
  });

  test("that begins with its words is driven from then on, and by no other", async () => {
    const file = tempFile();
    const store = await open({ file, clock: () => 1_000 });
    const words = { text: "x", message: new HumanMessage({ id: "h", content: "x" }), queued: false };
    const { lease } = await store.begin({ id, workspace: "/w", model: "demo" }, words);
    expect(lease).toMatchObject({ session: id });
    await store.journal(lease).setState("running");
    await expect((await open({ file })).acquire(id)).rejects.toThrow(SessionBusy);
  });

  test("that nobody ever drove is idle whatever its row says, and can be removed", async () => {
    const file = tempFile();
    const { store, journal, lease } = await drive(await open({ file }), id);
    await journal.setState("running");
    lease.release();
    const db = new RawStore(file);
    db.exec("DELETE FROM lease");
    db.close();
    expect(store.sessions.get(id)?.state).toBe("idle");
    await store.sessions.remove(id);
    expect(store.sessions.get(id)).toBeUndefined();
  });

  test("is free once the store that drove it is closed", async () => {
    const file = tempFile();
    const first = await drive(await open({ file }), id);
    first.store.close();
    expect((await (await open({ file })).acquire(id)).fence).toBe(first.lease.fence + 1);
  });

  test("is written to only with a lease that this store gave, and not after its release", async () => {
    const { store, lease, journal } = await drive(await open(), id);
    const { session, fence, lost, release } = lease;
    const stranger = new TypeError(`the lease of ${id} was not made by this store`);
    expect(() => store.journal({ session, fence, lost, release })).toThrow(stranger);
    await store.sessions.create({ id: "child-1", workspace: "/w", model: "demo", title: "", parent: id });
    const child = await store.acquire("child-1");
    lease.release();
    await expect(write(journal)).rejects.toThrow(`session ${id} is no longer driven here: its lease was released`);
    await write(store.journal(child));
  });

  test("whose lease was given up behind its holder's back is not written to", async () => {
    const file = tempFile();
    const { journal } = await drive(await open({ file, clock: () => 0 }), id);
    pretend(file, "pid = NULL");
    await expect(write(journal)).rejects.toThrow(
      `session ${id} was taken over by a process that has ended by now since 1970-01-01T00:00:00.000Z`,
    );
  });

  test("that is being made is refused where another drives it already", async () => {
    const file = tempFile();
    const first = await open({ file });
    await drive(first, id);
    await expect(drive(await open({ file }), id)).rejects.toThrow();
    expect((await open({ file })).sessions.list({}).map((row) => row.id)).toEqual([id]);
  });

  test("that is not there cannot be driven", async () => {
    const store = await open();
    await expect(store.acquire("x' OR 1=1--")).rejects.toThrow("there is no session x' OR 1=1--");
    expect(() => store.readJournal("nope")).toThrow("there is no session nope");
  });
});

describe("a holder that is gone", () => {
  test.each([
    ["whose number nobody has", "pid = 2147483646"],
    ["whose number another process has by now", "started = '1'"],
    ["from before the machine started anew", "boot = 'another boot'"],
  ])("%s is no holder", async (_name, columns) => {
    const file = tempFile();
    const old = await drive(await open({ file }), id);
    pretend(file, columns);
    const store = await open({ file });
    expect((await store.acquire(id)).fence).toBe(old.lease.fence + 1);
    await expect(write(old.journal)).rejects.toThrow("was taken over by process");
  });

  test("leaves its session to be removed, listed as idle, and its checkpoints to be written", async () => {
    const file = tempFile();
    const { journal } = await drive(await open({ file, clock: () => 5_000 }), id);
    await journal.setState("running");
    pretend(file, "pid = 2147483646");
    const store = await open({ file, clock: () => 5_000 });
    expect(store.sessions.get(id)?.state).toBe("idle");
    await putState(store.saver, { thread: id }, { turn: 1 });
    await store.sessions.remove(id);
    expect(store.sessions.get(id)).toBeUndefined();
  });

  test("on another machine keeps its session until it is taken over", async () => {
    const file = tempFile();
    const { lease } = await drive(await open({ file }), id);
    pretend(file, "host = 'elsewhere', pid = 1");
    const store = await open({ file });
    await expect(store.acquire(id)).rejects.toThrow("by process 1 on elsewhere since");
    expect((await store.acquire(id, { takeOver: true })).fence).toBe(lease.fence + 1);
  });

  test("on another machine that let go of its session leaves it free", async () => {
    const file = tempFile();
    const { lease } = await drive(await open({ file }), id);
    pretend(file, "host = 'elsewhere', pid = NULL");
    expect((await (await open({ file })).acquire(id)).fence).toBe(lease.fence + 1);
  });

  test("that never said that it lives is told so", async () => {
    const file = tempFile();
    await drive(await open({ file }), id);
    pretend(file, "host = 'elsewhere', beat = 0");
    await expect((await open({ file })).acquire(id)).rejects.toThrow(
      "(last seen never; whether it still runs cannot be checked from here); end it there",
    );
  });

  test("or in another container is told by its last sign of life, and kept however long it is silent", async () => {
    const file = tempFile();
    const { lease } = await drive(await open({ file, clock: () => 0 }), id);
    const [name] = hostname().split(" ");
    pretend(file, `host = '${name} pid:[1]', pid = 1, beat = 3600000`);
    const store = await open({ file });
    const silent =
      "in another container of this machine since 1970-01-01T00:00:00.000Z (last seen at 1970-01-01T01:00:00.000Z";
    await expect(store.acquire(id)).rejects.toThrow(silent);
    await expect(store.sessions.remove(id)).rejects.toThrow(SessionBusy);
    expect((await store.acquire(id, { takeOver: true })).fence).toBe(lease.fence + 1);
  });

  test("elsewhere runs in listings as long as it is heard of", async () => {
    const file = tempFile();
    const { journal } = await drive(await open({ file, clock: () => 0 }), id);
    await journal.setState("running");
    pretend(file, "host = 'elsewhere', beat = 1000000");
    const stateAt = async (now: number) => (await open({ file, clock: () => now })).sessions.get(id)?.state;
    expect(await stateAt(1_030_000)).toBe("running");
    expect(await stateAt(1_120_000)).toBe("idle");
    expect(await stateAt(1_060_000)).toBe("idle");
    // A clock that was put back is no silence.
    expect(await stateAt(970_000)).toBe("running");
  });
});

test("a holder that lives here runs in listings, however long ago it said so", async () => {
  const file = tempFile();
  const { journal } = await drive(await open({ file, clock: () => 0 }), id);
  await journal.setState("running");
  expect((await open({ file, clock: () => 3_600_000 })).sessions.get(id)?.state).toBe("running");
});

describe("a holder", () => {
  const beatsOf = (file: string): unknown[] => {
    const db = new RawStore(file);
    try {
      return db.column("SELECT beat FROM lease ORDER BY session");
    } finally {
      db.close();
    }
  };

  test("says again and again that it lives, until it lets go", async () => {
    const file = tempFile();
    let now = 1;
    const { lease } = await drive(await open({ file, clock: () => now, beatMs: 5 }), id);
    expect(beatsOf(file)).toEqual([1]);
    now = 2;
    await expect.poll(() => beatsOf(file)).toEqual([2]);
    lease.release();
    now = 3;
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(beatsOf(file)).toEqual([2]);
  });

  test("that lets go of one session says so of the other, and of none once it drives none", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const file = tempFile();
    let now = 1;
    const store = await open({ file, clock: () => now });
    const one = await drive(store, id);
    const other = await drive(store, "keen-owl-0002");
    one.lease.release();
    now = 2;
    vi.advanceTimersByTime(10_000);
    expect(beatsOf(file)).toEqual([1, 2]);
    other.lease.release();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that writes nothing finds out that it was fenced, and that its session was removed", async () => {
    const file = tempFile();
    const first = await drive(await open({ file, beatMs: 5 }), id);
    const second = await open({ file, beatMs: 5 });
    const lease = await second.acquire(id, { takeOver: true });
    await expect.poll(() => first.lease.lost.aborted).toBe(true);
    const taken = expect.stringContaining(`session ${id} was taken over by process ${process.pid}`);
    expect(first.lease.lost.reason).toMatchObject({ name: "SessionBusy", why: "taken", message: taken });
    expect(lease.lost.aborted).toBe(false);
    await second.sessions.remove(id);
    await expect.poll(() => lease.lost.aborted).toBe(true);
    const gone = { name: "SessionBusy", why: "removed", message: `session ${id} is gone: it was removed` };
    expect(lease.lost.reason).toMatchObject(gone);
    await expect(write(second.journal(lease))).rejects.toMatchObject(gone);
  });

  test("finds it out at its next write too", async () => {
    const file = tempFile();
    const first = await drive(await open({ file }), id);
    await (await open({ file })).acquire(id, { takeOver: true });
    expect(first.lease.lost.aborted).toBe(false);
    await expect(write(first.journal)).rejects.toMatchObject({ why: "taken" });
    expect(first.lease.lost.aborted).toBe(true);
  });

  test("is not misled by a clock that goes back an hour", async () => {
    const file = tempFile();
    let now = 7_200_000;
    const { journal, store } = await drive(await open({ file, clock: () => now, beatMs: 5 }), id);
    await commitCalls(journal, "1.1", [pendingCall("c1")]);
    now = 3_600_000;
    await expect.poll(() => beatsOf(file)).toEqual([now]);
    await commitCalls(journal, "1.2", [pendingCall("c2")]);
    await putState(store.saver, { thread: id }, { turn: 1 });
    expect(journal.allCalls().map(({ callId }) => callId)).toEqual(["c1", "c2"]);
    expect(journal.events().map(({ seq }) => seq)).toEqual([1, 2]);
    await expect((await open({ file })).acquire(id)).rejects.toThrow(SessionBusy);
  });
});

describe("a take-over", () => {
  test("stops the old holder at its next transaction, in the journal and in the checkpoints", async () => {
    const file = tempFile();
    const old = await drive(await open({ file }), id);
    await write(old.journal);
    const store = await open({ file });
    const journal = store.journal(await store.acquire(id, { takeOver: true }));
    await expect(write(old.journal)).rejects.toThrow(`session ${id} was taken over by process ${process.pid}`);
    await expect(old.journal.setState("idle")).rejects.toThrow(SessionBusy);
    await expect(putState(old.store.saver, { thread: id }, { turn: 1 })).rejects.toThrow(SessionBusy);
    await expect(old.store.saver.deleteThread(id)).rejects.toThrow(SessionBusy);
    await putState(store.saver, { thread: id }, { turn: 1 });
    expect(journal.turns()).toHaveLength(1);
    expect(await store.saver.getTuple({ configurable: { thread_id: id } })).toBeDefined();
  });

  test("shows who began a call: the one before", async () => {
    const file = tempFile();
    const old = await drive(await open({ file }), id);
    const call = pendingCall("c1");
    await commitCalls(old.journal, "1.1", [call, pendingCall("c2")]);
    await begin(old.journal, call);
    expect(old.journal.startedHere("c1")).toBe(true);
    expect(old.journal.startedHere("c2")).toBe(false);
    const store = await open({ file });
    const journal = store.journal(await store.acquire(id, { takeOver: true }));
    expect(journal.startedHere("c1")).toBe(false);
    expect(journal.startedHere("c9")).toBe(false);
  });

  test("of a session that was removed since opens no way into the session that is made next", async () => {
    const [file, clock] = [tempFile(), () => 0];
    const old = await drive(await open({ file, clock }), id);
    const second = await drive(await open({ file, clock }), "keen-owl-0002");
    const store = await open({ file, clock });
    await store.acquire("keen-owl-0002", { takeOver: true });
    await store.sessions.remove("keen-owl-0002");
    const next = await drive(await open({ file, clock }), "late-hen-0003");
    await expect(write(second.journal)).rejects.toMatchObject({ why: "removed" });
    expect(second.lease.lost.aborted).toBe(true);
    second.store.close();
    store.close();
    await write(next.journal);
    await write(old.journal);
    expect(next.journal.turns()).toHaveLength(1);
  });

  test.each([
    ["is gone", []],
    ["was made anew by its name", [id]],
  ])("of a session that was removed since, and %s, lets no checkpoint of its old holder in", async (_how, anew) => {
    const file = tempFile();
    const old = await drive(await open({ file }), id);
    const other = await drive(old.store, "keen-owl-0002");
    await putState(old.store.saver, { thread: id }, { turn: 1 });
    const store = await open({ file });
    await store.acquire(id, { takeOver: true });
    await store.sessions.remove(id);
    for (const session of anew) (await drive(store, session)).lease.release();
    // What is not deferred says it; what waits is left out of the next write, and of the last.
    const gone = { why: "removed", message: `session ${id} is gone: it was removed` };
    await expect(old.store.saver.deleteThread(id)).rejects.toMatchObject(gone);
    await write(other.journal);
    old.lease.release();
    expect(await store.saver.getTuple({ configurable: { thread_id: id } })).toBeUndefined();
  });

  test("of the checkpoints alone is refused while someone drives the session", async () => {
    const file = tempFile();
    await drive(await open({ file }), id);
    const other = await open({ file });
    await expect(putState(other.saver, { thread: id }, { turn: 1 })).rejects.toThrow(SessionBusy);
    await expect(other.sessions.remove(id)).rejects.toThrow(SessionBusy);
    await putState(other.saver, { thread: "no session" }, { turn: 1 });
  });
});

describe("a sub-agent's session", () => {
  test("is driven under its root's lease, and lost with it", async () => {
    const file = tempFile();
    const { store, lease } = await drive(await open({ file }), id);
    await store.sessions.create({ id: "child-1", workspace: "/w", model: "demo", title: "", parent: id });
    await store.sessions.create({ id: "grandchild-1", workspace: "/w", model: "demo", title: "", parent: "child-1" });
    const child = await store.acquire("child-1");
    const grandchild = await store.acquire("grandchild-1");
    expect([child.fence, grandchild.fence]).toEqual([lease.fence, lease.fence]);
    await expect(store.acquire("child-1")).rejects.toThrow(SessionBusy);
    child.release();
    const again = await store.acquire("child-1");
    await write(store.journal(again));
    await putState(store.saver, { thread: "grandchild-1" }, { turn: 1 });

    const other = await open({ file });
    await expect(other.acquire("child-1")).rejects.toThrow(SessionBusy);
    await other.acquire(id, { takeOver: true });
    await expect(write(store.journal(again))).rejects.toThrow("was taken over");
    await expect(putState(store.saver, { thread: "grandchild-1" }, { turn: 1 })).rejects.toThrow(SessionBusy);
  });
});
