import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { advance } from "../../../src/core/call.ts";
import { sha256 } from "../../../src/core/json.ts";
import type { Connection } from "../../../src/store/sqlite/driver/driver.ts";
import type { Journal } from "../../../src/store/types.ts";
import { RawStore } from "../../support/raw-store.ts";
import { waitingCall } from "../suite/call-data.ts";
import { begin, commitCalls, drive, executing, open, pendingCall, places, tempFile } from "../support.ts";

/** Begins a call with these contents kept in the same transaction. */
async function keepAll(journal: Journal, callId: string, keep: Uint8Array[]): Promise<void> {
  const call = pendingCall(callId);
  await commitCalls(journal, `1.${callId.slice(1)}`, [call]);
  await journal.move([{ before: call, after: executing(call), keep }]);
}

describe.each(places)("what policy said, %s", (_where, place) => {
  const verdict = {
    decision: "allow",
    risk: "low",
    rule: { source: "user", file: "/h/policy.json", line: 3 },
    why: "ok",
  };
  const by = { actor: "policy", rule: "user" } as const;

  test.each([
    ["reads alone", pendingCall("c2"), 1],
    ["an effect too", waitingCall("c2"), 2],
  ])("of %s is committed like a move of them", async (_name, second, synchronous) => {
    const { journal } = await drive(await open({ file: place() }));
    await commitCalls(journal, "1.1", [pendingCall("c1"), second]);
    const probe = new RawStore(":memory:");
    probe.close();
    const exec = vi.spyOn(Object.getPrototypeOf(probe.connection) as Connection, "exec");
    const row = { by, risk: "low", verdict } as const;
    await journal.noteVerdicts(["c1", "c2"].map((callId) => ({ callId, ...row })));
    const relaxed = exec.mock.calls.some(([sql]) => sql === "PRAGMA synchronous=NORMAL");
    exec.mockRestore();
    expect(relaxed ? 1 : 2).toBe(synchronous);
  });
});

describe("the end of a call", () => {
  test("stays readable where what was kept of it is damaged, and verify says so", async () => {
    const file = tempFile();
    const { journal, store } = await drive(await open({ file }));
    const call = pendingCall("c1");
    await commitCalls(journal, "1.1", [call]);
    const running = await begin(journal, call);
    const result = { output: "x".repeat(5_000) };
    await journal.move([
      { before: running, after: advance<"executing", "success">(running, { status: "success", result }) },
    ]);
    store.close();
    const other = new RawStore(file);
    other.exec("DROP TRIGGER tool_call_settled; UPDATE tool_call SET packed = x'0102', ended = '{\"why'");
    other.close();
    const again = await open({ file });
    expect(again.readJournal("calm-fox-0001").call("c1")).toMatchObject({
      status: "success",
      result: { output: "[This result could not be read from the store]" },
    });
    expect(again.verify("calm-fox-0001").problem).toMatch(/^it cannot be read: /);
  });
});

describe("the record", () => {
  test("neither settled calls nor events can be changed, by any connection", async () => {
    const file = tempFile();
    const { journal } = await drive(await open({ file }));
    const call = pendingCall("c1");
    await commitCalls(journal, "1.1", [call]);
    await journal.move([
      {
        before: call,
        after: { ...call, status: "cancelled", by: { actor: "policy" }, ended: { why: "policy", note: "no" } },
      },
    ]);
    const other = new RawStore(file);
    expect(() => other.exec("UPDATE tool_call SET result = 'x'")).toThrow("a settled call never changes");
    expect(() => other.exec("UPDATE tool_call_event SET became = 'success'")).toThrow("append-only");
    expect(() => other.exec("DELETE FROM tool_call_event")).toThrow("goes only with its session");
    other.close();
  });
});

describe("what is known of hooks", () => {
  test("is read once from each row, however many more there are", async () => {
    const { journal } = await drive(await open());
    await commitCalls(journal, "1.1", [pendingCall("c1")]);
    const use = { step: { turn: 1, step: 1 }, event: "PreToolUse", callId: "c1", attempt: 1 } as const;
    const said = { decision: "none", context: "so it is" } as const;
    await journal.endHook(await journal.beginHook({ ...use, hook: "one" }), said);
    const [first] = journal.hookRuns();
    const second = await journal.beginHook({ ...use, hook: "other" });
    expect(journal.hookRuns().map((run) => run.said)).toEqual([said, undefined]);
    expect(journal.hookRuns()[0]).toBe(first);
    await journal.endHook(second, said);
    expect(journal.hookRuns()[1]?.said).toEqual(said);
  });
});

describe("bytes", () => {
  test("pruning gives the room back to the disk", async () => {
    const file = tempFile();
    const { journal, store } = await drive(await open({ file }));
    await keepAll(journal, "c1", [randomBytes(2_000_000)]);
    expect(await store.prune(Number.MAX_SAFE_INTEGER)).toEqual({ versions: 1, bytes: 2_000_000 });
    store.close();
    expect(statSync(file).size).toBeLessThan(500_000);
  });

  test("what a job said stays while it runs, and until the person was told of its end", async () => {
    const { journal, store } = await drive(await open({ file: tempFile() }));
    await commitCalls(journal, "1.1", [pendingCall("c1")]);
    const isThere = async (): Promise<boolean> => {
      await store.prune(Number.MAX_SAFE_INTEGER);
      return journal.outputOf("c1") !== undefined;
    };
    await journal.keepOutput("c1", Buffer.from("up"), "running");
    expect(await isThere()).toBe(true);
    await journal.keepOutput("c1", Buffer.from("up\n(exit code 3)\n"), { over: "exit code 3" });
    expect(await isThere()).toBe(true);
    await journal.noteJobTold(2);
    expect(await isThere()).toBe(true);
    await journal.noteJobTold(1);
    expect(await isThere()).toBe(false);
    store.close();
  });

  test("of a job whose call was begun again since, its end alone is kept", async () => {
    const { journal, store } = await drive(await open({ file: tempFile() }));
    await commitCalls(journal, "1.1", [{ ...pendingCall("c1"), attempt: 2 }]);
    await journal.keepOutput("c1", Buffer.from("new"), "running");
    await journal.keepOutput("c1", Buffer.from("old"), "running", 1);
    await journal.keepOutput("c1", Buffer.from("old\n"), { over: "exit code 1" }, 1);
    expect([Buffer.from(journal.outputOf("c1")?.bytes ?? []).toString(), journal.runningJobs()]).toEqual([
      "new",
      ["c1"],
    ]);
    await journal.keepOutput("c1", Buffer.from("new\n"), { over: "exit code 2" });
    expect(journal.jobEnds().map(({ how }) => how)).toEqual(["exit code 1", "exit code 2"]);
    store.close();
  });

  test.each(["x'02'", "x''"])("bytes that are no longer those are corruption: %s", async (broken) => {
    for (const content of [new Uint8Array([1]), new Uint8Array(1_000)]) {
      const file = tempFile();
      const { journal } = await drive(await open({ file }));
      await keepAll(journal, "c1", [content]);
      const other = new RawStore(file);
      other.exec(`UPDATE kept_bytes SET bytes = ${broken}`);
      other.close();
      expect(() => journal.bytesOf(sha256(content))).toThrowError(expect.objectContaining({ kind: "corrupt" }));
    }
  });
});
