import { describe, expect, test } from "vitest";
import { advance, IllegalMove, type ToolCallInfo } from "../../../src/core/call.ts";
import { sha256 } from "../../../src/core/json.ts";
import { parseStep } from "../../../src/core/step-id.ts";
import { StaleMove } from "../../../src/store/types.ts";
import { begin, commitCalls, drive, pendingCall } from "../support.ts";
import type { Backend } from "./backend.ts";
import { approve, ask, waitingCall, yes } from "./call-data.ts";

/** What policy said of calls, and what they came to. */
export function verdictsAndEnds({ open, reopened }: Backend): void {
  describe("what policy said", () => {
    const verdict = {
      decision: "allow",
      risk: "low",
      rule: { source: "user", file: "/h/policy.json", line: 3 },
      why: "ok",
    };
    const by = { actor: "policy", rule: "user" } as const;

    test("is kept with the move that it led to, until another one takes its place", async () => {
      const { journal, store } = await drive(await open());
      const [one, two] = [waitingCall("c1"), waitingCall("c2")];
      await commitCalls(journal, "1.1", [one, two]);
      await journal.move([
        { before: one, after: ask(one), verdict: { ...verdict, decision: "ask" } },
        { before: two, after: ask(two), verdict },
      ]);
      const asked = ask(one);
      await journal.move([{ before: asked, after: approve(asked) }], yes());
      const [again, other] = [approve(asked), { ...verdict, why: "another rule" }];
      await journal.move([{ before: ask(two), after: ask(two, sha256("new")), verdict: other }]);
      const reader = (await reopened(store)).readJournal("calm-fox-0001");
      expect(["c1", "c2", "c3"].map((id) => reader.verdictOf(id))).toEqual([
        { ...verdict, decision: "ask" },
        other,
        undefined,
      ]);
      expect(reader.call("c1")).toEqual(again);
    });

    test("of calls that it allowed is noted though they stay pending, and the start tells who allowed them", async () => {
      const { journal, store } = await drive(await open());
      await commitCalls(journal, "1.1", [pendingCall("c1"), waitingCall("c2")]);
      expect(journal.callsOf(parseStep("1.1"))).toHaveLength(2);
      await journal.noteVerdicts([
        { callId: "c1", by, risk: "low", verdict },
        { callId: "c2", by, risk: "high", verdict: { ...verdict, risk: "high" } },
      ]);
      const calls = [pendingCall("c1", { by }), waitingCall("c2")].map((call) =>
        call.callId === "c2" ? { ...call, by, risk: "high" as const } : call,
      );
      expect(journal.callsOf(parseStep("1.1"))).toEqual(calls);
      expect(journal.events()).toHaveLength(2);
      expect(store.verify(journal.session)).toEqual({ session: journal.session, calls: 2, events: 2 });
      for (const call of calls) await begin(journal, call);

      const again = await reopened(store);
      const reader = again.readJournal("calm-fox-0001");
      expect(reader.verdictOf("c2")).toEqual({ ...verdict, risk: "high" });
      expect(reader.events().map(({ callId, to, by: who, rule }) => [callId, to, who, rule])).toEqual([
        ["c1", "pending", undefined, undefined],
        ["c2", "pending", undefined, undefined],
        ["c1", "executing", "policy", "user"],
        ["c2", "executing", "policy", "user"],
      ]);
      expect(again.verify("calm-fox-0001").problem).toBeUndefined();
    });

    test("changes the call's effect to what its plan would do, and without one no move does", async () => {
      const { journal } = await drive(await open());
      const [one, two] = [pendingCall("c1", { effect: "once" }), pendingCall("c2", { effect: "once" })];
      await commitCalls(journal, "1.1", [one, two]);
      await journal.noteVerdicts([{ callId: "c1", by, risk: "low", effect: "none", verdict }]);
      expect(journal.call("c1")).toMatchObject({ status: "pending", effect: "none" });
      const after = advance(two, { status: "executing", effect: "none" });
      await expect(journal.move([{ before: two, after }])).rejects.toThrow(IllegalMove);
      await journal.move([{ before: two, after, plan: { summary: "run ls", cwd: "/ws", command: "ls" } }]);
      expect(journal.call("c2")).toMatchObject({ status: "executing", effect: "none" });
    });

    test("may come with what the call was planned on, which is kept while it is pending", async () => {
      const { journal, store } = await drive(await open());
      await commitCalls(journal, "1.1", [pendingCall("c1"), pendingCall("c2")]);
      const plan = { summary: "run ls", cwd: "/ws", command: "ls" };
      await journal.noteVerdicts([
        { callId: "c1", by, risk: "low", verdict, plan },
        { callId: "c2", by, risk: "low", verdict },
      ]);
      const reader = (await reopened(store)).readJournal("calm-fox-0001");
      expect([reader.planOf("c1"), reader.planOf("c2")]).toEqual([plan, undefined]);
      expect(reader.call("c1")).toEqual(pendingCall("c1", { by }));
    });

    test("is refused whole where one of the calls is not pending, or is another process's now", async () => {
      const { journal, store } = await drive(await open());
      const [one, two] = [pendingCall("c1"), pendingCall("c2")];
      await commitCalls(journal, "1.1", [one, two]);
      await begin(journal, two);
      const row = { by, risk: "low", verdict } as const;
      const both = ["c1", "c2"].map((callId) => ({ callId, ...row }));
      await expect(journal.noteVerdicts(both)).rejects.toThrow(StaleMove);
      await expect(journal.noteVerdicts([{ callId: "c9", ...row }])).rejects.toThrow(StaleMove);
      expect([journal.call("c1"), journal.verdictOf("c1")]).toEqual([one, undefined]);
      await journal.noteVerdicts([]);
      await store.acquire(journal.session, { takeOver: true });
      await expect(journal.noteVerdicts([{ callId: "c1", ...row }])).rejects.toThrow("was taken over");
    });
  });

  describe("the end of a call", () => {
    test("is kept as data, with its images and attachments", async () => {
      const { journal, store } = await drive(await open());
      const calls = [pendingCall("c1"), pendingCall("c2")] as const;
      await commitCalls(journal, "1.1", [...calls]);
      const ended = { why: "partly", note: "one of two", files: ["a", "b"] };
      const result = {
        output: "seen",
        images: [{ name: "a.png", mediaType: "image/png", data: "ab" }],
        attachments: ["a.pdf"],
      };
      const running = await begin(journal, calls[0]);
      const settled = advance<"executing", "success">(running, { status: "success", result });
      const gone: ToolCallInfo = {
        ...calls[1],
        status: "cancelled",
        by: { actor: "person" },
        ended: { why: "denied" },
        reason: "no",
      };
      const ends = [settled, gone].map((call): ToolCallInfo => Object.assign({ ...call }, { ended }));
      const [first, second] = ends;
      if (first === undefined || second === undefined) throw new Error("two calls");
      await journal.move([
        { before: running, after: first },
        { before: calls[1], after: second },
      ]);
      const again = await reopened(store);
      expect(again.readJournal("calm-fox-0001").allCalls()).toEqual(ends);
      expect(again.verify("calm-fox-0001").problem).toBeUndefined();
    });
  });
}
