import { describe, expect, test } from "vitest";
import { sha256 } from "../../../src/core/json.ts";
import { brokenLink } from "../../../src/store/journal/call-events.ts";
import { type Journal, StaleMove } from "../../../src/store/types.ts";
import { begin, commitCalls, drive, executing, pendingCall } from "../support.ts";
import type { Backend } from "./backend.ts";

/** The chain of events, and the bytes that are kept. */
export function record({ open }: Backend): void {
  describe("the record", () => {
    test("an event that was changed behind the guards breaks the chain where it was", async () => {
      const { journal } = await drive(await open());
      expect(journal.lastEvent()).toBe(0);
      const call = pendingCall("c1");
      await commitCalls(journal, "1.1", [call]);
      await begin(journal, call);
      const events = journal.events();
      expect(journal.lastEvent()).toBe(events.at(-1)?.seq);
      const forged = events.map((event) => (event.seq === 2 ? { ...event, to: "success" } : event));
      expect(brokenLink(journal.session, events)).toBeUndefined();
      expect(brokenLink(journal.session, forged)).toBe(2);
      expect(brokenLink(journal.session, events.slice(1))).toBe(1);
      expect(brokenLink("another-session", events)).toBe(1);
    });

    test("text that UTF-8 cannot hold does not break the chain", async () => {
      const { journal } = await drive(await open());
      const call = pendingCall("c1");
      await commitCalls(journal, "1.1", [call]);
      const by = { actor: "policy", rule: "\ud800" } as const;
      await journal.move([
        {
          before: call,
          after: { ...call, status: "cancelled", by, ended: { why: "denied" }, reason: "nul \u0000 lone \udc00" },
        },
      ]);
      expect(brokenLink(journal.session, journal.events())).toBeUndefined();
      expect(journal.call("c1")).toMatchObject({ reason: "nul \u0000 lone \ufffd" });
    });
  });

  describe("bytes", () => {
    /** Begins a call with these contents kept in the same transaction. */
    async function keepAll(journal: Journal, callId: string, keep: Uint8Array[]): Promise<void> {
      const call = pendingCall(callId);
      await commitCalls(journal, `1.${callId.slice(1)}`, [call]);
      await journal.move([{ before: call, after: executing(call), keep }]);
    }

    test("bytes are kept by their hash, once, and read back by the session that kept them", async () => {
      const { journal, store } = await drive(await open());
      const bytes = new Uint8Array([0, 1, 255]);
      await keepAll(journal, "c1", [bytes, new Uint8Array()]);
      await keepAll(journal, "c2", [bytes]);
      expect(Buffer.from(journal.bytesOf(sha256(bytes)) ?? [])).toEqual(Buffer.from(bytes));
      expect(journal.bytesOf(sha256(""))).toHaveLength(0);
      expect(store.kept()).toEqual({ versions: 2, bytes: 3 });
      const other = await drive(store, "loud-owl-0002");
      expect(other.journal.bytesOf(sha256(bytes))).toBeUndefined();
    });

    test("bytes of a move that is refused are not kept", async () => {
      const { journal, store } = await drive(await open());
      const call = pendingCall("c1");
      await commitCalls(journal, "1.1", [call]);
      const stale = { ...call, attempt: 7 };
      const moved = journal.move([{ before: stale, after: executing(stale), keep: [new Uint8Array([1])] }]);
      await expect(moved).rejects.toThrowError(StaleMove);
      expect(store.kept()).toEqual({ versions: 0, bytes: 0 });
    });

    test("what compresses is kept small and comes back byte for byte", async () => {
      const { journal, store } = await drive(await open());
      const text = new TextEncoder().encode("the same line again\r\n".repeat(50_000));
      await keepAll(journal, "c1", [text]);
      expect(store.kept().bytes).toBeLessThan(text.length / 20);
      expect(Buffer.from(journal.bytesOf(sha256(text)) ?? []).equals(text)).toBe(true);
    });

    test("pruning drops what was kept before a time, and keeping again begins a new time", async () => {
      let now = 1_000;
      const { journal, store } = await drive(await open({ clock: () => now }));
      const [old, again, fresh] = [1, 2, 3].map((byte) => new Uint8Array([byte])) as [
        Uint8Array,
        Uint8Array,
        Uint8Array,
      ];
      await keepAll(journal, "c1", [old, again]);
      now = 2_000;
      await keepAll(journal, "c2", [again, fresh]);
      expect(store.kept(2_000)).toEqual({ versions: 1, bytes: 1 });
      expect(await store.prune(2_000)).toEqual({ versions: 1, bytes: 1 });
      expect(await store.prune(2_000)).toEqual({ versions: 0, bytes: 0 });
      expect([old, again, fresh].map((bytes) => journal.bytesOf(sha256(bytes)) !== undefined)).toEqual([
        false,
        true,
        true,
      ]);
    });
  });
}
