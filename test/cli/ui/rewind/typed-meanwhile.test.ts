import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { plainText } from "../../../../src/cli/terminal/span.ts";
import { control, controllerOf, key, say } from "../../../support/controlled-chat.ts";
import { openedAs, servicesWith } from "../../../support/fake-services.ts";
import { FakeSession, waitingEdit } from "../../../support/fake-session.ts";
import { ctrlC, enter, openPlain, typed } from "../../../support/plain-chat.ts";

/*
 * What is typed from the choice of a rewind until its undo has ended and the talk is forked: none of it is lost, and none goes to the
 * session that is left without a word.
 */

const ctrlD = control("d");
const calls = { success: 0, error: 0, cancelled: 0, interrupted: 0 };
const asks = { type: "approval_requested" as const, calls: [waitingEdit("c9")] };
const begins = { type: "user_message", id: "u9", text: "/undo c1" } as const;
const approved = { type: "decision", callId: "c9", decision: "approve", by: "person" } as const;
const undone = { type: "turn_ended", reason: "done", exitCode: 0, calls: { ...calls, success: 1 } } as const;
const denied = { type: "turn_ended", reason: "cancelled", exitCode: 130, calls: { ...calls, cancelled: 1 } } as const;

/** A session with one message, and the fork that a rewind before it leads to. */
function rewindable(left: string[] = []) {
  const session = new FakeSession();
  const fork = new FakeSession("calm-heron-1a2b");
  onTestFinished(async () => void (await Promise.all([session.close(), fork.close()])));
  const door = { isAsked: false, opened: Promise.resolve() };
  // Since an earlier process too.
  const isUnderWay = { was: false };
  const services = servicesWith({
    sessions: {
      open: async () => {
        door.isAsked = true;
        await door.opened;
        return openedAs(fork);
      },
    },
    rewind: {
      points: async () => [{ turn: 0, text: "write b", files: ["/w/b"], calls: ["c1"] }],
      look: async () => ({ calls: ["c1"], left }),
      isUnderWay: async (id) =>
        id === session.id && (isUnderWay.was || session.heard.some(({ method }) => method === "undo")),
      to: async ({ turn }) => ({ turn, fork: fork.id }),
      finish: async (id) => (id === session.id ? { draft: "write b", id: fork.id } : undefined),
    },
  });
  return { session, fork, services, door, isUnderWay };
}

/** The other session is opened when this is called, or cannot be, for that reason. */
function closedDoor(door: { opened: Promise<void> }): (why?: Error) => void {
  let open = (_: Promise<void>): void => undefined;
  door.opened = new Promise((resolve) => {
    open = resolve;
  });
  return (why) => open(why === undefined ? Promise.resolve() : Promise.reject(why));
}

const saidTo = (session: FakeSession): string[] =>
  session.heard.flatMap((one) => ("text" in one ? [`${one.method} ${one.text}`] : []));

