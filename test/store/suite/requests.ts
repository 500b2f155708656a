import { describe, expect, test } from "vitest";
import { sha256 } from "../../../src/core/json.ts";
import { type Journal, StaleMove } from "../../../src/store/types.ts";
import { commitCalls, drive, ticking } from "../support.ts";
import type { Backend } from "./backend.ts";
import { approve, ask, digest, plan, waitingCall, yes } from "./call-data.ts";

const id = "calm-fox-0001";
const no = { kind: "answer", session: id, call: "c1", digest, decision: "deny", reason: "not that file" } as const;

/** A call that was asked about. */
async function asked(journal: Journal) {
  const call = waitingCall();
  await commitCalls(journal, "1.1", [call]);
  const waiting = ask(call);
  await journal.move([{ before: call, after: waiting, plan }]);
  return waiting;
}

/** What other processes ask of the one that drives a session. */
export function requests({ open, reopened }: Backend): void {
  describe("a request of another process", () => {
    test("is written without a lease, found by whoever drives the tree, and heard with what it causes", async () => {
      const { store, journal } = await drive(await open({ clock: ticking(100) }), id);
      const waiting = await asked(journal);
      const before = store.requests.version();
      const written = await store.requests.add({ ...no, decision: "approve" });
      expect(written).toEqual({ written: true, key: 1, driven: true });
      expect(store.requests.version()).not.toBe(before);
      const row = {
        ...no,
        decision: "approve",
        key: 1,
        by: { pid: process.pid, host: expect.any(String) },
        at: expect.any(Number),
      };
      expect(store.requests.unheard(id)).toEqual([row]);
      await journal.move([{ before: waiting, after: approve(waiting) }], { ...yes(), request: 1 });
      expect(store.requests.unheard(id)).toEqual([]);
      const now = await reopened(store);
      expect(now.requests.get(1)).toEqual({ ...row, end: { at: expect.any(Number), became: "taken" } });
      expect(now.readJournal(id).call("c1")?.status).toBe("pending");
    });

    test("is heard once, and where its answer comes too late neither is written", async () => {
      const { store, journal } = await drive(await open(), id);
      const waiting = await asked(journal);
      await store.requests.add(no);
      await journal.noteHeard(1, { became: "stale", said: "another plan" });
      expect(store.requests.get(1)?.end).toMatchObject({ became: "stale", said: "another plan" });
      await expect(journal.noteHeard(1, { became: "taken" })).rejects.toThrow(StaleMove);
      const twice = journal.move([{ before: waiting, after: approve(waiting) }], { ...yes(), request: 1 });
      await expect(twice).rejects.toThrow(StaleMove);
      expect(journal.call("c1")?.status).toBe("awaiting_approval");
      await store.requests.add(no);
      const drifted = journal.move([{ before: waiting, after: approve(waiting) }], {
        ...yes("c1", sha256("other")),
        request: 2,
      });
      await expect(drifted).rejects.toThrow(StaleMove);
      expect(store.requests.unheard(id).map(({ key }) => key)).toEqual([2]);
    });

    test("is not written where there is no such question, session, or driver to be stopped", async () => {
      const { store, journal, lease } = await drive(await open(), id);
      const none = { written: false, became: "not_waiting" };
      expect(await store.requests.add(no)).toMatchObject({ ...none, said: "there is no call c1" });
      const waiting = await asked(journal);
      expect(await store.requests.add({ ...no, digest: sha256("other") })).toMatchObject({ became: "stale" });
      await expect(store.requests.add({ ...no, session: "no-one-0009" })).rejects.toThrow(
        "there is no session no-one-0009",
      );
      await journal.move([{ before: waiting, after: approve(waiting) }], yes());
      expect(await store.requests.add(no)).toMatchObject({ ...none, said: "call c1 does not wait: it is pending" });
      lease.release();
      expect(await store.requests.add({ kind: "stop", session: id })).toMatchObject({ became: "not_driven" });
      expect(store.requests.unheard(id)).toEqual([]);
    });

    test("of a session that nobody drives waits; a stop names the driver that it is for", async () => {
      const { store, journal, lease } = await drive(await open(), id);
      await asked(journal);
      expect(await store.requests.add({ kind: "stop", session: id })).toMatchObject({ written: true, driven: true });
      expect(store.requests.get(1)).toMatchObject({ kind: "stop", fence: lease.fence });
      lease.release();
      expect(store.requests.isDriven(id)).toBe(false);
      expect(await store.requests.add(no)).toMatchObject({ written: true, driven: false });
      expect(store.requests.unheard(id).map(({ kind }) => kind)).toEqual(["stop", "answer"]);
    });

    test("is found with those of the sessions that it drives, goes with its session, and no key comes twice", async () => {
      const { store } = await drive(await open(), id);
      await drive(store, "keen-owl-0002");
      const parent = { id: "child-1", workspace: "/w", model: "demo", title: "", parent: id };
      await store.sessions.create(parent);
      for (const session of ["child-1", "keen-owl-0002", id]) await store.requests.add({ kind: "stop", session });
      expect(store.requests.unheard(id).map(({ key, session }) => [key, session])).toEqual([
        [1, "child-1"],
        [3, id],
      ]);
      await store.sessions.remove(id);
      expect([1, 3].map((key) => store.requests.get(key))).toEqual([undefined, undefined]);
      expect(await store.requests.add({ kind: "stop", session: "keen-owl-0002" })).toMatchObject({ key: 4 });
    });
  });
}
