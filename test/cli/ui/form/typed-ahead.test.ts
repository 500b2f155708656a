import { describe, expect, it } from "vitest";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import type { Chat } from "../../../../src/cli/ui/chat/chat.ts";
import { press, refused } from "../../../../src/cli/ui/chat/chat-state.ts";
import { withPainted } from "../../../../src/cli/ui/chat/out-of-sight.ts";
import { turnTo } from "../../../../src/cli/ui/form/form-state.ts";
import { calmMs } from "../../../../src/cli/ui/question/arming.ts";
import type { FormRef } from "../../../../src/session/open-forms.ts";
import { askedForm } from "../../../support/fake-session.ts";
import { draw, filling, having, text } from "../../../support/frames.ts";

const keyOf = (name: string): Key => {
  const plain = { ctrl: false, alt: false, shift: false };
  return name.length === 1 ? { ...plain, name: "char", text: name } : { ...plain, name: name as Key["name"] };
};

/** A key on the screen as it was drawn just before. */
function pressed(chat: Chat, name: string, now: number, columns = 100, rows = 30) {
  const { screen } = draw(chat, columns, rows);
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

describe("a field", () => {
  const rules = (count: number) => Array.from({ length: count }, (_, at) => `rule ${at + 1}`).join("\n");
  const atFirst = (count: number): Chat => {
    const filled = { required: true, default: "no end to what stands here ".repeat(8), description: rules(count) };
    const fields = [
      { kind: "text" as const, name: "first", ...filled },
      { kind: "number" as const, name: "second", isWhole: true, required: true, default: 7 },
    ];
    const asked = askedForm({ fields });
    const chat = having({ type: "form_requested", callId: "c1", form: 1, asked });
    const { form } = chat.open;
    if (form === undefined) throw new Error("no form");
    return { ...chat, open: { ...chat.open, form: turnTo({ ...form, armed: true }, 1) } };
  };

  it.each([
    ["enter", 42, 10],
    ["tab", 60, 20],
  ] as const)("is not passed by %s at %i x %i before every line of it was on the screen", (key, columns, rows) => {
    const at = (chat: Chat, name: string, now: number) => pressed(chat, name, now, columns, rows).chat;
    let chat = at(atFirst(30), key, 10_000);
    expect(chat.open.form).toMatchObject({ page: 1, note: expect.stringMatching(/^not on the screen yet: .*; pgdn/u) });
    expect(text(draw(chat, columns, rows).lines)).toMatch(/› not on the screen yet[\s\S]*enter/u);
    for (let times = 0; times < 40; times += 1) chat = at(chat, "pagedown", 11_000 + times);
    expect(at(chat, key, 12_000).open.form?.page).toBe(2);
  });

  it("is not passed by a key that was typed ahead of it", () => {
    const { screen } = draw(atFirst(2), 100, 30);
    const painted = withPainted(atFirst(2), screen.geometry, 10_000);
    let chat = press(painted, keyOf("enter"), screen, 10_000).chat;
    for (const [at, key] of ["enter", "tab", "enter"].entries())
      chat = press(chat, keyOf(key), screen, 10_001 + at).chat;
    expect(chat.open.form?.page).toBe(2);
    expect(pressed(chat, "enter", 10_010).chat.open.form?.page).toBe(3);
  });
});

it("what did not count is said at the very question it was an answer to, not at the next one of the same call", () => {
  const chat = having(
    { type: "form_requested", callId: "c1", form: 1, asked: askedForm() },
    { type: "form_closed", callId: "c1", form: 1, action: "cancel", from: "hub" },
    { type: "form_requested", callId: "c1", form: 2, asked: askedForm() },
  );
  const { form } = chat.open;
  if (form === undefined) throw new Error("no form");
  const busy: Chat = { ...chat, open: { ...chat.open, form: { ...form, busy: true } } };
  const after = (number: number) => {
    const ref: FormRef = { ...form.ref, form: number };
    return refused(busy, ref, "it is too late").open.form;
  };
  expect(after(1)).toMatchObject({ busy: true, note: "" });
  expect(after(2)).toMatchObject({ busy: false, note: "it is too late" });
});
