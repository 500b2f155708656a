import { expect, it } from "vitest";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import type { ChatOptions } from "../../../../src/cli/ui/chat/chat-options.ts";
import { ChatController } from "../../../../src/cli/ui/chat/controller.ts";
import { FakeSession, waitingEdit } from "../../../support/fake-session.ts";

const key = (name: Key["name"], text?: string): Key => ({
  name,
  ctrl: false,
  alt: false,
  shift: false,
  ...(text === undefined ? {} : { text }),
});

/** A clock that goes on by a second each time: what is painted is armed by the next key. */
function controllerOf(session: FakeSession): ChatController {
  let time = 0;
  const options = { session, env: {}, model: "demo", mode: "ask", now: () => (time += 1_000) };
  return new ChatController({
    options: options as unknown as ChatOptions,
    history: [],
    banner: [],
    size: () => ({ columns: 100, rows: 30 }),
    brackets: false,
    write: () => true,
    isLent: () => false,
    edit: async () => undefined,
    suspend: async () => undefined,
    remember: () => undefined,
    entitle: () => undefined,
    tell: () => undefined,
    call: () => undefined,
    left: () => undefined,
    failed: (error) => expect.fail(String(error)),
  });
}

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
