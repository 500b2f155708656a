import { describe, expect, it } from "vitest";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import type { Chat } from "../../../../src/cli/ui/chat/chat.ts";
import { press, withEvents } from "../../../../src/cli/ui/chat/chat-state.ts";
import { withPainted } from "../../../../src/cli/ui/chat/out-of-sight.ts";
import { turnTo } from "../../../../src/cli/ui/form/form-state.ts";
import type { AgentEventBody } from "../../../../src/graph/events.ts";
import { askedForm, eventOf, waitingEdit } from "../../../support/fake-session.ts";
import { draw, having, text } from "../../../support/frames.ts";

const keyOf = (name: string): Key => {
  const plain = { ctrl: false, alt: false, shift: false };
  return name.length === 1 ? { ...plain, name: "char", text: name } : { ...plain, name: name as Key["name"] };
};

/** A key on the screen as it was drawn just before. */
function pressed(chat: Chat, name: string, now: number) {
  const { screen } = draw(chat, 100, 30);
  return press(withPainted(chat, screen.geometry, now), keyOf(name), screen, now);
}

const typed = (chat: Chat, keys: readonly string[], from: number): Chat =>
  keys.reduce((before, key, at) => pressed(before, key, from + at * 80).chat, chat);

/** A server's question, in whose field something was typed. */
function inField(): Chat {
  const asked = askedForm({ fields: [{ kind: "text", name: "street", required: true }] });
  const chat = having({ type: "form_requested", callId: "c1", form: 1, asked });
  const { form } = chat.open;
  if (form === undefined) throw new Error("no form");
  const begun: Chat = { ...chat, open: { ...chat.open, form: turnTo({ ...form, armed: true }, 1) } };
  return typed(begun, [..."12 Rose"], 10_000);
}

/** A call's question, with a reason begun. */
function inReason(): Chat {
  const asked = having({ type: "approval_requested", calls: [waitingEdit("c1")] });
  const seen = pressed(asked, "down", 5_000).chat;
  const begun = typed(seen, ["r", ..."too"], 10_000);
  expect(begun.open.dialog?.stage).toBe("reason");
  return begun;
}

const takenBack = { type: "form_closed", callId: "c1", form: 1, action: "cancel", from: "small" } as const;
const answered = { type: "decision", callId: "c1", decision: "approve", by: "person" } as const;

describe.each<[string, () => Chat, AgentEventBody]>([
  ["a question that its server takes back", inField, takenBack],
  ["a call that somebody answers elsewhere", inReason, answered],
])("%s while one types", (_, begun, gone) => {
  it("takes what is typed on with it: no line of it becomes a message, until one has paused", () => {
    let chat = withEvents(begun(), [eventOf(gone)], 10_600);
    expect([chat.open.form, chat.open.dialog]).toEqual([undefined, undefined]);
    for (const [at, key] of [..." Lane", "enter"].entries()) {
      const step = pressed(chat, key, 10_700 + at * 300);
      expect(step.effects).toEqual([]);
      chat = step.chat;
    }
    expect(chat.flash).toMatch(/goes nowhere/);
    chat = typed(chat, [..."hi"], 20_000);
    expect(pressed(chat, "enter", 20_500).effects).toMatchObject([{ do: "submit", text: "hi" }]);
  });
});

it("the keys behind an answer of one's own are one's own", () => {
  const chat = inField();
  const { form } = chat.open;
  if (form === undefined) throw new Error("no form");
  const sent: Chat = { ...chat, open: { ...chat.open, form: { ...form, busy: true } } };
  const after = withEvents(sent, [eventOf({ ...takenBack, action: "accept" })], 10_600);
  expect(text(draw(pressed(after, "x", 10_700).chat, 100, 30).lines)).toContain("❯ x");
});
