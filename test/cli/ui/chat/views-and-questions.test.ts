import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import { newAgentList } from "../../../../src/cli/ui/agents/agents-state.ts";
import type { Chat } from "../../../../src/cli/ui/chat/chat.ts";
import { openedOn } from "../../../../src/cli/ui/chat/chat-effects.ts";
import { press, pressHeld } from "../../../../src/cli/ui/chat/chat-state.ts";
import type { ChatController } from "../../../../src/cli/ui/chat/controller.ts";
import { disarmed, withPainted } from "../../../../src/cli/ui/chat/out-of-sight.ts";
import { newJobList } from "../../../../src/cli/ui/jobs/jobs-state.ts";
import { newPicker } from "../../../../src/cli/ui/picker/picker-state.ts";
import { newRewinding, withTakeBack } from "../../../../src/cli/ui/rewind/rewind-state.ts";
import { ruleOpening } from "../../../../src/cli/ui/rule/rule-surface.ts";
import { control, controllerOf, key, say } from "../../../support/controlled-chat.ts";
import { servicesWith } from "../../../support/fake-services.ts";
import { FakeSession, waitingEdit } from "../../../support/fake-session.ts";
import { draw, having, idle } from "../../../support/frames.ts";

const offer = { line: "", times: 3, text: "+ one\n+ two", file: "policy.json", write: async () => undefined };
const ask = { type: "approval_requested" as const, calls: [waitingEdit("c1")] };

type Views = Omit<Chat["open"], "input">;

const job = { ref: { session: "s", call: "c1" }, command: "sleep 9", runs: true, startedAt: 0, said: "" };
const agent = {
  ...{ session: "s@1", agent: "explorer 1", call: "c1", task: "look", state: "running" as const, mark: "" },
  ...{ steps: 0, inputTokens: 0, outputTokens: 0, filesChanged: 0 },
};
const row = { id: "s1", title: "a talk", workspace: "/w", state: "idle", updatedAt: 0 };
const look = () => ({ words: "done", waits: false, filesChanged: 0 });
const points = [{ turn: 0, text: "say", files: ["/w/a"], calls: ["c0"] }];
const going = withTakeBack({ ...newRewinding(points), chosen: true }, 0, { calls: ["c0"], left: [] });

/** Each view in which a key decides, one key before that. */
const views: Record<string, { open: Views; by: string; does: string }> = {
  jobs: { open: { jobs: { ...newJobList([job], 0), stopping: true } }, by: "y", does: "stop_job" },
  agents: { open: { agents: { ...newAgentList([agent], 0), stopping: true } }, by: "y", does: "stop_agent" },
  picker: {
    open: { picker: { ...newPicker({ rows: [row], look, present: "s9", all: false }), removing: true } },
    ...{ by: "y", does: "remove" },
  },
  rule: {
    open: { rule: ruleOpening(offer, "/w").first({ now: 0, present: "s" }).state },
    ...{ by: "y", does: "write_rule" },
  },
  rewind: { open: { rewind: going }, by: "t", does: "rewind" },
};
const each = Object.entries(views).map(([name, view]) => ({ name, ...view }));

const screenOf = (chat: Chat) => draw(chat, 100, 30).screen;
const over = (chat: Chat, open: Views): Chat => ({ ...chat, open: { ...chat.open, ...open } });
const painted = (chat: Chat, now: number): Chat => withPainted(chat, screenOf(chat).geometry, now);
const effectsOf = (chat: Chat, text: string, now: number): string[] =>
  press(chat, key("char", text), screenOf(chat), now).effects.map((effect) => effect.do);

