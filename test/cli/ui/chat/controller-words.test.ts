import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { plainText } from "../../../../src/cli/terminal/span.ts";
import type { ChatController } from "../../../../src/cli/ui/chat/controller.ts";
import { control, controllerOf, key, say } from "../../../support/controlled-chat.ts";
import { openedAs, servicesWith } from "../../../support/fake-services.ts";
import { FakeSession, waitingEdit } from "../../../support/fake-session.ts";

function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

function chatOf(...given: Parameters<typeof controllerOf>): ChatController {
  const controller = controllerOf(...given);
  controller.start();
  onTestFinished(() => controller.stop());
  return controller;
}

/** What was heard, without the closing. */
const heardBy = (session: FakeSession) =>
  session.heard.flatMap((one) =>
    one.method === "close" ? [] : ["text" in one ? `${one.method} ${one.text}` : one.method],
  );

const shown = (controller: ChatController): string => controller.drawing.frame.lines.map(plainText).join("\n");

const noticesOf = (controller: ChatController): string[] =>
  controller.view.items.flatMap((item) => (item.kind === "notice" ? [item.text] : []));

const restored = { messages: [], waiting: [], interrupted: [], model: "demo", workspace: "/home/ada/proj" };

it("shows the mode that holds where the person chose it before it was told what the session was", async () => {
  const session = new FakeSession();
  const controller = chatOf(session);
  session.emit({ type: "session_restored", mode: "ask", ...restored, title: "an older talk" });
  controller.key({ ...key("tab"), shift: true });
  await expect.poll(() => controller.view.title).toBe("an older talk");
  expect(controller.view.mode).toBe("accept-edits");
  expect(session.heard).toEqual([{ method: "setMode", mode: "accept-edits" }]);
});

it("shows the model that was chosen where the one before was told in the same moment", async () => {
  const session = new FakeSession();
  const controller = chatOf(session);
  session.emit({ type: "session_restored", mode: "ask", ...restored, title: "an older talk" });
  say(controller, "/model openai:other");
  await expect.poll(() => controller.view.title).toBe("an older talk");
  expect(noticesOf(controller)).toEqual(["the model is now openai:other"]);
  expect(controller.view.model).toBe("openai:other");
});

it("keeps the mode on the screen that goes along to another session", async () => {
  const next = new FakeSession("calm-heron-1a2b");
  next.emit({ type: "session_restored", mode: "ask", ...restored, title: "another talk" });
  const controller = chatOf(new FakeSession(), {
    options: { services: servicesWith({ sessions: { open: async () => openedAs(next) } }) },
  });
  controller.key({ ...key("tab"), shift: true });
  say(controller, "/sessions calm-heron-1a2b");
  await expect.poll(() => controller.view.title).toBe("another talk");
  expect(next.heard).toEqual([{ method: "setMode", mode: "accept-edits" }]);
  expect(controller.view.mode).toBe("accept-edits");
});

it("says of a message whether a question was on the screen when it was sent", async () => {
  const session = new FakeSession();
  const unasked: [string, boolean | undefined][] = [];
  session.submit = async (text: string, _pictures?: unknown, flag?: boolean) => void unasked.push([text, flag]);
  const controller = chatOf(session);
  say(controller, "typed before");
  session.emit({ type: "approval_requested", calls: [waitingEdit("c1")] });
  await expect.poll(() => controller.view.ask?.requests.length).toBe(1);
  controller.key(control("c"));
  say(controller, "instead of it");
  expect(unasked).toEqual([
    ["typed before", true],
    ["instead of it", false],
  ]);
});

it("takes back by Esc what the session is just being given, and stops what it may begin", async () => {
  const { opened, open } = gate();
  const session = new FakeSession();
  session.onHeard = ({ method }) => (method === "submit" ? opened : undefined);
  session.waiting = ["hello"];
  const controller = chatOf(session);
  say(controller, "hello");
  controller.key(key("escape"));
  expect(heardBy(session)).toEqual(["submit hello", "takeBack", "stop"]);
  open();
  await expect.poll(() => shown(controller)).toContain("❯ hello");
});

