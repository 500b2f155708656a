import { HumanMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import { historyOf } from "../../src/records/history.ts";
import type { Journal } from "../../src/store/types.ts";
import { commitCalls, drive, open, pendingCall } from "../store/support.ts";

/** u1, a step of two calls, one without; u2, one of three calls; u3 is only queued. */
async function conversation(): Promise<Journal> {
  const { journal } = await drive(await open());
  const say = (id: string, queued = false) =>
    journal.addTurn({ text: id, message: new HumanMessage({ id, content: id }), queued });
  await say("u1");
  await commitCalls(journal, "1.1", [pendingCall("c1"), pendingCall("c2")]);
  await commitCalls(journal, "1.2", []);
  await say("u2");
  await commitCalls(journal, "2.1", [pendingCall("c3"), pendingCall("c4"), pendingCall("c5")]);
  await say("u3", true);
  return journal;
}

const all = ["u1", "m-1.1", "c1", "c2", "m-1.2", "u2", "m-2.1", "c3", "c4", "c5"];

it.each([
  [undefined, all],
  [10, all],
  [9, all.slice(1)],
  // a step is told whole or not at all
  [8, all.slice(4)],
  [5, all.slice(5)],
  [4, all.slice(6)],
  [1, all.slice(6)],
])("of the last %s messages and calls is what was said, and how much came before", async (most, told) => {
  const { transcript, earlier } = historyOf(await conversation(), most);
  expect(transcript.map((entry) => (entry.role === "call" ? entry.call.callId : entry.id))).toEqual(told);
  expect(earlier).toBe(all.length - told.length);
});
