import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { advance, type CallOf } from "../../../src/core/call.ts";
import { parseStep } from "../../../src/core/step-id.ts";
import type { FilePlan } from "../../../src/core/tool.ts";
import type { Journal, JournalReading } from "../../../src/store/types.ts";
import { SessionBusy, StaleMove, StoreFailure } from "../../../src/store/types.ts";
import { RawStore } from "../../support/raw-store.ts";
import { begin, commitCalls, drive, executing, open, pendingCall, tempFile } from "../support.ts";

const id = "calm-fox-0001";
const digest = "a".repeat(64);
const usage = { inputTokens: 2, outputTokens: 1, cost: 0.1 };
const words = (name: string) => new HumanMessage({ id: name, content: `the words of ${name}` });

/** All that a journal says of its session. */
function all(journal: JournalReading) {
  const calls = journal.allCalls();
  const steps = journal.steps();
  return {
    turns: journal.turns(),
    steers: journal.steers().map(({ message: _same, ...row }) => row),
    steps: steps.map((step) => ({
      ...step,
      calls: journal.callsOf(step.id),
      reply: journal.findReply(step.id)?.message,
    })),
    count: journal.callCount(),
    calls,
    open: journal.openCalls(),
    each: calls.map(({ callId }) => ({
      call: journal.call(callId),
      asked: journal.askedArguments(callId),
      plan: journal.planOf(callId),
      verdict: journal.verdictOf(callId),
      done: journal.doneOf(callId),
      answers: journal.answersOf(callId),
      children: journal.childrenOf(callId),
      shown: journal.publishedDigest(callId),
      output: journal.outputOf(callId)?.job,
    })),
    spent: [journal.spent(), journal.spent(1), journal.spentInTree(), journal.stepsInTree(), journal.modelsOf(1)],
    standings: journal.standingsOf(1),
    jobs: [journal.jobs(), journal.runningJobs(), journal.jobEnds()],
    events: journal.events(),
    compactions: journal.compactions(),
    title: journal.title(),
    state: journal.state(),
    changes: journal.fileChanges(),
    heard: journal.heardCalls(),
    succeeded: [...new Set(calls.map(({ toolName }) => toolName))].map((tool) => journal.succeeded(tool)),
  };
}

/** Each kind of write, in an order in which a session makes them. */
function writes(journal: Journal): (() => Promise<unknown>)[] {
  const [asked, read, edited] = [
    pendingCall("c1", { effect: "once" }),
    pendingCall("c2"),
    pendingCall("c3", { effect: "file", arguments: { a: 1 } }),
  ];
  const waiting = advance<"pending", "awaiting_approval">(asked, { status: "awaiting_approval", digest });
  const approved = advance<"awaiting_approval", "pending">(waiting, { status: "pending", by: { actor: "person" } });
  const running = executing(approved);
  const file: FilePlan = {
    ...{ asked: "a", real: "/w/a", kind: "new", before: null, after: digest, mode: 0o644, eol: "lf", bom: false },
    ...{ encoding: "utf-8", added: 1, removed: 0, hunks: [] },
  };
  const other = advance<"pending", "awaiting_approval">(edited, { status: "awaiting_approval", digest });
  const after = { ...other, digest: "b".repeat(64), arguments: { a: 2 } } as CallOf<"awaiting_approval">;
  return [
    () => journal.addTurn({ text: "go", message: words("h1"), queued: false, title: "a first title" }),
    () => commitCalls(journal, "1.1", [asked, read]),
    () =>
      journal.noteVerdicts([{ callId: "c2", by: { actor: "policy", rule: "user" }, risk: "low", verdict: { n: 1 } }]),
    () =>
      journal.move([{ before: asked, after: waiting, plan: { summary: "s", cwd: "/w" }, verdict: { guarded: true } }]),
    () => journal.notePublished([{ callId: "c1", digest }]),
    () =>
      journal.move([{ before: waiting, after: approved }], {
        ...{ callId: "c1", digest, decision: "approve", at: 9, grant: { scope: "session" } },
      }),
    () => journal.noteGrantKept("c1"),
    () => journal.move([{ before: approved, after: running, spend: digest, keep: [new Uint8Array([7])] }]),
    () => journal.noteChild("c1", { pid: 1, host: "h", boot: "b", started: "1", mark: "m" }),
    () => journal.keepOutput("c1", Buffer.from("said"), "running"),
    () =>
      journal.move([
        {
          before: running,
          after: advance<"executing", "success">(running, { status: "success", result: { output: "done" } }),
          done: [file],
        },
      ]),
    () => journal.keepOutput("c1", Buffer.from("more"), "lost"),
    () => journal.addSteer(words("s1")),
    () => journal.tellSteers(parseStep("1.2")),
    () => journal.noteJobTold(1),
    () => begin(journal, { ...read, by: { actor: "policy", rule: "user" } }),
    () =>
      journal.commitReply({
        ...{ stepId: parseStep("1.2"), after: undefined, calls: [edited], usage },
        message: new AIMessage({ id: "m2", content: "", tool_calls: [{ id: "c3", name: "x", args: { a: 1 } }] }),
      }),
    () => journal.move([{ before: edited, after: other }]),
    () =>
      journal.move([{ before: other, after }], {
        ...{ callId: "c3", digest, decision: "edit", arguments: { a: 2 }, at: 10 },
      }),
    () => journal.addSteer(words("s2")),
    () => journal.addTurn({ text: "later", message: words("h2"), queued: true }),
    () => journal.addTurn({ text: "last", message: words("h3"), queued: true }),
    () => journal.steerToTurn(),
    () => journal.addSteer(words("s3")),
    () => journal.withdrawWaiting(),
    () =>
      journal.addCompaction(
        { by: "auto", upTo: "h1", madeAfter: "h1", before: 2, after: 1, kind: "prune", kept: 0 },
        usage,
      ),
    () => journal.undoCompaction("k1"),
    () => journal.noteSpent({ ...usage, turn: 1 }),
    () => journal.noteModelTitle("of the model", usage),
    () => journal.setTurn(1, "done", "done"),
    () => journal.setState("awaiting_approval"),
  ];
}

