import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import type { CallOf, CallResult } from "../../../src/core/call.ts";
import { lastWordsOf } from "../../../src/core/job-notices.ts";
import { callOff, giveBack, interruptCall, leave, settle } from "../../../src/graph/calls/transitions.ts";
import { forkSession } from "../../../src/records/fork.ts";
import type { CallMove, Journal } from "../../../src/store/types.ts";
import { begin, commitCalls, drive, open, pendingCall, tempFile } from "../support.ts";

/** A call that runs, of which so much was kept as of a job. */
async function running(job: "running" | "ended" = "running") {
  const { journal, store } = await drive(await open({ file: tempFile() }));
  const call = pendingCall("c1");
  const message = new HumanMessage({ id: "h1", content: "go" });
  await journal.addTurn({ text: "go", message, queued: false });
  await commitCalls(journal, "1.1", [call], message);
  const executing = await begin(journal, call);
  await journal.keepOutput("c1", Buffer.from("up"), job);
  return { journal, store, executing };
}

const done = (metadata: CallResult["metadata"]) => ({
  kind: "done" as const,
  result: { output: "up", ...(metadata && { metadata }) },
});
const failed = { kind: "failed" as const, message: "its folder is another", code: "STALE" as const };
const stateIn = (journal: Pick<Journal, "outputOf">) => journal.outputOf("c1")?.job;

describe("what was kept of a job counts for none from the move on by which its call", () => {
  const moves: [how: string, move: (call: CallOf<"executing">) => CallMove][] = [
    ["came to its own end", (call) => settle(call, done({ exitCode: 4 }), 1)],
    ["failed without a result", (call) => settle(call, failed, 1)],
    ["stands as before it was begun, for the process leaves", leave],
    ["goes back to its beginning, for nothing was done", giveBack],
    [
      "came to its end and waits for the person",
      (call) => interruptCall(call, { why: "overstepped" }, done({ exitCode: 0 }).result),
    ],
  ];

  test.each(moves)("%s", async (_how, moveOf) => {
    for (const kept of ["running", "ended"] as const) {
      const { journal, store, executing } = await running(kept);
      expect(journal.jobs()).toEqual(["c1"]);
      const move = moveOf(executing);
      await journal.move([move]);
      if (move.after.status === "interrupted") await journal.move([callOff(move.after, "given_up", 2)]);
      for (const one of [journal, store.readJournal("calm-fox-0001")]) {
        expect([one.jobs(), one.runningJobs(), one.jobEnds()]).toEqual([[], [], []]);
        expect(one.outputOf("c1")).toEqual({ bytes: expect.anything() });
      }
      const row = store.sessions.get("calm-fox-0001");
      // A step whose calls are open does not come along.
      const fork = row && move.after.status !== "pending" ? await forkSession(store, row) : undefined;
      if (move.after.status !== "pending") expect(store.readJournal(fork?.id ?? "").jobEnds()).toEqual([]);
      await store.prune(Number.MAX_SAFE_INTEGER);
      expect(journal.outputOf("c1")).toBeUndefined();
      store.close();
    }
  });
});

test("the end of a job of an attempt that was done again under the same number is told", async () => {
  const { journal, store, executing } = await running();
  const left = leave(executing);
  await journal.move([left]);
  const again = await begin(journal, left.after as CallOf<"pending">);
  await journal.keepOutput("c1", Buffer.from("up"), "running");
  await journal.move([settle(again, done({ job: "c1" }), 1)]);
  expect(stateIn(journal)).toBe("running");
  await journal.keepOutput("c1", Buffer.from("up\n(exit code 3)\n"), { over: "exit code 3" });
  expect(journal.jobEnds()).toMatchObject([{ callId: "c1", attempt: 1, how: "exit code 3", last: "up" }]);
  store.close();
});

test.each([
  ["runs on", { job: "c1" }, "running", ["c1"]],
  ["has ended already", { job: "c1", exitCode: 1 }, "ended", []],
  ["was ended by a signal already", { job: "c1", signal: "SIGTERM" }, "ended", []],
] as const)("a job of which its call says that it %s counts as that", async (_what, metadata, state, runs) => {
  const { journal, store, executing } = await running();
  await journal.move([settle(executing, done(metadata), 1)]);
  expect([stateIn(journal), journal.jobs(), journal.runningJobs()]).toEqual([state, ["c1"], runs]);
  store.close();
});

test("of a call whose end was not seen it stays as it was kept", async () => {
  const { journal, store, executing } = await running();
  await journal.move([interruptCall(executing, { why: "unseen" })]);
  expect(stateIn(journal)).toBe("running");
  store.close();
});

describe("the last words of a job", () => {
  test.each([
    ["building\nwhole\n\n(exit code 3)\n", "whole"],
    ["(exit code 3)\n", ""],
    ["", ""],
    ["\n\n(exit code 3)", ""],
    [`${"x".repeat(9_000)}\r\n(exit code 3)\n`, `${"x".repeat(199)}…`],
    ["größer \u{1f600}\n(exit code 0)\n", "größer \u{1f600}"],
  ])("are those of its last line: %j", (kept, last) => {
    expect(lastWordsOf(Buffer.from(kept))).toBe(last);
  });

  test("are the last line itself, where it was kept as it ran", () => {
    expect(lastWordsOf(Buffer.from("one\ntwo\n"), { isWhole: false })).toBe("two");
  });
});
