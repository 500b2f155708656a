import { describe, expect, it, test } from "vitest";
import { advance, type CallOf, type ToolCallInfo } from "../../src/core/call.ts";
import { marksOf, noCalls, orderStats, type ToolStats } from "../../src/core/tool-stats.ts";
import { foundDone, giveUp, interruptCall } from "../../src/graph/calls/transitions.ts";
import { statsOf, toolStats, topTools } from "../../src/records/statistics.ts";
import type { Journal, Store } from "../../src/store/types.ts";
import { begin, commitCalls, drive, open, pendingCall } from "../store/support.ts";

/** Calls of a session of its own, and how each of them goes on. */
async function played(store: Store, session: string, calls: readonly [CallOf<"pending">, Way][]): Promise<void> {
  const { journal, lease } = await drive(store, session);
  await commitCalls(
    journal,
    "1.1",
    calls.map(([call]) => call),
  );
  for (const [call, way] of calls) await way(journal, call);
  lease.release();
}

type Way = (journal: Journal, call: CallOf<"pending">) => Promise<void>;

const starts = async (journal: Journal, call: CallOf<"pending">, at: number): Promise<CallOf<"executing">> => {
  const after = advance<"pending", "executing">(call, { status: "executing", times: { started: at } });
  await journal.move([{ before: call, after }]);
  return after;
};

const succeeds =
  (from: number, to: number): Way =>
  async (journal, call) => {
    const running = await starts(journal, call, from);
    const after = advance<"executing", "success">(running, {
      status: "success",
      result: { output: "x".repeat(500) },
      times: { settled: to },
    });
    await journal.move([{ before: running, after }]);
  };

const fails =
  (from: number, to: number, errorCode: "FAILED" | "CANCELLED" = "FAILED"): Way =>
  async (journal, call) => {
    const running = await starts(journal, call, from);
    const after = advance<"executing", "error">(running, {
      status: "error",
      ...{ errorCode, errorMsg: "no", times: { settled: to } },
    });
    await journal.move([{ before: running, after }]);
  };

/** Asked at `asked`, answered much later. */
const isDenied: Way = async (journal, call) => {
  const asked = advance<"pending", "awaiting_approval">(call, { status: "awaiting_approval", digest: "d" });
  const after = advance<"awaiting_approval", "cancelled">(asked, {
    ...{ status: "cancelled", by: { actor: "person" }, ended: { why: "denied" } },
    times: { decided: 9_000_000, settled: 9_000_000 },
  });
  await journal.move([{ before: call, after: asked }]);
  await journal.move([{ before: asked, after }]);
};

const isCutOff =
  (at: number, then?: (journal: Journal, call: CallOf<"interrupted">) => Promise<void>): Way =>
  async (journal, call) => {
    const running = await starts(journal, call, at);
    const move = interruptCall(running, { why: "unseen" });
    await journal.move([move]);
    await then?.(journal, move.after as CallOf<"interrupted">);
  };

const waits: Way = async () => undefined;

const call = (callId: string, toolName: string, proposed = 1_000): CallOf<"pending"> =>
  pendingCall(callId, { toolName, times: { proposed } });

