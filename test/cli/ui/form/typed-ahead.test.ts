import { expect, it } from "vitest";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import type { Chat } from "../../../../src/cli/ui/chat/chat.ts";
import { press } from "../../../../src/cli/ui/chat/chat-state.ts";
import { withPainted } from "../../../../src/cli/ui/chat/out-of-sight.ts";
import { calmMs } from "../../../../src/cli/ui/question/arming.ts";
import { askedForm } from "../../../support/fake-session.ts";
import { draw, filling, having } from "../../../support/frames.ts";

const keyOf = (name: string): Key => {
  const plain = { ctrl: false, alt: false, shift: false };
  return name.length === 1 ? { ...plain, name: "char", text: name } : { ...plain, name: name as Key["name"] };
};

/** A key on the screen as it was drawn just before. */
function pressed(chat: Chat, name: string, now: number) {
  const { screen } = draw(chat, 100, 30);
  return press(withPainted(chat, screen.geometry, now), keyOf(name), screen, now);
}

it("keys typed ahead of what goes out send nothing; once it was looked at, one does", () => {
  let { chat } = pressed(filling(6), "enter", 10_000);
  for (const [at, key] of ["y", "n", "escape", "y"].entries()) {
    const step = pressed(chat, key, 10_100 + at * 100);
    expect([key, step.effects]).toEqual([key, []]);
    chat = step.chat;
  }
  expect(pressed(chat, "y", 10_400 + calmMs).effects).toMatchObject([
    {
      do: "fill",
      answer: { action: "accept", content: { hours: 8, urgent: false, team: "t1", labels: ["bug", "ui"] } },
    },
  ]);
});

it("an Esc that is held down goes back to what is asked, and leaves nothing without an answer", () => {
  let chat = filling(2);
  for (let at = 0; at < 30; at += 1) {
    const step = pressed(chat, "escape", 10_000 + at * 30);
    expect(step.effects).toEqual([]);
    chat = step.chat;
  }
  expect(chat.open.form?.page).toBe(0);
});

it("a long question is read to its end before one goes on: no yes goes to words that were never on the screen", () => {
  const message = `Shall I go on?\n${"so it is\n".repeat(60)}and remove all that there is?`;
  const asked = askedForm({ message, fields: [] });
  const chat = having({ type: "form_requested", callId: "c1", form: 1, asked });
  let { chat: now } = pressed(chat, "x", 10_000);
  for (const [at, key] of ["f", "enter"].entries()) now = pressed(now, key, 12_000 + at * 1_000).chat;
  expect(now.open.form).toMatchObject({ page: 0, note: expect.stringContaining("not on the screen yet") });
  for (let at = 0; at < 20; at += 1) now = pressed(now, " ", 14_000 + at).chat;
  expect(pressed(now, "f", 15_000).chat.open.form?.page).toBe(1);
});
