import { describe, expect, it } from "vitest";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import { type Chat, type ChatStep, newChat } from "../../../../src/cli/ui/chat/chat.ts";
import { press, pressHeld, refused, withEvents, withoutLeaving } from "../../../../src/cli/ui/chat/chat-state.ts";
import { withPainted } from "../../../../src/cli/ui/chat/out-of-sight.ts";
import { withFiles } from "../../../../src/cli/ui/composer/composer-state.ts";
import type { Screen } from "../../../../src/cli/ui/surface/surface.ts";
import { initialView } from "../../../../src/cli/ui/view/view.ts";
import type { AgentEventBody, UnsettledCall } from "../../../../src/graph/events.ts";
import { eventOf, fakeCall, fakeId, waitingEdit } from "../../../support/fake-session.ts";

const key = (name: Key["name"], more: Partial<Key> = {}): Key => ({
  name,
  ctrl: false,
  alt: false,
  shift: false,
  ...more,
});
const char = (text: string): Key => key("char", { text });
const ctrl = (text: string): Key => key("char", { text, ctrl: true });
const word = (text: string): Key[] => [...text].map(char);
const screen: Screen = { columns: 43, geometry: { total: 3, window: 10, columns: 80 } };

const idle = newChat(initialView({ session: "s1", workspace: "/w", model: "demo", mode: "ask", banner: [] }), [
  "before",
]);
const happened = (chat: Chat, ...bodies: AgentEventBody[]): Chat =>
  withEvents(
    chat,
    bodies.map((body) => eventOf(body)),
    0,
  );
const running = happened(idle, { type: "user_message", id: "u1", text: "go" });

const withInput = (chat: Chat, input: Chat["open"]["input"]): Chat => ({ ...chat, open: { ...chat.open, input } });

const keys = (chat: Chat, list: Key[], now = 10_000): ChatStep =>
  list.reduce<ChatStep>(
    (step, one) => {
      const next = press(step.chat, one, screen, now);
      return { chat: next.chat, effects: [...step.effects, ...next.effects] };
    },
    { chat, effects: [] },
  );

/** What waits comes back before, also where no event has told of it yet. */
const stopping = [{ do: "take_back" }, { do: "stop" }];

const asking = (chat: Chat): Chat => {
  const next = happened(chat, { type: "approval_requested", calls: [waitingEdit("c1")] });
  return withPainted(next, screen.geometry, 0);
};

const unsettledOf = (callId: string): UnsettledCall => ({
  session: fakeId,
  callId,
  toolName: "shell",
  arguments: { command: "make" },
  effect: "once",
  startedAt: "2026-11-21T09:00:00Z",
  known: "it was started; its end was not seen",
  choices: ["retry", "done", "cancel"],
});