it("shows a message that waits for a command, and gives it back by Esc", async () => {
  const { opened, open } = gate();
  const session = new FakeSession();
  session.onHeard = ({ method }) => (method === "compact" ? opened : undefined);
  const controller = chatOf(session);
  say(controller, "/compact");
  session.emit({ type: "compaction_started", id: "k1", by: "person", contextUsed: 9_000 });
  await expect.poll(() => controller.view.compacting).toBe(true);
  say(controller, "and then this");
  await expect.poll(() => shown(controller)).toContain("after this command: and then this");
  controller.key(key("escape"));
  await expect.poll(() => shown(controller)).toContain("❯ and then this");
  open();
  await nextTurn();
  await nextTurn();
  expect(heardBy(session)).toEqual(["compact", "takeBack", "stop"]);
});

it("gives a message back that was meant for the session that a command did not lead to", async () => {
  const { opened, open } = gate();
  const session = new FakeSession();
  const taken = async () => {
    await opened;
    throw new Error("another process has it");
  };
  const controller = chatOf(session, { options: { services: servicesWith({ sessions: { open: taken } }) } });
  say(controller, "/sessions calm-heron-1a2b");
  say(controller, "go on here");
  open();
  await expect.poll(() => shown(controller)).toContain("❯ go on here");
  expect(noticesOf(controller)).toEqual([
    "another process has it",
    "your message was not sent: this is still the session before",
  ]);
  expect(heardBy(session)).toEqual([]);
});

it("sends a command of a file that is looked up before what was typed behind it, and gives it back by Esc until then", async () => {
  let { opened, open } = gate();
  const session = new FakeSession();
  const commands = async () => {
    await opened;
    return [{ name: "rv", text: "Reviews" }];
  };
  const remembered: string[] = [];
  const controller = chatOf(session, {
    options: { services: servicesWith({ folder: { commands } }) },
    remember: (text) => void remembered.push(text),
  });
  say(controller, "/rv one");
  say(controller, "then this");
  say(controller, "/Etc two");
  say(controller, "/nosuch three");
  say(controller, "and that");
  await expect.poll(() => shown(controller)).toContain(": /rv one");
  open();
  await expect.poll(() => heardBy(session)).toHaveLength(4);
  const texts = ["/rv one", "then this", "/Etc two", "and that"];
  expect(heardBy(session)).toEqual(texts.map((text) => `submit ${text}`));
  expect(remembered.toSorted()).toEqual(texts.toSorted());

  ({ opened, open } = gate());
  say(controller, "/rv five");
  controller.key(key("escape"));
  await expect.poll(() => shown(controller)).toContain("❯ /rv five");
  open();
  await nextTurn();
  await nextTurn();
  expect(heardBy(session)).not.toContain("submit /rv five");
});

it("gives a command back whose look-up fails, and sends what was typed behind it", async () => {
  const session = new FakeSession();
  const commands = () => Promise.reject(new Error("trust.json is no JSON"));
  const controller = chatOf(session, { options: { services: servicesWith({ folder: { commands } }) } });
  say(controller, "/rv one");
  say(controller, "then this");
  await expect.poll(() => heardBy(session)).toEqual(["submit then this"]);
  expect(shown(controller)).toContain("❯ /rv one");
  expect(noticesOf(controller)).toContain("trust.json is no JSON");
});

it("brings a message that the session refuses back in front of what was typed since", async () => {
  const { opened, open } = gate();
  const session = new FakeSession();
  session.onHeard = async () => {
    await opened;
    throw new Error("the disk is full");
  };
  const controller = chatOf(session);
  say(controller, "first");
  for (const one of "second") controller.key(key("char", one));
  open();
  await expect.poll(() => noticesOf(controller)).toEqual(["the disk is full"]);
  expect(shown(controller)).toMatch(/❯ first\n.*\n\s+second/);
});

it("sends nothing of what was typed for the program that gets the terminal, and keeps it", async () => {
  const { opened, open } = gate();
  const session = new FakeSession();
  const controller = chatOf(session, { suspend: () => opened });
  controller.key(control("z"));
  say(controller, "fg");
  await nextTurn();
  expect(heardBy(session)).toEqual([]);
  open();
  await expect.poll(() => shown(controller)).toContain("❯ fg");
  expect(heardBy(session)).toEqual([]);
});

it("keeps what was typed while the editor was on its way behind what was written in it", async () => {
  const { opened, open } = gate();
  const controller = chatOf(new FakeSession(), {
    edit: async (text) => {
      await opened;
      return `${text} and more`;
    },
  });
  for (const one of "a") controller.key(key("char", one));
  controller.key(control("g"));
  for (const one of "!?") controller.key(key("char", one));
  open();
  await expect.poll(() => shown(controller)).toContain("❯ a and more!?");
});

