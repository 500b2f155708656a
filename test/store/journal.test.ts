import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import Driver from "better-sqlite3";
import { describe, expect, test, vi } from "vitest";
import { advance, type CallOf, IllegalMove, type ToolCallInfo } from "../../src/core/call.ts";
import { sha256 } from "../../src/core/json.ts";
import { parseStep } from "../../src/core/step-id.ts";
import type { Plan } from "../../src/core/tool.ts";
import { brokenLink } from "../../src/store/journal/call-events.ts";
import { type AnswerRow, type Journal, StaleMove } from "../../src/store/types.ts";
import {
  begin,
  commitCalls,
  drive,
  executing,
  open,
  pendingCall,
  places,
  reopened,
  tempFile,
  ticking,
} from "./support.ts";

const digest = sha256("the plan");
const plan: Plan = { summary: "edit a", cwd: "/w", diff: "-a\n+b" };

const waitingCall = (callId = "c1"): CallOf<"pending"> =>
  pendingCall(callId, { toolName: "edit_file", effect: "file", risk: "medium" });
const ask = (call: CallOf<"pending">, of = digest): CallOf<"awaiting_approval"> =>
  advance<"pending", "awaiting_approval">(call, { status: "awaiting_approval", digest: of });
const approve = (call: CallOf<"awaiting_approval">): CallOf<"pending"> =>
  advance<"awaiting_approval", "pending">(call, { status: "pending", by: { actor: "person" } });
const yes = (callId = "c1", of = digest): AnswerRow => ({ callId, digest: of, decision: "approve", at: 9 });

/** A call that was asked about and approved. */
async function approved(journal: Awaited<ReturnType<typeof drive>>["journal"]): Promise<CallOf<"pending">> {
  const call = waitingCall();
  await commitCalls(journal, "1.1", [call]);
  const asked = ask(call);
  await journal.move([{ before: call, after: asked, plan }]);
  const agreed = approve(asked);
  await journal.move([{ before: asked, after: agreed }], yes());
  return agreed;
}

describe.each(places)("turns, %s", (_where, place) => {
  test("a prompt is a turn, numbered from 1, and its message comes back as the same object", async () => {
    const { journal, store } = await drive(await open({ file: place() }));
    const first = new HumanMessage({ id: "h1", content: "do it" });
    const second = new HumanMessage({ id: "h2", content: [{ type: "text", text: "and this" }] });
    expect(await journal.addTurn({ text: "do it", message: first, queued: false })).toEqual({
      turn: 1,
      text: "do it",
      messageId: "h1",
      state: "running",
    });
    await journal.addTurn({ text: "and this", message: second, queued: true });
    await journal.setTurn(1, "done", "max_steps");
    expect(journal.turnMessage(1)).toBe(first);

    const again = (await reopened(store)).readJournal("calm-fox-0001");
    expect(again.turns()).toEqual([
      { turn: 1, text: "do it", messageId: "h1", state: "done", reason: "max_steps" },
      { turn: 2, text: "and this", messageId: "h2", state: "queued" },
    ]);
    expect(again.turnMessage(2)).toEqual(second);
  });

  test("a turn that is not there is refused, and so is a message without an id", async () => {
    const { journal } = await drive(await open({ file: place() }));
    await expect(journal.setTurn(4, "done")).rejects.toThrow("has no turn 4");
    expect(() => journal.turnMessage(4)).toThrow("has no turn 4");
    await expect(journal.addTurn({ text: "x", message: new HumanMessage("x"), queued: false })).rejects.toThrow(
      "needs an id",
    );
    expect(journal.turns()).toEqual([]);
  });
});

test("what replies took is kept by turn, by session and by time, and is unknown where nobody said it", async () => {
  let now = 1000;
  const { store, journal } = await drive(await open({ file: tempFile(), clock: () => now }));
  const reply = (step: string, usage: Parameters<typeof journal.commitReply>[0]["usage"]) =>
    journal.commitReply({
      stepId: parseStep(step),
      after: undefined,
      message: new AIMessage({ id: `m${step}`, content: "x" }),
      calls: [],
      ...(usage === undefined ? {} : { usage }),
    });
  await reply("1.1", { inputTokens: 10, outputTokens: 3, cachedTokens: 4, cost: 0.5, model: "a:b" });
  await reply("1.2", { inputTokens: 1, outputTokens: 1 });
  now = 2000;
  await reply("2.1", { inputTokens: 100, outputTokens: 30, cost: 2 });
  await reply("2.2", undefined);
  await journal.noteModelTitle(undefined, { inputTokens: 1000, outputTokens: 300 });
  expect([journal.spent(1), journal.spent(2), journal.spent(3)]).toEqual([
    { inputTokens: 11, cachedTokens: 4, outputTokens: 4, cost: 0.5, unpriced: 1 },
    { inputTokens: 100, cachedTokens: 0, outputTokens: 30, cost: 2, unpriced: 0 },
    { inputTokens: 0, cachedTokens: 0, outputTokens: 0, unpriced: 0 },
  ]);
  const whole = { inputTokens: 1111, cachedTokens: 4, outputTokens: 334, cost: 2.5, unpriced: 2 };
  expect(journal.spent()).toEqual(whole);
  expect([...store.spent()]).toEqual([[journal.session, whole]]);
  expect([...store.spent(1500)]).toEqual([
    [journal.session, { inputTokens: 1100, cachedTokens: 0, outputTokens: 330, cost: 2, unpriced: 1 }],
  ]);
  expect(store.spent(3000).size).toBe(0);
});

