import { describe, expect, test } from "vitest";
import { advance, IllegalMove, type ToolCallInfo } from "../../../src/core/call.ts";
import { sha256 } from "../../../src/core/json.ts";
import { brokenLink } from "../../../src/store/journal/call-events.ts";
import { type AnswerRow, StaleMove } from "../../../src/store/types.ts";
import { begin, commitCalls, drive, executing, pendingCall, ticking } from "../support.ts";
import type { Backend } from "./backend.ts";
import { approve, approved, ask, digest, plan, waitingCall, yes } from "./call-data.ts";

/** The moves of calls, and the approvals that they spend. */
export function moves({ open, reopened }: Backend): void {
  describe("moves", () => {
    test("a call's whole life is on disk, in order, each event naming what it brought", async () => {
      const { journal, store } = await drive(await open({ clock: ticking(100) }));
      const agreed = await approved(journal);
      const running = executing(agreed, 3);
      await journal.move([{ before: agreed, after: running, spend: digest }]);
      const result = { output: "done", display: "-a +b", metadata: { diff: "..." } };
      const done = advance<"executing", "success">(running, { status: "success", result, times: { settled: 4 } });
      await journal.move([{ before: running, after: done }]);

      const again = (await reopened(store)).readJournal("calm-fox-0001");
      expect(again.call("c1")).toEqual(done);
      expect(again.planOf("c1")).toEqual(plan);
      expect(again.answersOf("c1")).toEqual([yes()]);
      expect(again.openCalls()).toEqual([]);
      const events = again.events();
      expect(events.map(({ hash: _hash, at: _at, ...event }) => event)).toEqual([
        { seq: 1, callId: "c1", from: null, to: "pending", attempt: 1 },
        { seq: 2, callId: "c1", from: "pending", to: "awaiting_approval", attempt: 1, digest },
        { seq: 3, callId: "c1", from: "awaiting_approval", to: "pending", attempt: 1, by: "person" },
        { seq: 4, callId: "c1", from: "pending", to: "executing", attempt: 1 },
        { seq: 5, callId: "c1", from: "executing", to: "success", attempt: 1 },
      ]);
      expect(brokenLink("calm-fox-0001", events)).toBeUndefined();
    });

    test("of two that move the same call one wins, and the loser's whole batch is undone", async () => {
      const { journal } = await drive(await open());
      const [one, two] = [pendingCall("c1"), pendingCall("c2")];
      await commitCalls(journal, "1.1", [one, two]);
      await begin(journal, two);
      await expect(
        journal.move([
          { before: one, after: executing(one) },
          { before: two, after: executing(two) },
        ]),
      ).rejects.toThrow(StaleMove);
      expect(journal.allCalls().map((call) => call.status)).toEqual(["pending", "executing"]);
      expect(journal.events()).toHaveLength(3);
    });

    test.each([
      ["another attempt", { attempt: 2 }],
      ["another digest", { digest }],
    ])("a move from %s is stale", async (_name, more) => {
      const { journal } = await drive(await open());
      const call = pendingCall("c1");
      await commitCalls(journal, "1.1", [call]);
      const other = pendingCall("c1", more);
      await expect(journal.move([{ before: other, after: executing(other) }])).rejects.toThrow(StaleMove);
      expect(journal.call("c1")).toEqual(call);
    });

    test("a move that the table does not have is refused, and so is one that makes another call of it", async () => {
      const { journal } = await drive(await open());
      const call = pendingCall("c1");
      await commitCalls(journal, "1.1", [call]);
      const done: ToolCallInfo = { ...call, status: "success", result: { output: "" } };
      await expect(journal.move([{ before: call, after: done }])).rejects.toThrow(IllegalMove);
      const other = executing({ ...call, toolName: "write_file" });
      await expect(journal.move([{ before: call, after: other }])).rejects.toThrow(IllegalMove);
      await expect(journal.move([{ before: pendingCall("c9"), after: executing(pendingCall("c9")) }])).rejects.toThrow(
        StaleMove,
      );
    });

    test("a plan is kept until it is forgotten", async () => {
      const { journal } = await drive(await open());
      const call = waitingCall();
      await commitCalls(journal, "1.1", [call]);
      const asked = ask(call);
      await journal.move([{ before: call, after: asked, plan }]);
      const again = approve(asked);
      await journal.move([{ before: asked, after: again }], yes());
      expect(journal.planOf("c1")).toEqual(plan);
      const back = ask(again, sha256("other"));
      await journal.move([{ before: again, after: back, plan: null }]);
      expect(journal.planOf("c1")).toBeUndefined();
      const denied = advance<"awaiting_approval", "cancelled">(back, {
        status: "cancelled",
        by: { actor: "person" },
        ended: { why: "denied" },
        reason: "no",
      });
      await journal.move([{ before: back, after: denied, plan }]);
      expect(journal.planOf("c1")).toEqual(plan);
      expect(journal.call("c1")).toEqual(denied);
    });
  });

  describe("approvals", () => {
    test("an approval is spent once, and only for the digest it names", async () => {
      const { journal } = await drive(await open());
      const agreed = await approved(journal);
      const running = executing(agreed);
      await expect(journal.move([{ before: agreed, after: running, spend: sha256("other") }])).rejects.toThrow(
        IllegalMove,
      );
      expect(journal.call("c1")?.status).toBe("pending");
      await journal.move([{ before: agreed, after: running, spend: digest }]);

      const drifted = advance<"executing", "pending">(running, { status: "pending", attempt: 2 });
      await journal.move([{ before: running, after: drifted }]);
      await expect(journal.move([{ before: drifted, after: executing(drifted), spend: digest }])).rejects.toThrow(
        "no unspent approval",
      );
    });

    test("evidence that nothing happened gives the approval back", async () => {
      const { journal } = await drive(await open());
      const agreed = await approved(journal);
      const running = executing(agreed);
      await journal.move([{ before: agreed, after: running, spend: digest }]);
      const undone = advance<"executing", "pending">(running, { status: "pending", attempt: 2 });
      await journal.move([{ before: running, after: undone, unspend: digest }]);
      await journal.move([{ before: undone, after: executing(undone), spend: digest }]);
      expect(journal.call("c1")).toMatchObject({ status: "executing", attempt: 2 });
    });

    test("an approval of a digest that is no longer the call's is refused with its move", async () => {
      const { journal } = await drive(await open());
      const call = waitingCall();
      await commitCalls(journal, "1.1", [call]);
      const asked = ask(call);
      await journal.move([{ before: call, after: asked }]);
      const stale = journal.move([{ before: asked, after: approve(asked) }], yes("c1", sha256("older")));
      await expect(stale).rejects.toThrow(StaleMove);
      await expect(journal.move([], yes("c7"))).rejects.toThrow(StaleMove);
      expect(journal.call("c1")).toEqual(asked);
      expect(journal.answersOf("c1")).toEqual([]);
    });

    test("an edit, its new digest and its reason are kept with the answer", async () => {
      const { journal } = await drive(await open());
      const call = waitingCall();
      await commitCalls(journal, "1.1", [call]);
      const asked = ask(call);
      await journal.move([{ before: call, after: asked, plan }]);
      const edit: AnswerRow = {
        callId: "c1",
        digest,
        decision: "edit",
        arguments: { lc: 1 },
        reason: "typo",
        at: 5,
        by: "flag",
      };
      const after = advance<"awaiting_approval", "awaiting_approval">(asked, {
        status: "awaiting_approval",
        digest: sha256("edited"),
        arguments: { lc: 1 },
      });
      await journal.move([{ before: asked, after }], edit);
      expect(journal.answersOf("c1")).toEqual([edit]);
      expect(journal.call("c1")).toEqual(after);
    });
  });
}