describe.each(each)("a key that decides in $name", ({ open, by, does }) => {
  it("does where it was seen", () => {
    expect(effectsOf(painted(over(idle, open), 0), by, 5_000)).toEqual([does]);
  });

  it("does nothing once a question was in front of it", () => {
    const { dialog } = having(ask).open;
    const { open: before } = painted(over(idle, open), 0);
    const covered = painted(over(having(ask), { ...before, dialog }), 100);
    expect(effectsOf(over(idle, { ...covered.open, dialog: undefined }), by, 9_000)).toEqual([]);
  });

  it("does nothing once it was out of sight", () => {
    expect(effectsOf(disarmed(painted(over(idle, open), 0), 100), by, 9_000)).toEqual([]);
  });

  it("has nowhere to fall where a question is in front: it is not opened, which is said", () => {
    const opened = openedOn(having(ask), open);
    expect(Object.keys(open).every((name) => opened.open[name as keyof Views] === undefined)).toBe(true);
    expect(opened.view.items.at(-1)).toMatchObject({ text: "a question came before the list, which was not opened" });
    const aside = openedOn({ ...having(ask), aside: true }, open);
    expect(aside.open).toMatchObject(open);
  });

  it("goes into the draft where it was typed while an answer was on its way", () => {
    const held: Chat = { ...painted(over(idle, open), 0), held: [key("char", by)] };
    const { chat, effects } = pressHeld(held, screenOf(held), 9_000);
    expect(effects).toEqual([]);
    expect(chat.open.input.buffer.text).toBe(by);
  });
});

function chatOf(...given: Parameters<typeof controllerOf>): ChatController {
  const controller = controllerOf(...given);
  controller.start();
  onTestFinished(() => controller.stop());
  return controller;
}

const type = (controller: ChatController, text: string): void => {
  for (const one of text) controller.key(key("char", one) as Key);
};

it("writes no rule by the key that answers the question which came before the rule", async () => {
  let come: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    come = resolve;
  });
  const written: string[] = [];
  const ruleOffer = async () => {
    await asked;
    return { ...offer, write: async () => void written.push(offer.file) };
  };
  const session = new FakeSession();
  const controller = chatOf(session, { options: { services: servicesWith({ about: { ruleOffer } }) } });
  say(controller, "/suggest");
  session.emit({ type: "user_message", id: "u1", text: "go" });
  session.emit(ask);
  await expect.poll(() => controller.view.ask?.requests.length).toBe(1);
  controller.painted();
  come();
  await nextTurn();
  controller.painted();
  type(controller, "yy");
  session.emit({ type: "decision", callId: "c1", decision: "approve", by: "person" });
  await expect.poll(() => controller.view.ask).toBeUndefined();
  controller.painted();
  type(controller, "yy");
  await nextTurn();
  expect(written).toEqual([]);
  expect(session.heard.map(({ method }) => method)).toEqual(["answer"]);
});

it("writes no rule that a window which is too small has hidden, before it was seen anew", async () => {
  let rows = 30;
  const written: string[] = [];
  const ruleOffer = async () => ({ ...offer, write: async () => void written.push(offer.file) });
  const services = servicesWith({ about: { ruleOffer } });
  const controller = chatOf(new FakeSession(), { size: () => ({ columns: 100, rows }), options: { services } });
  say(controller, "/suggest");
  await expect.poll(() => controller.drawing.frame.full).toBeDefined();
  controller.painted();
  type(controller, "j");
  for (const size of [8, 30]) {
    rows = size;
    controller.refresh();
    if (size === 8) controller.painted();
  }
  type(controller, "y");
  await nextTurn();
  expect(written).toEqual([]);
  controller.painted();
  type(controller, "y");
  await expect.poll(() => written).toHaveLength(1);
});

it("opens the list of helpers over a draft by its key, and the draft stays", async () => {
  const services = servicesWith({ about: { agents: async () => [agent] } });
  const controller = chatOf(new FakeSession(), { options: { services } });
  type(controller, "half a sentence");
  controller.key(control("o"));
  await expect.poll(() => controller.drawing.frame.full).toBeDefined();
  controller.key(key("escape"));
  type(controller, "!");
  expect(
    controller.drawing.frame.lines
      .flat()
      .map(({ text }) => text)
      .join(""),
  ).toContain("half a sentence!");
  // Who types on is not interrupted.
  controller.key(control("o"));
  type(controller, "x");
  await nextTurn();
  expect(controller.drawing.frame.full).toBeUndefined();
});