it("decides nothing at a question by keys that were meant for the editor, nor by the first ones after it", async () => {
  const { opened, open } = gate();
  let now = 0;
  const session = new FakeSession();
  const controller = chatOf(session, {
    options: { now: () => now },
    edit: async (text) => {
      await opened;
      return text;
    },
  });
  session.emit({ type: "approval_requested", calls: [waitingEdit("c1")] });
  await expect.poll(() => controller.view.ask?.requests.length).toBe(1);
  controller.painted();
  now = 1_000;
  controller.key(key("char", "o"));
  controller.key(key("char", "y"));
  controller.returned();
  open();
  await expect.poll(() => shown(controller)).toContain("the arguments are as before");
  controller.painted();
  now = 1_100;
  controller.key(key("char", "y"));
  expect(heardBy(session)).toEqual([]);
  now = 2_000;
  controller.key(key("char", "y"));
  expect(heardBy(session)).toEqual(["answer"]);
});

it("opens no list under the fingers of a person who writes on", async () => {
  const { opened, open } = gate();
  const row = { id: "calm-heron-1a2b", title: "a talk", workspace: "/home/ada/proj", state: "idle", updatedAt: 0 };
  const listed = { rows: [row], look: () => ({ words: "idle", waits: false, filesChanged: 0 }), all: false };
  const never = async () => Promise.reject(new Error("not asked for"));
  const shelf = async () => {
    await opened;
    return { list: async () => listed, rename: never, remove: never };
  };
  const controller = chatOf(new FakeSession(), { options: { services: servicesWith({ sessions: { shelf } }) } });
  say(controller, "/sessions");
  for (const one of "xy") controller.key(key("char", one));
  open();
  await expect.poll(() => shown(controller)).toContain("the list came while you were writing");
  expect(controller.drawing.frame.full).toBeUndefined();
  expect(shown(controller)).toContain("❯ xy");
});

it.each(["p", "o"])(
  "sends nothing of what is typed for the list of Ctrl+%s before that has come, until one has paused",
  async (letter) => {
    let now = 10_000;
    const { opened, open } = gate();
    const session = new FakeSession();
    const services = servicesWith({
      folder: { commands: () => opened.then(() => []) },
      about: { agents: () => opened.then(() => []) },
    });
    const controller = chatOf(session, { options: { services, now: () => now } });
    const type = (one: ReturnType<typeof key>): void => {
      now += 200;
      controller.key(one);
    };
    type(control(letter));
    for (const one of "undo") type(key("char", one));
    for (const _ of "twice") type(key("enter"));
    expect(heardBy(session)).toEqual([]);
    expect(shown(controller)).toMatch(/not sent, as the list[\s\S]*❯ undo/u);
    now += 1_000;
    type(key("enter"));
    open();
    await expect.poll(() => heardBy(session)).toEqual(["submit undo"]);
  },
);

it("keeps what is typed on where a question comes that the window is too small to show", async () => {
  let rows = 8;
  const session = new FakeSession();
  const controller = chatOf(session, { size: () => ({ columns: 100, rows }) });
  for (const one of "half a ") controller.key(key("char", one));
  session.emit({ type: "approval_requested", calls: [waitingEdit("c1")] });
  await expect.poll(() => controller.view.ask?.requests.length).toBe(1);
  say(controller, "sentence");
  rows = 30;
  controller.refresh();
  expect(shown(controller)).toContain("your draft is kept: “half a sentence”");
  expect(heardBy(session)).toEqual([]);
});

it("says what was not sent where the chat ends over a draft, or over a message that waited for a command", async () => {
  const written: string[] = [];
  const session = new FakeSession();
  session.onHeard = () => new Promise(() => undefined);
  const controller = controllerOf(session, { write: (rows) => written.push(...rows.map(plainText)) > 0 });
  controller.start();
  say(controller, "/compact");
  say(controller, "after it");
  for (const one of "half a word") controller.key(key("char", one));
  controller.stop();
  expect(written.join("\n")).toMatch(/not sent: after it\n(.*\n)?.*not sent: half a word/);
});

it("does not run for ever where the message that began it was taken back before its turn", async () => {
  const session = new FakeSession();
  session.waiting = ["hello"];
  const { opened, open } = gate();
  const controller = chatOf(session);
  controller.begin({ text: "hello", submitted: opened });
  expect(controller.view.running).toBe(true);
  controller.key(key("escape"));
  open();
  await expect.poll(() => controller.view.running).toBe(false);
  expect(shown(controller)).toContain("❯ hello");
});