describe.each(places)("replies, %s", (_where, place) => {
  test("a reply and its calls are found again by their step, in the order of the message", async () => {
    const { journal, store } = await drive(await open({ file: place() }));
    const unknown: ToolCallInfo = {
      ...pendingCall("c2", { toolName: "frobnicate", rawArguments: '{"a":' }),
      status: "error",
      errorMsg: "no such tool",
      errorCode: "UNKNOWN_TOOL",
    };
    const calls = [pendingCall("c1"), unknown, pendingCall("c3", { arguments: { lc: 1, type: "constructor" } })];
    const message = new AIMessage({ id: "m1", content: "thinking" });
    await journal.commitReply({
      stepId: parseStep("1.1"),
      after: undefined,
      message,
      calls,
      usage: { inputTokens: 10, outputTokens: 3 },
    });
    await journal.commitReply({
      stepId: parseStep("1.2"),
      after: message,
      message: new AIMessage({ id: "m2", content: "" }),
      calls: [],
    });
    expect(journal.findReply(parseStep("1.1"))?.message).toBe(message);
    expect(journal.findReply(parseStep("1.3"))).toBeUndefined();

    const store2 = await reopened(store);
    const again = store2.readJournal("calm-fox-0001");
    expect(again.findReply(parseStep("1.1"))).toEqual({ message, calls });
    expect(again.findReply(parseStep("1.2"))?.calls).toEqual([]);
    expect(again.callCount()).toBe(3);
    expect(again.call("c2")).toEqual(unknown);
    expect(again.openCalls().map((call) => call.callId)).toEqual(["c1", "c3"]);
    expect(store2.sessions.get("calm-fox-0001")).toMatchObject({ inputTokens: 10, outputTokens: 3 });
  });

  test("a step has one reply, a call id one call, and a call begins as pending or error", async () => {
    const { journal } = await drive(await open({ file: place() }));
    await commitCalls(journal, "1.1", [pendingCall("c1")]);
    await expect(commitCalls(journal, "1.1", [pendingCall("c2")])).rejects.toThrow(StaleMove);
    await expect(commitCalls(journal, "1.2", [pendingCall("c2"), pendingCall("c1")])).rejects.toThrow(StaleMove);
    await expect(commitCalls(journal, "1.3", [executing(pendingCall("c3"))])).rejects.toThrow(IllegalMove);
    expect(journal.allCalls().map((call) => call.callId)).toEqual(["c1"]);
    expect(journal.findReply(parseStep("1.2"))).toBeUndefined();
  });

  test("arguments that cannot be stored refuse the whole reply", async () => {
    const { journal } = await drive(await open({ file: place() }));
    const bad = pendingCall("c1", { arguments: { n: 1n as unknown as number } });
    const message = new AIMessage({ id: "m", content: "x" });
    await expect(
      journal.commitReply({ stepId: parseStep("1.1"), after: undefined, message, calls: [bad] }),
    ).rejects.toMatchObject({
      kind: "unserialisable",
    });
    expect(journal.findReply(parseStep("1.1"))).toBeUndefined();
    expect(journal.events()).toEqual([]);
  });
});

