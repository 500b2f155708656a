import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { IllegalMove, type ToolCallInfo } from "../../../src/core/call.ts";
import { parseStep } from "../../../src/core/step-id.ts";
import { StaleMove } from "../../../src/store/types.ts";
import { commitCalls, drive, executing, pendingCall } from "../support.ts";
import type { Backend } from "./backend.ts";

/** The person's words, the model's replies and what they took. */
export function turnsAndReplies({ open, reopened }: Backend): void {
  describe("turns", () => {
    test("a prompt is a turn, numbered from 1, and its message comes back as the same object", async () => {
      const { journal, store } = await drive(await open());
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
      const { journal } = await drive(await open());
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
    const { store, journal } = await drive(await open({ clock: () => now }));
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

  describe("replies", () => {
    test("a reply and its calls are found again by their step, in the order of the message", async () => {
      const { journal, store } = await drive(await open());
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
      const { journal } = await drive(await open());
      await commitCalls(journal, "1.1", [pendingCall("c1")]);
      await expect(commitCalls(journal, "1.1", [pendingCall("c2")])).rejects.toThrow(StaleMove);
      await expect(commitCalls(journal, "1.2", [pendingCall("c2"), pendingCall("c1")])).rejects.toThrow(StaleMove);
      await expect(commitCalls(journal, "1.3", [executing(pendingCall("c3"))])).rejects.toThrow(IllegalMove);
      expect(journal.allCalls().map((call) => call.callId)).toEqual(["c1"]);
      expect(journal.findReply(parseStep("1.2"))).toBeUndefined();
    });

    test("arguments that cannot be stored refuse the whole reply", async () => {
      const { journal } = await drive(await open());
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
}
