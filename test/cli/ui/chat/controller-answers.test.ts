import { expect, it } from "vitest";
import { controllerOf, key } from "../../../support/controlled-chat.ts";
import { FakeSession, waitingEdit } from "../../../support/fake-session.ts";

it("takes the wider mode back where the answer that came with it does not count, and where it fails", async () => {
  for (const answer of [
    async () => ({ ok: false, code: "stale", message: "the file changed" }),
    () => Promise.reject(new Error("the disk is full")),
  ]) {
    const session = new FakeSession();
    session.onHeard = async ({ method }) => {
      if (method === "answer") session.outcome = (await answer()) as typeof session.outcome;
    };
    const controller = controllerOf(session);
    controller.start();
    session.emit({ type: "approval_requested", calls: [waitingEdit("c1", { mode: "accept-edits" })] });
    await expect.poll(() => controller.view.ask?.requests.length).toBe(1);
    controller.painted();
    controller.painted();
    controller.key(key("char", "m"));
    controller.key(key("enter"));
    await expect.poll(() => controller.view.mode).toBe("ask");
    expect(session.heard.map((heard) => (heard.method === "setMode" ? heard.mode : heard.method))).toEqual([
      "accept-edits",
      "answer",
      "ask",
    ]);
    controller.stop();
  }
});

it("sends what is typed while an answer is on its way once that counts", async () => {
  const session = new FakeSession();
  const controller = controllerOf(session);
  controller.start();
  session.emit({ type: "user_message", id: "u1", text: "go" });
  session.emit({ type: "approval_requested", calls: [waitingEdit("c1")] });
  await expect.poll(() => controller.view.ask?.requests.length).toBe(1);
  controller.painted();
  for (const one of "yand now three") controller.key(key("char", one));
  controller.key(key("enter"));
  expect(session.heard.map(({ method }) => method)).toEqual(["answer"]);
  session.emit({ type: "decision", callId: "c1", decision: "approve", by: "person" });
  await expect.poll(() => session.heard.at(-1)).toEqual({ method: "steer", text: "and now three" });
  controller.stop();
});