describe("in the drawn chat", () => {
  function open(left?: string[]) {
    const { session, fork, services, door, isUnderWay } = rewindable(left);
    const controller = controllerOf(session, { options: { services } });
    controller.start();
    onTestFinished(() => controller.stop());
    const notices = () => controller.view.items.flatMap((item) => (item.kind === "notice" ? [item.text] : []));
    const shown = (): string => controller.drawing.frame.lines.map(plainText).join("\n");
    const begun = () => expect.poll(() => session.heard.some(({ method }) => method === "undo")).toBe(true);
    return { session, fork, door, isUnderWay, controller, notices, shown, begun };
  }

  it("it goes to the fork, in its order: behind the command, and once the question is answered", async () => {
    const { session, fork, controller, notices, begun } = open();
    say(controller, "/rewind 1 both");
    say(controller, "first words");
    await begun();
    session.emit(begins, asks);
    await expect.poll(() => controller.view.ask?.requests.length).toBe(1);
    session.emit(approved);
    await expect.poll(() => controller.view.ask).toBeUndefined();
    say(controller, "second words");
    await nextTurn();
    expect(saidTo(session)).toEqual([]);
    session.emit(undone);
    await expect.poll(() => saidTo(fork)).toHaveLength(2);
    expect(saidTo(fork).map((one) => one.replace(/^\w+ /u, ""))).toEqual(["first words", "second words"]);
    expect([saidTo(session), notices().filter((text) => text.includes("not sent"))]).toEqual([[], []]);
  });

  it.each([
    ["the undo is denied", () => undefined],
    ["the undo is refused", (session: FakeSession) => (session.undoOutcome = { ok: false, message: "nothing there" })],
  ])("it comes back into the input where %s", async (_, set) => {
    const { session, fork, controller, notices, shown, begun } = open();
    set(session);
    say(controller, "/rewind 1 both");
    say(controller, "first words");
    await begun();
    if (session.undoOutcome.ok) session.emit(begins, asks, { ...approved, decision: "deny" }, denied);
    await expect.poll(shown).toContain("❯ first words");
    expect(notices().at(-1)).toBe("your message was not sent: this is still the session before");
    expect([saidTo(session), saidTo(fork)]).toEqual([[], []]);
    say(controller, " and more");
    await expect.poll(() => saidTo(session)).toHaveLength(1);
  });

  it("a message in the place of the question that was put aside goes to the session that asks, as the screen says", async () => {
    const { session, fork, controller, begun } = open();
    say(controller, "/rewind 1 both");
    await begun();
    session.emit(begins, asks);
    await expect.poll(() => controller.view.ask?.requests.length).toBe(1);
    controller.key(control("c"));
    say(controller, "rather not");
    await expect.poll(() => saidTo(session)).toEqual(["submit rather not"]);
    expect(saidTo(fork)).toEqual([]);
  });

  it.each(["files", "both"])("what the undo leaves is told, at the choice %s", async (choice) => {
    const { session, controller, notices, begun } = open(["a.txt is another one by now"]);
    session.undoOutcome = { ok: true, calls: ["c1"], left: ["b.txt is gone"] };
    say(controller, `/rewind 1 ${choice}`);
    await begun();
    await expect
      .poll(notices)
      .toEqual(["a.txt is another one by now: it is left out", "b.txt is gone: it is left out"]);
  });

  it("nothing waits for a fork where the files alone go back", async () => {
    const { session, controller, begun } = open();
    say(controller, "/rewind 1 files");
    await begun();
    session.emit(begins, asks, approved);
    await expect.poll(() => controller.view.running).toBe(true);
    say(controller, "and now");
    await expect.poll(() => saidTo(session)).toEqual(["steer and now"]);
  });

  it("goes over to no fork once the person has left", async () => {
    const { session, fork, controller, begun } = open();
    say(controller, "/rewind 1 both");
    await begun();
    session.emit(begins, asks, approved);
    await expect.poll(() => controller.view.ask === undefined && controller.view.running).toBe(true);
    session.emit(undone);
    await nextTurn();
    controller.stop();
    await controller.close();
    expect([controller.session, fork.heard]).toEqual([session, []]);
  });

  it("closes the session too that a command leads to when the person leaves", async () => {
    const { session, fork, controller, door } = open();
    const gate = closedDoor(door);
    say(controller, "/rewind 1 talk");
    await expect.poll(() => door.isAsked).toBe(true);
    controller.stop();
    const closed = controller.close();
    gate();
    await closed;
    expect([session.heard.at(-1), fork.heard.at(-1)]).toEqual([{ method: "close" }, { method: "close" }]);
  });

  it("it waits for the fork of a rewind that an earlier process began, too", async () => {
    const { session, fork, isUnderWay, controller } = open();
    isUnderWay.was = true;
    session.emit(begins, { ...asks, calls: [{ ...waitingEdit("c9"), toolName: "undo_changes" }] });
    await expect.poll(() => controller.view.ask?.requests.length).toBe(1);
    session.emit(approved);
    await expect.poll(() => controller.view.ask).toBeUndefined();
    say(controller, "second words");
    session.emit(undone);
    await expect.poll(() => saidTo(fork)).toHaveLength(1);
    expect(saidTo(session)).toEqual([]);
  });

  it("the talk alone leads elsewhere: what is typed behind it is for the fork", async () => {
    const { session, fork, controller } = open();
    say(controller, "/rewind 1 talk");
    say(controller, "go on here");
    await expect.poll(() => saidTo(fork)).toEqual(["submit go on here"]);
    expect(saidTo(session)).toEqual([]);
    controller.key(key("escape"));
  });

  it("it keeps its order, what is typed while the fork is opened too", async () => {
    const { session, fork, door, controller, begun } = open();
    const gate = closedDoor(door);
    say(controller, "/rewind 1 both");
    say(controller, "first words");
    await begun();
    session.emit(begins, asks, approved, undone);
    await expect.poll(() => door.isAsked).toBe(true);
    say(controller, "second words");
    gate();
    await expect.poll(() => saidTo(fork)).toHaveLength(2);
    expect(saidTo(fork).map((one) => one.replace(/^\w+ /u, ""))).toEqual(["first words", "second words"]);
  });

  it("it comes back where no fork can be opened, what is typed meanwhile too", async () => {
    const { session, fork, door, controller, notices, begun } = open();
    const gate = closedDoor(door);
    say(controller, "/rewind 1 both");
    say(controller, "first words");
    await begun();
    session.emit(begins, asks, approved, undone);
    await expect.poll(() => door.isAsked).toBe(true);
    say(controller, "second words");
    gate(new Error("it is locked"));
    const unsent = () => notices().filter((text) => text.includes("your message was not sent"));
    await expect.poll(unsent).toHaveLength(2);
    expect([saidTo(session), saidTo(fork)]).toEqual([[], []]);
  });

  it("it comes back where the person goes over to another session than the fork", async () => {
    const { session, fork, controller, notices, shown, begun } = open();
    say(controller, "/rewind 1 both");
    say(controller, "first words");
    await begun();
    session.emit(begins, asks);
    await expect.poll(() => controller.view.ask?.requests.length).toBe(1);
    controller.key(control("c"));
    say(controller, "/sessions calm-heron-1a2b");
    await expect.poll(shown).toContain("❯ first words");
    expect(notices()).toContain("your message was not sent: this is another session than it was meant for");
    expect([controller.session, saidTo(session), saidTo(fork)]).toEqual([fork, [], []]);
  });

  it("a second rewind that is typed right behind the first changes nothing of it", async () => {
    const { session, fork, controller, notices, begun } = open();
    say(controller, "/rewind 1 both");
    say(controller, "/rewind 1 both");
    await begun();
    await expect.poll(notices).toEqual(["a rewind is under way: let it end, or stop it, then /rewind"]);
    session.emit(begins, asks, approved);
    await expect.poll(() => controller.view.running).toBe(true);
    say(controller, "first words");
    session.emit(undone);
    await expect.poll(() => saidTo(fork)).toHaveLength(1);
    expect([saidTo(session), session.heard.filter(({ method }) => method === "undo").length]).toEqual([[], 1]);
  });
});