describe("the input", () => {
  it("submits a line by Enter and is empty then", () => {
    const { chat, effects } = keys(idle, [...word("hello"), key("enter")]);
    expect(effects).toEqual([{ do: "submit", text: "hello", steer: false }]);
    expect(chat.open.input.buffer.text).toBe("");
  });

  it("submits nothing when there is nothing but blanks", () => {
    expect(keys(idle, [char(" "), key("enter"), key("enter")]).effects).toEqual([]);
  });

  it("takes line ends by Shift+Enter, Alt+Enter, Ctrl+J and a trailing backslash", () => {
    const ends: Key[][] = [
      [key("enter", { shift: true })],
      [key("enter", { alt: true })],
      [ctrl("j")],
      [char("\\"), key("enter")],
    ];
    const typed = ends.flatMap((end, index) => [...word(`l${index}`), ...end]);
    expect(keys(idle, [...typed, ...word("end"), key("enter")]).effects).toEqual([
      { do: "submit", text: "l0\nl1\nl2\nl3\nend", steer: false },
    ]);
  });

  it("sends a paste of many lines whole, though it shows a marker", () => {
    const text = Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n");
    const pasted = keys(idle, [key("paste", { text })]);
    expect(pasted.chat.open.input.buffer.text).toBe("[pasted 30 lines]");
    expect(keys(pasted.chat, [key("enter")]).effects).toEqual([
      { do: "submit", text, written: "\ufffc", steer: false },
    ]);
  });

  it("brings back earlier messages and keeps the draft", () => {
    const { chat } = keys(idle, [...word("dra"), key("up")]);
    expect(chat.open.input.buffer.text).toBe("before");
    expect(keys(chat, [key("down")]).chat.open.input.buffer.text).toBe("dra");
  });

  /** Once a name is begun the files' commands are looked for. */
  const looksFor = { do: "commands" } as const;

  it("completes a command by Tab and runs it by Enter", () => {
    const { effects } = keys(idle, [...word("/se"), key("tab"), key("enter")]);
    expect(effects).toEqual([looksFor, { do: "command", name: "sessions", argument: "" }]);
  });

  it("runs a command that is written out, also where another goes on from it", () => {
    expect(keys(idle, [...word("/mode"), key("enter")]).effects).toEqual([
      looksFor,
      { do: "command", name: "mode", argument: "" },
    ]);
    expect(keys(idle, [...word("/mod"), key("enter"), key("enter")]).effects).toEqual([
      looksFor,
      { do: "command", name: "model", argument: "" },
    ]);
  });

  it("knows the commands' aliases, and looks for a file's when there is no such command", () => {
    expect(keys(idle, [...word("/quit"), key("enter")]).effects).toEqual([
      looksFor,
      { do: "command", name: "exit", argument: "" },
    ]);
    const message = { text: "/nope it", steer: false };
    expect(keys(idle, [...word("/nope it"), key("enter")]).effects).toEqual([
      looksFor,
      { do: "look_up", name: "nope", isText: false, message },
    ]);
  });

  it("takes a path that begins with a slash as a message", () => {
    expect(keys(idle, [...word("/etc/hosts?"), key("enter")]).effects).toEqual([
      looksFor,
      { do: "submit", text: "/etc/hosts?", steer: false },
    ]);
  });

  it("asks for files after @, offers them, and puts the chosen one into the text", () => {
    const asked = keys(idle, word("see @sr"));
    expect(asked.effects.at(-1)).toEqual({ do: "complete", prefix: "sr" });
    const offered = withInput(asked.chat, withFiles(asked.chat.open.input, "sr", ["src/a.ts", "src/b.ts"]));
    const chosen = keys(offered, [key("down"), key("enter")]);
    expect(chosen.chat.open.input.buffer.text).toBe("see @src/b.ts ");
    expect(keys(chosen.chat, [key("enter")]).effects).toEqual([{ do: "submit", text: "see @src/b.ts", steer: false }]);
  });

  it("drops an answer about files that the person has typed past", () => {
    const asked = keys(idle, word("@sr")).chat;
    const later = keys(asked, word("c/x")).chat;
    expect(withFiles(later.open.input, "sr", ["src/a.ts"])).toBe(later.open.input);
  });

  it("goes round the modes by Shift+Tab, never to full-auto", () => {
    const { chat, effects } = keys(
      idle,
      [1, 2, 3, 4].map(() => key("tab", { shift: true })),
    );
    expect(effects).toEqual([
      { do: "mode", mode: "accept-edits", from: "ask" },
      { do: "mode", mode: "read-only", from: "accept-edits" },
      { do: "mode", mode: "plan", from: "read-only" },
      { do: "mode", mode: "ask", from: "plan" },
    ]);
    expect(chat.view.mode).toBe("ask");
  });
});

describe("stopping and leaving", () => {
  it("stops a running turn by Escape, and does nothing when none runs", () => {
    expect(keys(running, [key("escape")]).effects).toEqual(stopping);
    expect(keys(idle, [key("escape")]).effects).toEqual([]);
  });

  it("takes back what waits when it stops, so that the turn's end does not send it", () => {
    const waiting = happened(running, { type: "user_message", id: "u2", text: "later", queued: true });
    expect([keys(waiting, [key("escape")]).effects, keys(waiting, [ctrl("c")]).effects]).toEqual([stopping, stopping]);
    expect(keys(waiting, [...word("x"), ctrl("c")]).effects).toEqual([]);
    const failed = { ...waiting, view: { ...waiting.view, running: false } };
    expect(keys(failed, [key("escape")]).effects).toEqual([{ do: "take_back" }]);
  });

  it("takes back what waits, and does not stop, by Up on an empty line; else Up brings earlier messages", () => {
    const waiting = happened(running, { type: "user_message", id: "u2", text: "later", queued: true });
    expect(keys(waiting, [key("up")]).effects).toEqual([{ do: "take_back" }]);
    const back = happened(waiting, { type: "message_withdrawn", id: "u2" });
    expect(back.view.queue).toEqual([]);
    const { chat, effects } = keys(back, [key("up")]);
    expect([effects, chat.open.input.buffer.text]).toEqual([[], "before"]);
  });

  it("says that Ctrl-C again leaves as long as it does", () => {
    const { chat } = keys(idle, [ctrl("c")], 1000);
    expect(withoutLeaving(chat, 3000)).toBe(chat);
    expect(withoutLeaving(chat, 3001)).toMatchObject({ flash: "" });
    expect(withoutLeaving({ ...idle, flash: "something else" }, 9000).flash).toBe("something else");
  });

  it("leaves by a second Ctrl-C within two seconds, unless another key came in between", () => {
    const first = keys(idle, [ctrl("c")], 1000);
    expect(first).toMatchObject({ effects: [], chat: { flash: "ctrl+c again leaves; the session stays saved" } });
    expect(keys(first.chat, [ctrl("c")], 3000).effects).toEqual([{ do: "leave" }]);
    expect(keys(first.chat, [ctrl("c")], 3001).effects).toEqual([]);
    expect(keys(first.chat, [char("a"), key("backspace"), ctrl("c")], 1100).effects).toEqual([]);
    expect(keys(first.chat, [key("focus-out"), ctrl("c")], 1100).effects).toEqual([{ do: "leave" }]);
  });

  it("does nothing but clear a draft by Ctrl-C: the next one is the first of two", () => {
    const cleared = keys(keys(running, word("draft")).chat, [ctrl("c")], 1000);
    expect(cleared).toMatchObject({ effects: [], chat: { flash: "", open: { input: { buffer: { text: "" } } } } });
    const first = keys(cleared.chat, [ctrl("c")], 1100);
    expect(first.effects).toEqual(stopping);
    expect(keys(first.chat, [ctrl("c")], 1200).effects).toEqual([{ do: "leave" }]);
  });

  it("stops a running turn by Ctrl-C", () => {
    expect(keys(running, [ctrl("c")]).effects).toEqual(stopping);
  });

  it("leaves by Ctrl-D only when the draft is empty", () => {
    expect(keys(idle, [ctrl("d")]).effects).toEqual([{ do: "leave" }]);
    expect(keys(idle, [char("a"), ctrl("d")]).effects).toEqual([]);
  });
});