describe("what is in memory", () => {
  test("is what is on disk, after each kind of write, whenever it was loaded", async () => {
    const file = tempFile();
    const { journal } = await drive(await open({ file }));
    const beside = (await open({ file })).readJournal(id);
    const counts = all(journal);
    for (const write of writes(journal)) {
      await write();
      expect(all(journal)).toEqual(all(beside));
    }
    expect(all(journal).events.length).toBeGreaterThan(counts.events.length + 8);
    expect(all(journal).turns.map(({ turn, text }) => [turn, text])).toEqual([[1, "go"]]);
  });

  test("is loaded late as well as early", async () => {
    const file = tempFile();
    const { journal } = await drive(await open({ file }));
    for (const write of writes(journal)) await write();
    expect(all(journal)).toEqual(all((await open({ file })).readJournal(id)));
  });

  test("is as it was where a commit is refused", async () => {
    const { journal } = await drive(await open());
    const [one, two] = [pendingCall("c1"), pendingCall("c2")];
    await commitCalls(journal, "1.1", [one, two]);
    await begin(journal, two);
    const before = all(journal);
    const moves = [one, two].map((call) => ({ before: call, after: executing(call) }));
    await expect(journal.move(moves)).rejects.toThrow(StaleMove);
    await expect(commitCalls(journal, "1.1", [pendingCall("c3")])).rejects.toThrow(StaleMove);
    await expect(commitCalls(journal, "1.2", [pendingCall("c4"), pendingCall("c4")])).rejects.toThrow(StaleMove);
    const bad = pendingCall("c5", { arguments: { n: 1n as unknown as number } });
    await expect(commitCalls(journal, "1.3", [pendingCall("c6"), bad])).rejects.toThrow(StoreFailure);
    expect(all(journal)).toEqual(before);
  });
});

describe("a row that is another than the one in memory", () => {
  test.each([
    ["a call's attempt", "UPDATE tool_call SET attempt = 5 WHERE id = 'c1'"],
    ["a call's digest", `UPDATE tool_call SET digest = 'x' WHERE id = 'c1'`],
    ["a call that is gone", "DELETE FROM tool_call WHERE id = 'c1'"],
  ])("stops the commit that was made from it: %s", async (_what, sql) => {
    const file = tempFile();
    const { journal } = await drive(await open({ file }));
    const [call, second] = [pendingCall("c1"), pendingCall("c2")];
    await commitCalls(journal, "1.1", [call, second]);
    expect(journal.openCalls()).toHaveLength(2);
    const other = new RawStore(file);
    other.exec(`PRAGMA foreign_keys=OFF; ${sql}`);
    other.close();
    const both = [second, call].map((one) => ({ before: one, after: executing(one) }));
    await expect(journal.move(both)).rejects.toThrow(StaleMove);
    // From then on it is what is stored.
    expect(journal.call("c2")?.status).toBe("pending");
    expect(all(journal)).toEqual(all((await open({ file })).readJournal(id)));
  });

  test("is no spent approval that is spent again", async () => {
    const file = tempFile();
    const { journal } = await drive(await open({ file }));
    const call = pendingCall("c1", { effect: "once" });
    await commitCalls(journal, "1.1", [call]);
    const asked = advance<"pending", "awaiting_approval">(call, { status: "awaiting_approval", digest });
    await journal.move([{ before: call, after: asked }]);
    const agreed = advance<"awaiting_approval", "pending">(asked, { status: "pending", by: { actor: "person" } });
    await journal.move([{ before: asked, after: agreed }], { callId: "c1", digest, decision: "approve", at: 1 });
    expect(journal.answersOf("c1")).toHaveLength(1);
    const other = new RawStore(file);
    other.exec("UPDATE answer SET spent = 1");
    other.close();
    await expect(journal.move([{ before: agreed, after: executing(agreed), spend: digest }])).rejects.toThrow(
      StaleMove,
    );
    expect(journal.call("c1")?.status).toBe("pending");
  });
});