describe("in a chat of plain lines", () => {
  function open() {
    const { session, fork, services, door, isUnderWay } = rewindable();
    const chat = openPlain({ session, services });
    const line = (text: string) => chat.keys(...typed(text), enter);
    return { ...chat, session, fork, door, isUnderWay, line };
  }

  it("it goes to the fork, in its order: behind the command, and once the question is answered", async () => {
    const { session, fork, line, shows, shown } = open();
    await line("/rewind 1 both");
    await line("first words");
    session.emit(begins, asks);
    await shows("4. y, yes");
    await line("/help");
    await shows("commands");
    await line("y");
    session.emit(approved);
    await expect.poll(() => session.heard.some(({ method }) => method === "answer")).toBe(true);
    await line("second words");
    expect(saidTo(session)).toEqual([]);
    session.emit(undone);
    await expect.poll(() => saidTo(fork)).toEqual(["submit first words", "submit second words"]);
    await shows("Not sent: write b");
    expect([saidTo(session), shown().includes("Not sent: first")]).toEqual([[], false]);
    await line("third words");
    expect(saidTo(fork)).toHaveLength(3);
  });

  it("it is told as not sent where the undo is denied", async () => {
    const { session, fork, line, shows } = open();
    await line("/rewind 1 both");
    await line("first words");
    session.emit(begins, asks);
    await shows("4. y, yes");
    await line("n");
    session.emit({ ...approved, decision: "deny" }, denied);
    await shows("Not sent: first words");
    expect([saidTo(session), saidTo(fork)]).toEqual([[], []]);
    await line("go on");
    expect(saidTo(session)).toEqual(["submit go on"]);
  });

  it("it is told as not sent where the person leaves, or stops at the question", async () => {
    const { session, keys, line, shows } = open();
    await line("/rewind 1 both");
    await line("first words");
    session.emit(begins, asks);
    await shows("4. y, yes");
    await keys(ctrlC);
    await shows("Not sent: first words");
    expect(saidTo(session)).toEqual([]);
  });

  it("it waits for the fork of a rewind that an earlier process began, too", async () => {
    const { session, fork, isUnderWay, line, shows } = open();
    isUnderWay.was = true;
    session.emit(begins, { ...asks, calls: [{ ...waitingEdit("c9"), toolName: "undo_changes" }] });
    await shows("4. y, yes");
    await line("y");
    session.emit(approved);
    await line("second words");
    session.emit(undone);
    await expect.poll(() => saidTo(fork)).toEqual(["submit second words"]);
    expect(saidTo(session)).toEqual([]);
  });

  it("goes over to no fork once the person has left", async () => {
    const { session, fork, keys, line, end } = open();
    await line("/rewind 1 both");
    session.emit(begins, undone);
    void keys(ctrlD);
    await expect.poll(end).toBeDefined();
    expect([session.heard.at(-1), fork.heard]).toEqual([{ method: "close" }, []]);
  });

  it("closes the session too that a command leads to when the person leaves", async () => {
    const { session, fork, keys, line, end, door } = open();
    const gate = closedDoor(door);
    await line("/rewind 1 talk");
    await expect.poll(() => door.isAsked).toBe(true);
    await keys(ctrlD);
    gate();
    await expect.poll(end).toBeDefined();
    expect([session.heard.at(-1), fork.heard.at(-1)]).toEqual([{ method: "close" }, { method: "close" }]);
  });

  it("it is told as not sent where the person goes over to another session than the fork", async () => {
    const { session, fork, line, shows } = open();
    await line("/rewind 1 both");
    await line("first words");
    session.emit(begins, asks);
    await shows("4. y, yes");
    await line("/sessions calm-heron-1a2b");
    await shows("Not sent: first words");
    await line("go on");
    expect([saidTo(session), saidTo(fork)]).toEqual([[], ["submit go on"]]);
  });
});