describe("what became of the calls of all sessions", () => {
  it("counts each end, and takes times from start to end alone", async () => {
    const store = await open();
    await played(store, "calm-fox-0001", [
      [call("c1", "read"), succeeds(5_000, 5_010)],
      [call("c2", "read"), succeeds(5_000, 5_030)],
      [call("c3", "read"), fails(6_000, 6_100)],
      [call("c4", "write"), isDenied],
      [call("c5", "write"), fails(7_000, 7_500, "CANCELLED")],
      [call("c6", "write"), waits],
    ]);
    await played(store, "dear-elk-0002", [[call("c1", "read"), succeeds(8_000, 8_000)]]);

    const read = { tool: "read", calls: 4, success: 3, error: 1, cancelled: 0, interrupted: 0, successRate: 0.75 };
    const write = { tool: "write", calls: 2, success: 0, error: 0, cancelled: 2, interrupted: 0, successRate: null };
    expect(statsOf(store)).toEqual([
      { ...read, meanMs: 35, p95Ms: 100, totalMs: 140, lastUsed: 8_000 },
      { ...write, meanMs: 500, p95Ms: 500, totalMs: 500, lastUsed: 7_000 },
    ]);
    expect(statsOf(store, { tool: "read", since: 5_500 })).toEqual([
      expect.objectContaining({ tool: "read", calls: 2, success: 1, error: 1, totalMs: 100 }),
    ]);
    expect(statsOf(store, { tool: "nothing" })).toEqual([]);
  });

  it("knows no time of a call whose end was found out, told or given up afterwards", async () => {
    const store = await open();
    const byEvidence = { actor: "recovery", rule: "evidence" } as const;
    const byPerson = { actor: "person", rule: "recovery" } as const;
    const found = (by: typeof byEvidence | typeof byPerson) =>
      isCutOff(2_000, (journal, cut) => journal.move([foundDone(cut, by, { output: "there" }, 9_000_000)]));
    await played(store, "calm-fox-0001", [
      [call("c1", "write"), found(byEvidence)],
      [call("c2", "write"), found(byPerson)],
      [call("c3", "write"), isCutOff(2_000, (journal, cut) => journal.move(giveUp(cut, "no end", 9_000_000)))],
      [call("c4", "write"), isCutOff(2_000)],
    ]);
    const ends = { calls: 4, success: 2, error: 1, cancelled: 0, interrupted: 1, successRate: 0.6667 };
    expect(statsOf(store)).toEqual([
      { tool: "write", ...ends, meanMs: null, p95Ms: null, totalMs: 0, lastUsed: 2_000 },
    ]);
  });

  it("counts as interrupted what runs in no living process, and not at all what runs now", async () => {
    const store = await open();
    const { journal, lease } = await drive(store);
    const running = call("c1", "shell");
    await commitCalls(journal, "1.1", [running]);
    await begin(journal, running);
    expect(statsOf(store)).toEqual([]);
    lease.release();
    expect(statsOf(store)).toEqual([expect.objectContaining({ tool: "shell", calls: 1, interrupted: 1 })]);
  });

  it("leaves out the wait of a call that was asked about again after it had begun", async () => {
    const store = await open();
    await played(store, "calm-fox-0001", [
      [
        call("c1", "edit"),
        async (journal, pending) => {
          const running = await starts(journal, pending, 2_000);
          const moves: ToolCallInfo[] = [running];
          const on = async (after: ToolCallInfo) => {
            await journal.move([{ before: moves.at(-1) as ToolCallInfo, after }]);
            moves.push(after);
          };
          const given = advance<"executing", "pending">(running, { status: "pending", attempt: 2 });
          await on(given);
          const asked = advance<"pending", "awaiting_approval">(given, { status: "awaiting_approval", digest: "d" });
          await on(asked);
          const yes = { actor: "person" } as const;
          const approved = advance<"awaiting_approval", "pending">(asked, {
            ...{ status: "pending", by: yes, times: { decided: 5_000_000 } },
          });
          await on(approved);
          const stale = { errorCode: "STALE", errorMsg: "changed", times: { settled: 5_000_001 } } as const;
          await on(advance<"pending", "error">(approved, { status: "error", ...stale }));
        },
      ],
    ]);
    expect(statsOf(store)).toEqual([expect.objectContaining({ calls: 1, error: 1, meanMs: null, totalMs: 0 })]);
  });

  it("says how long 95 of 100 took at the most, of each tool", async () => {
    const store = await open();
    const read = Array.from({ length: 40 }, (_, i): [CallOf<"pending">, Way] => [
      call(`c${i + 1}`, i % 2 === 0 ? "read" : "write"),
      succeeds(5_000, 5_000 + i),
    ]);
    await played(store, "calm-fox-0001", read);
    const [one, other] = statsOf(store);
    expect([one?.p95Ms, other?.p95Ms]).toEqual([36, 37]);
    expect([one?.meanMs, other?.meanMs]).toEqual([19, 20]);
  });
});

const stats = (tool: string, more: Partial<ToolStats> = {}): ToolStats => ({ ...noCalls(tool), ...more });

describe("the order of tools", () => {
  const some = [
    stats("a", { calls: 3, meanMs: 10 }),
    stats("b", { calls: 5, meanMs: null }),
    stats("c", { calls: 3, meanMs: 40 }),
  ];
  const names = (of: readonly ToolStats[]) => of.map(({ tool }) => tool).join("");

  it("puts the most, the slowest and the best first, the unknown last either way, and the same by name", () => {
    expect(names(orderStats(some, "calls"))).toBe("bac");
    expect(names(orderStats(some, "calls", true))).toBe("acb");
    expect(names(orderStats(some, "meanMs"))).toBe("cab");
    expect(names(orderStats(some, "meanMs", true))).toBe("acb");
  });
});

test.each([
  [{ calls: 11, successRate: 0.79, meanMs: 5_000 }, ["failing"]],
  [{ calls: 10, successRate: 0, meanMs: 5_001 }, ["slow"]],
  [{ calls: 11, successRate: 0.8, meanMs: null }, []],
  [{ calls: 99, successRate: 0.5, meanMs: 9_000 }, ["failing", "slow"]],
  [{ calls: 99, successRate: null }, []],
])("marks what fails often or is slow: %j", (figures, marks) => {
  expect(marksOf(stats("x", figures))).toEqual(marks);
});

describe("a program", () => {
  it("reads them from the file of a store that is open elsewhere, and the first of an order", async () => {
    const store = await open();
    await played(store, "calm-fox-0001", [
      [call("c1", "read"), succeeds(5_000, 5_010)],
      [call("c2", "read"), succeeds(5_000, 5_010)],
      [call("c3", "write"), succeeds(5_000, 5_900)],
    ]);
    expect(await toolStats(store.file)).toEqual(statsOf(store));
    expect(await toolStats(store)).toEqual(statsOf(store));
    expect(await topTools(store.file, { limit: 1, by: "p95Ms" })).toMatchObject([{ tool: "write", p95Ms: 900 }]);
    expect(await topTools(store.file, { by: "p95Ms", ascending: true })).toMatchObject([
      { tool: "read" },
      { tool: "write" },
    ]);
  });

  it("is told where there is no store, and none is made", async () => {
    await expect(toolStats("/nowhere/agent.db")).rejects.toThrow("there is no store /nowhere/agent.db");
  });
});