describe("a question over the input", () => {
  it("lets the keys of someone who is typing go into the draft, Enter among them deciding nothing", () => {
    const chat = asking(keys(running, word("also fi")).chat);
    const { chat: typed, effects } = keys(chat, [...word("x y"), key("enter"), key("tab"), key("escape")], 100);
    expect(effects).toEqual([]);
    expect(typed.open.input.buffer.text).toBe("also fix y");
  });

  it("gives the draft back when it is answered", () => {
    const chat = asking(keys(running, word("draft"), 0).chat);
    const step = keys(chat, [char("y")]);
    expect(step.effects).toEqual([
      {
        do: "answer",
        answers: [{ ref: fakeCall("c1"), decision: { decision: "approve", digest: "9f3c1122334455667788" } }],
      },
    ]);
    const after = happened(step.chat, { type: "decision", callId: "c1", decision: "approve", by: "person" });
    expect({ dialog: after.open.dialog, draft: after.open.input.buffer.text }).toEqual({
      dialog: undefined,
      draft: "draft",
    });
  });

  it("can be answered again when the same call is asked about anew after an answer", () => {
    const answered = keys(asking(running), [char("y")]).chat;
    expect(answered.open.dialog?.busy).toBe(true);
    const again = happened(
      answered,
      { type: "decision", callId: "c1", decision: "approve", by: "person" },
      { type: "approval_requested", calls: [waitingEdit("c1")] },
    );
    expect(again.open.dialog).toMatchObject({ ref: fakeCall("c1"), busy: false, armed: false, row: 0 });
  });

  it("takes what is typed while its answer is on its way as if it had come already", () => {
    const typed = keys(asking(running), [char("y"), ...word("and now three"), key("enter"), ...word("more")]);
    expect(typed.effects).toMatchObject([{ do: "answer" }]);
    expect(pressHeld(typed.chat, screen, 0)).toEqual({ chat: typed.chat, effects: [] });
    const answered = happened(typed.chat, { type: "decision", callId: "c1", decision: "approve", by: "person" });
    const step = pressHeld(answered, screen, 0);
    expect(step.effects).toEqual([{ do: "submit", text: "and now three", steer: true }]);
    expect(step.chat.open.input.buffer.text).toBe("more");
    expect(pressHeld(step.chat, screen, 0).effects).toEqual([]);
  });

  it("decides nothing by what was typed while its answer was on its way: not the next one, nor itself where that was refused", () => {
    const typed = keys(asking(running), [char("n"), ...word("yes"), key("enter")]).chat;
    const next = happened(
      typed,
      { type: "decision", callId: "c1", decision: "deny", by: "person" },
      { type: "approval_requested", calls: [waitingEdit("c2")] },
    );
    for (const chat of [next, refused(typed, fakeCall("c1"), "the file changed")]) {
      const step = pressHeld(chat, screen, 0);
      expect(step.effects).toEqual([]);
      expect(step.chat).toMatchObject({ held: [], open: { input: { buffer: { text: "yes" } } } });
    }
  });

  it("gives what was typed while its answer was on its way into the draft when it is set aside", () => {
    const aside = keys(asking(running), [char("y"), ...word("no"), key("enter"), ctrl("c")]);
    expect(aside.effects).toMatchObject([{ do: "answer" }, { do: "stop" }]);
    const step = pressHeld(aside.chat, screen, 0);
    expect(step.effects).toEqual([]);
    expect(step.chat.open.input.buffer.text).toBe("no");
  });

  it("is left as it is when it is only published once more", () => {
    const moved = keys(asking(running), [key("down")]).chat;
    expect(happened(moved, { type: "approval_requested", calls: [waitingEdit("c1")] }).open.dialog).toBe(
      moved.open.dialog,
    );
  });

  it("is set aside by Ctrl-C, which stops the turn, and comes back by Enter on an empty line", () => {
    const aside = keys(asking(running), [ctrl("c")]);
    expect(aside.effects).toEqual([{ do: "stop" }]);
    expect(aside.chat.flash).toContain("a new message cancels it");
    expect(keys(aside.chat, [char("y")]).effects).toEqual([]);
    const empty = keys(aside.chat, [key("enter")]);
    expect(empty.effects).toEqual([]);
    expect(keys(empty.chat, [key("enter"), char("n")]).effects).toEqual([]);
    const seen = withPainted(empty.chat, screen.geometry, 10_000);
    // An Enter that is held down brought it back, and must not answer it.
    expect(keys(seen, [key("enter"), key("enter")]).effects).toEqual([]);
    expect(keys(seen, [key("enter")], 11_000).effects).toMatchObject([{ do: "answer" }]);
    expect(keys(seen, [char("n")], 11_000).effects).toMatchObject([
      { do: "answer", answers: [{ decision: { decision: "deny" } }] },
    ]);
  });

  it("of a helper, beside which others work, is set aside with what waits taken back before the stop", () => {
    const beside = [{ do: "take_back", atWork: true }, { do: "stop" }];
    const queued = happened(running, { type: "user_message", id: "u2", text: "next", queued: true });
    const asked = happened(queued, {
      type: "approval_requested",
      calls: [waitingEdit("c1"), waitingEdit("c2", { agent: "helper 1" })],
    });
    const { chat, effects } = keys(withPainted(asked, screen.geometry, 0), [ctrl("c")]);
    expect(effects).toEqual(beside);
    expect(chat).toMatchObject({
      aside: true,
      flash: expect.stringContaining("stays waiting, or all end where another helper worked"),
    });
    const unsettled = happened(queued, {
      type: "recovery_requested",
      calls: [{ ...unsettledOf("c2"), agent: "helper 1" }],
    });
    expect(keys(withPainted(unsettled, screen.geometry, 0), [ctrl("c")]).effects).toEqual(beside);
  });

  it("takes a message of someone who set it aside", () => {
    const aside = keys(asking(running), [ctrl("c")]).chat;
    const said = keys(aside, [...word("no, else"), key("enter")]);
    expect(said.chat.aside).toBe(false);
    expect(keys(aside, [...word("/help"), key("enter")]).chat.aside).toBe(true);
    expect(said.effects).toEqual([{ do: "submit", text: "no, else", steer: false, instead: true }]);
  });

  it("asks about calls whose end was not seen first, with the focus on looking", () => {
    const chat = asking(happened(idle, { type: "recovery_requested", calls: [unsettledOf("c9")] }));
    expect({ dialog: chat.open.dialog, menu: chat.open.recovery?.ref.call }).toEqual({ dialog: undefined, menu: "c9" });
    if (chat.open.recovery === undefined) throw new Error("no menu");
    const shown = withPainted(chat, screen.geometry, 0);
    expect(keys(shown, [char("r")], 100).effects).toEqual([]);
    expect(keys(shown, [key("enter")]).effects).toEqual([]);
    expect(keys(shown, [key("paste", { text: "r" }), char("x")]).effects).toEqual([]);
    expect(keys(shown, [char("d")]).effects).toEqual([]);
    expect(keys(shown, [char("w")]).effects).toEqual([{ do: "recover", ref: fakeCall("c9"), choice: "done" }]);
    const settled = happened(shown, { type: "decision", callId: "c9", decision: "done", by: "person" });
    expect({ menu: settled.open.recovery, dialog: settled.open.dialog?.ref.call }).toEqual({
      menu: undefined,
      dialog: "c1",
    });
  });
});

it("joins the pieces of one message, so that a thousand cost one step", () => {
  const pieces = Array.from({ length: 1000 }, () => eventOf({ type: "text_delta", id: "a", text: "x" }));
  expect(withEvents(idle, pieces, 0).view.tail?.raw).toBe("x".repeat(1000));
});