describe.each(places)("moves, %s", (_where, place) => {
  test("a call's whole life is on disk, in order, each event naming what it brought", async () => {
    const { journal, store } = await drive(await open({ file: place(), clock: ticking(100) }));
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
    const { journal } = await drive(await open({ file: place() }));
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
    const { journal } = await drive(await open({ file: place() }));
    const call = pendingCall("c1");
    await commitCalls(journal, "1.1", [call]);
    const other = pendingCall("c1", more);
    await expect(journal.move([{ before: other, after: executing(other) }])).rejects.toThrow(StaleMove);
    expect(journal.call("c1")).toEqual(call);
  });

  test("a move that the table does not have is refused, and so is one that makes another call of it", async () => {
    const { journal } = await drive(await open({ file: place() }));
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
    const { journal } = await drive(await open({ file: place() }));
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

describe.each(places)("what policy said, %s", (_where, place) => {
  const verdict = {
    decision: "allow",
    risk: "low",
    rule: { source: "user", file: "/h/policy.json", line: 3 },
    why: "ok",
  };
  const by = { actor: "policy", rule: "user" } as const;

  test("is kept with the move that it led to, until another one takes its place", async () => {
    const { journal, store } = await drive(await open({ file: place() }));
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
    const { journal, store } = await drive(await open({ file: place() }));
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
    const { journal } = await drive(await open({ file: place() }));
    const [one, two] = [pendingCall("c1", { effect: "once" }), pendingCall("c2", { effect: "once" })];
    await commitCalls(journal, "1.1", [one, two]);
    await journal.noteVerdicts([{ callId: "c1", by, risk: "low", effect: "none", verdict }]);
    expect(journal.call("c1")).toMatchObject({ status: "pending", effect: "none" });
    const after = advance(two, { status: "executing", effect: "none" });
    await expect(journal.move([{ before: two, after }])).rejects.toThrow(IllegalMove);
    await journal.move([{ before: two, after, plan: { summary: "run ls", cwd: "/ws", command: "ls" } }]);
    expect(journal.call("c2")).toMatchObject({ status: "executing", effect: "none" });
  });

  test("is refused whole where one of the calls is not pending, or is another process's now", async () => {
    const { journal, store } = await drive(await open({ file: place() }));
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

  test.each([
    ["reads alone", pendingCall("c2"), 1],
    ["an effect too", waitingCall("c2"), 2],
  ])("of %s is committed like a move of them", async (_name, second, synchronous) => {
    const { journal } = await drive(await open({ file: place() }));
    await commitCalls(journal, "1.1", [pendingCall("c1"), second]);
    const exec = vi.spyOn(Driver.prototype, "exec");
    const row = { by, risk: "low", verdict } as const;
    await journal.noteVerdicts(["c1", "c2"].map((callId) => ({ callId, ...row })));
    const relaxed = exec.mock.calls.some(([sql]) => sql === "PRAGMA synchronous=NORMAL");
    exec.mockRestore();
    expect(relaxed ? 1 : 2).toBe(synchronous);
  });
});

describe("the end of a call", () => {
  test("is kept as data, with its images and attachments", async () => {
    const file = tempFile();
    const { journal, store } = await drive(await open({ file }));
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
    store.close();
    const again = await open({ file });
    expect(again.readJournal("calm-fox-0001").allCalls()).toEqual(ends);
    expect(again.verify("calm-fox-0001").problem).toBeUndefined();
  });

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
    const other = new Driver(file);
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

describe.each(places)("approvals, %s", (_where, place) => {
  test("an approval is spent once, and only for the digest it names", async () => {
    const { journal } = await drive(await open({ file: place() }));
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
    const { journal } = await drive(await open({ file: place() }));
    const agreed = await approved(journal);
    const running = executing(agreed);
    await journal.move([{ before: agreed, after: running, spend: digest }]);
    const undone = advance<"executing", "pending">(running, { status: "pending", attempt: 2 });
    await journal.move([{ before: running, after: undone, unspend: digest }]);
    await journal.move([{ before: undone, after: executing(undone), spend: digest }]);
    expect(journal.call("c1")).toMatchObject({ status: "executing", attempt: 2 });
  });

  test("an approval of a digest that is no longer the call's is refused with its move", async () => {
    const { journal } = await drive(await open({ file: place() }));
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
    const { journal } = await drive(await open({ file: place() }));
    const call = waitingCall();
    await commitCalls(journal, "1.1", [call]);
    const asked = ask(call);
    await journal.move([{ before: call, after: asked, plan }]);
    const edit: AnswerRow = { callId: "c1", digest, decision: "edit", arguments: { lc: 1 }, reason: "typo", at: 5 };
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
    const other = new Driver(file);
    expect(() => other.exec("UPDATE tool_call SET result = 'x'")).toThrow("a settled call never changes");
    expect(() => other.exec("UPDATE tool_call_event SET became = 'success'")).toThrow("append-only");
    expect(() => other.exec("DELETE FROM tool_call_event")).toThrow("goes only with its session");
    other.close();
  });

  test("an event that was changed behind the guards breaks the chain where it was", async () => {
    const { journal } = await drive(await open());
    const call = pendingCall("c1");
    await commitCalls(journal, "1.1", [call]);
    await begin(journal, call);
    const events = journal.events();
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
    const [old, again, fresh] = [1, 2, 3].map((byte) => new Uint8Array([byte])) as [Uint8Array, Uint8Array, Uint8Array];
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

  test("pruning gives the room back to the disk", async () => {
    const file = tempFile();
    const { journal, store } = await drive(await open({ file }));
    await keepAll(journal, "c1", [randomBytes(2_000_000)]);
    expect(await store.prune(Number.MAX_SAFE_INTEGER)).toEqual({ versions: 1, bytes: 2_000_000 });
    store.close();
    expect(statSync(file).size).toBeLessThan(500_000);
  });

  test.each(["x'02'", "x''"])("bytes that are no longer those are corruption: %s", async (broken) => {
    for (const content of [new Uint8Array([1]), new Uint8Array(1_000)]) {
      const file = tempFile();
      const { journal } = await drive(await open({ file }));
      await keepAll(journal, "c1", [content]);
      const other = new Driver(file);
      other.exec(`UPDATE kept_bytes SET bytes = ${broken}`);
      other.close();
      expect(() => journal.bytesOf(sha256(content))).toThrowError(expect.objectContaining({ kind: "corrupt" }));
    }
  });
});
