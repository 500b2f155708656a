import { expect, it } from "vitest";
import { controllerOf, key } from "../../../support/controlled-chat.ts";
import { FakeSession, waitingEdit } from "../../../support/fake-session.ts";

it("has the wider mode only where the answer that it came with counts", async () => {
  for (const [answer, mode] of [
    [async () => ({ ok: false, code: "stale", message: "the file changed" }), "ask"],
    [() => Promise.reject(new Error("the disk is full")), "ask"],
    [async () => ({ ok: true }), "accept-edits"],
  ] as const) {
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
    await expect.poll(() => session.heard.length).toBe(1);
    await expect.poll(() => controller.view.mode).toBe(mode);
    expect(session.heard).toMatchObject([
      { method: "answer", decision: { decision: "approve", mode: "accept-edits" } },
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

it("answers one of two questions by a key that is held down, and the other one by the next press", async () => {
  const session = new FakeSession();
  let now = 0;
  const controller = controllerOf(session, { options: { now: () => now } });
  const answered = () => session.heard.flatMap((one) => (one.method === "answer" ? [one.callId] : []));
  const yes = (at: number) => {
    now = at;
    controller.key(key("char", "y"));
    controller.painted();
  };
  controller.start();
  session.emit({ type: "approval_requested", calls: [waitingEdit("c1"), waitingEdit("c2")] });
  await expect.poll(() => controller.view.ask?.requests.length).toBe(2);
  controller.painted();
  yes(1_000);
  session.emit({ type: "decision", callId: "c1", decision: "approve", by: "person" });
  await expect.poll(answered).toEqual(["c1"]);
  await expect.poll(() => controller.view.ask?.requests.length).toBe(1);
  controller.painted();
  for (let at = 1_660; at < 3_000; at += 30) yes(at);
  expect(answered()).toEqual(["c1"]);
  yes(3_800);
  expect(answered()).toEqual(["c1", "c2"]);
  controller.stop();
});

it("answers no question of the next step by a key that is held down since the one before was answered", async () => {
  const session = new FakeSession();
  let now = 0;
  const controller = controllerOf(session, { options: { now: () => now } });
  const answered = () => session.heard.flatMap((one) => (one.method === "answer" ? [one.callId] : []));
  const at = (then: number, work: () => void) => {
    now = then;
    work();
    controller.painted();
  };
  const yes = () => controller.key(key("char", "y"));
  controller.start();
  session.emit({ type: "approval_requested", calls: [waitingEdit("c1")] });
  await expect.poll(() => controller.view.ask?.requests.length).toBe(1);
  controller.painted();
  at(1_000, yes);
  session.emit({ type: "decision", callId: "c1", decision: "approve", by: "person" });
  await expect.poll(() => controller.view.ask).toBeUndefined();
  at(1_050, () => session.emit({ type: "approval_requested", calls: [waitingEdit("c2")] }));
  await expect.poll(() => controller.view.ask?.requests.length).toBe(1);
  controller.painted();
  for (let then = 1_660; then < 3_000; then += 30) at(then, yes);
  expect(answered()).toEqual(["c1"]);
  at(3_800, yes);
  expect(answered()).toEqual(["c1", "c2"]);
  controller.stop();
});