describe("who lost the lease", () => {
  test("reads what the new holder wrote, and writes nothing", async () => {
    const file = tempFile();
    const { journal } = await drive(await open({ file }));
    const call = pendingCall("c1");
    await commitCalls(journal, "1.1", [call]);
    expect(journal.openCalls()).toEqual([call]);
    const store = await open({ file });
    const second = store.journal(await store.acquire(id, { takeOver: true }));
    const running = await begin(second, call);
    await second.addTurn({ text: "mine", message: words("h1"), queued: false });
    expect([journal.openCalls(), journal.callsOf(parseStep("1.1")), journal.call("c1")]).toEqual([
      [running],
      [running],
      running,
    ]);
    expect(journal.turns().map(({ text }) => text)).toEqual(["mine"]);
    expect(journal.startedHere("c1")).toBe(false);
    await expect(journal.move([{ before: call, after: executing(call) }])).rejects.toThrow(SessionBusy);
    await second.setTurn(1, "done");
    expect(journal.turns()[0]?.state).toBe("done");
  });

  test("as who released it, in the same store too", async () => {
    const store = await open();
    const { journal, lease } = await drive(store);
    expect(journal.turns()).toEqual([]);
    lease.release();
    const { journal: second } = await drive(store);
    await second.addTurn({ text: "mine", message: words("h1"), queued: false });
    expect(journal.turns().map(({ text }) => text)).toEqual(["mine"]);
    await expect(journal.setTurn(1, "done")).rejects.toThrow(SessionBusy);
    await store.sessions.remove(id).catch(() => undefined);
  });

  test("of a child that is driven again: the older driving of it writes nothing more", async () => {
    const store = await open();
    await drive(store);
    await store.sessions.create({ id: "child-1", workspace: "/w", model: "demo", title: "", parent: id });
    const first = await store.acquire("child-1");
    const old = store.journal(first);
    await old.addTurn({ text: "one", message: words("h1"), queued: false });
    first.release();
    const second = store.journal(await store.acquire("child-1"));
    await second.addTurn({ text: "two", message: words("h2"), queued: false });
    await expect(old.addTurn({ text: "three", message: words("h3"), queued: false })).rejects.toThrow("was released");
    expect([old, second].map((one) => one.turns().map(({ text }) => text))).toEqual([
      ["one", "two"],
      ["one", "two"],
    ]);
  });

  test("a removed session is gone for who still drives it", async () => {
    const store = await open();
    const { journal } = await drive(store);
    await commitCalls(journal, "1.1", [pendingCall("c1")]);
    expect(journal.openCalls()).toHaveLength(1);
    await store.sessions.remove(id);
    expect([journal.openCalls(), journal.steps(), journal.callCount()]).toEqual([[], [], 0]);
    await expect(begin(journal, pendingCall("c1"))).rejects.toThrow("it was removed");
  });
});

test("who reads without a lease sees each commit, of this process and of another", async () => {
  const file = tempFile();
  const store = await open({ file });
  const { journal } = await drive(store);
  const readers = [store.readJournal(id), (await open({ file })).readJournal(id)];
  for (const step of [1, 2, 3]) {
    await commitCalls(journal, `1.${step}`, [pendingCall(`c${step}`)]);
    expect(readers.map((one) => [one.callCount(), one.openCalls().length, one.steps().length])).toEqual([
      [step, step, step],
      [step, step, step],
    ]);
  }
});

test("the calls of the step under way and of the one before it are read once, whatever step is looked at between", async () => {
  const { journal } = await drive(await open({ file: tempFile() }), id);
  await journal.addTurn({ text: "go", message: words("h1"), queued: false });
  for (const [at, callId] of ["c1", "c2", "c3", "c4"].entries()) {
    const call = pendingCall(callId);
    await commitCalls(journal, `1.${at + 1}`, [call]);
    const running = await begin(journal, call);
    const done = advance<"executing", "success">(running, { status: "success", result: { output: callId } });
    await journal.move([{ before: running, after: done }]);
    journal.callsOf(parseStep(`1.${at + 1}`));
  }
  const [under] = journal.callsOf(parseStep("1.4"));
  const [before] = journal.callsOf(parseStep("1.3"));
  journal.callsOf(parseStep("1.1"));
  expect(journal.call("c4")).toBe(under);
  expect(journal.call("c3")).toBe(before);
  expect(before).toMatchObject({ status: "success", result: { output: "c3" } });
  expect(journal.jobEnds()).toBe(journal.jobEnds());
});
