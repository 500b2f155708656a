import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ChatOptions } from "../../../../src/cli/ui/chat/chat-options.ts";
import { openedAs, servicesWith } from "../../../support/fake-services.ts";
import { askedForm, FakeSession, waitingEdit } from "../../../support/fake-session.ts";
import { ctrlC, enter, esc, openPlain as open, typed } from "../../../support/plain-chat.ts";

async function asked(more: Partial<ChatOptions> = {}) {
  const chat = open(more);
  chat.session.emit({ type: "user_message", id: "u1", text: "change it" });
  chat.session.emit({ type: "approval_requested", calls: [waitingEdit("c1")] });
  await chat.shows("4. y, yes");
  return chat;
}

const calls = { success: 0, error: 0, cancelled: 0, interrupted: 0 };
const denied = { method: "answer", callId: "c1", decision: { decision: "deny", by: "person" } };
const questions = (shown: string): number => shown.split("What now?").length - 1;

it.each([
  ["Ctrl-C", ctrlC],
  ["Esc", esc],
])("approves nothing by an answer that %s took back", async (_name, key) => {
  const chat = await asked();
  await chat.keys(...typed("y"), key, enter);
  expect(chat.session.heard).toEqual([]);
  expect(chat.shown()).not.toContain("Stopped.");
  expect(chat.shown()).not.toContain("the call stays waiting");
  await chat.shows("Nothing was decided. Type n");
});

it("does not count a Ctrl-C that cleared the line as one of the two that leave", async () => {
  const chat = open();
  await chat.keys(...typed("abc"), ctrlC, ctrlC);
  expect(chat.end()).toBeUndefined();
  await chat.keys(...typed("abc"), ctrlC, ctrlC);
  expect(chat.end()).toBeUndefined();
  await chat.keys(ctrlC);
  expect(chat.end()).toMatchObject({ exitCode: 0 });
  expect(chat.shown()).not.toContain("Stopped.");
});

it("goes on with the next line where the look for a command fails, and where an answer does", async () => {
  const services = servicesWith();
  const fails = () => Promise.reject(new Error("trust.json is no JSON"));
  const folder = { ...services.folder, commands: fails, hasCommand: fails };
  const chat = open({ services: { ...services, folder } });
  await chat.keys(...typed("/look"), enter, ...typed("second"), enter);
  await chat.shows("trust.json is no JSON");
  expect(chat.session.heard).toMatchObject([{ method: "submit", text: "second" }]);
  await chat.keys(...typed("third"), enter);
  expect(chat.session.heard).toHaveLength(2);

  const after = await asked();
  after.session.answer = () => Promise.reject(new Error("the store is gone"));
  await after.keys(...typed("y"), enter);
  await after.shows("the store is gone");
  after.session.answer = chat.session.answer;
  await after.keys(...typed("n"), enter);
  expect(after.shown()).not.toContain("n\n> n");
});

it("denies the call by Esc at its question", async () => {
  const chat = await asked();
  await chat.keys(esc);
  expect(chat.session.heard).toEqual([denied]);
  expect(chat.shown()).not.toContain("Stopped.");
});

it("keeps the call waiting by Ctrl-C: what is typed then is a message, and answers nothing", async () => {
  const chat = await asked();
  await chat.keys(ctrlC);
  expect(chat.session.heard).toEqual([{ method: "stop" }]);
  expect(chat.shown()).toContain("the call stays waiting");
  expect(chat.shown()).not.toContain("Stopped.");
  chat.session.emit({ type: "turn_ended", reason: "awaiting_approval", exitCode: 3, calls });
  await chat.keys(...typed("y"), enter);
  expect(chat.session.heard.slice(1)).toEqual([{ method: "submit", text: "y" }]);
  await chat.keys(...typed("y"), enter);
  expect(chat.session.heard.slice(2)).toEqual([{ method: "submit", text: "y" }]);
});

it("brings the question that was put off back by enter alone, and then takes an answer", async () => {
  const chat = await asked();
  await chat.keys(ctrlC, enter);
  expect(questions(chat.shown())).toBe(2);
  await chat.keys(...typed("n"), enter);
  expect(chat.session.heard).toEqual([{ method: "stop" }, denied]);
});

it("leaves by a second Ctrl-C at a question", async () => {
  const chat = await asked();
  await chat.keys(ctrlC, ctrlC);
  expect(chat.end()).toMatchObject({ exitCode: 0 });
});

it("asks the next question although the last one was put off", async () => {
  const chat = await asked();
  await chat.keys(ctrlC, ...typed("other"), enter);
  chat.session.emit({ type: "decision", callId: "c1", decision: "cancel", by: "policy" });
  chat.session.emit({ type: "approval_requested", calls: [waitingEdit("c2")] });
  await expect.poll(() => questions(chat.shown())).toBe(2);
  await chat.keys(esc);
  expect(chat.session.heard.at(-1)).toEqual({ ...denied, callId: "c2" });
});

it.each([
  ["Ctrl-C", ctrlC],
  ["Esc", esc],
])("says that it stopped by %s only where something ran", async (_name, key) => {
  const chat = open();
  await chat.keys(key);
  expect(chat.shown()).not.toContain("Stopped.");
  await chat.keys(enter);
  chat.session.emit({ type: "user_message", id: "u1", text: "go" });
  await chat.shows("go");
  await chat.keys(key);
  expect(chat.shown()).toContain("Stopped.");
  expect(chat.session.heard.at(-1)).toEqual({ method: "stop" });
});

it("says what was not sent when the question of a helper is put off, beside which others work", async () => {
  const chat = open();
  chat.session.waiting = ["then the docs"];
  chat.session.emit(
    { type: "user_message", id: "u1", text: "go" },
    { type: "user_message", id: "u2", text: "then the docs", queued: true },
    { type: "approval_requested", calls: [waitingEdit("c1", { agent: "helper 1" })] },
  );
  await chat.shows("4. y, yes");
  await chat.keys(ctrlC);
  await chat.shows("Not sent: then the docs");
  // It stays queued where nobody works: the session says so.
  expect(chat.session.heard).toEqual([{ method: "takeBack", atWork: true }, { method: "stop" }]);
});

it("says what was not sent when a turn is stopped in front of it", async () => {
  const chat = open();
  chat.session.waiting = ["then the docs"];
  chat.session.emit(
    { type: "user_message", id: "u1", text: "go" },
    { type: "user_message", id: "u2", text: "then the docs", queued: true },
    { type: "notice", code: "here", text: "both came" },
  );
  await chat.shows("both came");
  await chat.keys(esc);
  await chat.shows("Not sent: then the docs");
  expect(chat.session.heard).toEqual([{ method: "takeBack" }, { method: "stop" }]);
});

/** Answers of the session that come when the test says so. */
function slow(session: FakeSession): () => void {
  let come = (): void => undefined;
  const told = new Promise<void>((resolve) => {
    come = resolve;
  });
  session.onHeard = async ({ method }) => (method === "answer" ? told : undefined);
  return come;
}

it("sends what is typed while an answer is on its way once that counts", async () => {
  const { session, keys, shown } = await asked();
  const come = slow(session);
  await keys(...typed("y"), enter, ...typed("no, the other file"), enter);
  expect(session.heard.map(({ method }) => method)).toEqual(["answer"]);
  come();
  session.emit({ type: "decision", callId: "c1", decision: "approve", by: "person" });
  await expect.poll(() => session.heard.at(-1)).toEqual({ method: "submit", text: "no, the other file" });
  expect(shown()).not.toContain("Nothing was decided");
});

it("sends nothing that was typed for a question that another process answered, and what comes after as always", async () => {
  const { session, keys, shows } = await asked();
  await keys(...typed("y"));
  session.emit({ type: "decision", callId: "c1", decision: "deny", by: "person" });
  session.emit({ type: "notice", code: "answered_elsewhere", text: "process 9 denied c1" });
  await shows("process 9 denied c1");
  await keys(enter);
  await shows("That question was answered meanwhile; nothing was sent.");
  expect(session.heard).toEqual([]);
  await keys(...typed("go on"), enter);
  await expect.poll(() => session.heard.at(-1)).toEqual({ method: "submit", text: "go on" });
});

it("decides nothing by what is typed while an answer is on its way that is then refused", async () => {
  const { session, keys, shows } = await asked();
  const come = slow(session);
  session.outcome = { ok: false, code: "stale", message: "the file changed" };
  await keys(...typed("n"), enter, ...typed("y"), enter);
  come();
  await shows("That line was begun before the question was asked; nothing was decided.");
  expect(session.heard.map(({ method }) => method)).toEqual(["answer"]);
});

it("says what was not sent when the turn is stopped while an answer is on its way", async () => {
  const { session, keys, shows } = await asked();
  slow(session);
  await keys(...typed("y"), enter, ...typed("and the tests"), enter, esc);
  await shows("Not sent: and the tests");
  expect(session.heard.map(({ method }) => method)).toEqual(["answer", "takeBack", "stop"]);
});

it("denies nothing by an Esc that came as the question did", async () => {
  let time = 0;
  const { session, keys, shows } = await asked({ now: () => time });
  time = 100;
  await keys(esc);
  await shows("The question had just come: nothing was decided.");
  time = 1_000;
  await keys(esc);
  expect(session.heard).toEqual([denied]);
});

it("reads a line behind a command in the session that the command leads to", async () => {
  const next = new FakeSession("calm-heron-1a2b");
  onTestFinished(() => next.close());
  const { session, keys, shows } = open({
    services: servicesWith({ sessions: { open: async () => openedAs(await nextTurn(next)) } }),
  });
  await keys(...typed("/sessions calm-heron-1a2b"), enter, ...typed("go on"), enter);
  await shows("session calm-heron-1a2b");
  await expect
    .poll(() => next.heard)
    .toEqual([
      { method: "setMode", mode: "ask" },
      { method: "submit", text: "go on" },
    ]);
  expect(session.heard).toEqual([{ method: "close" }]);
});

it("sends nothing that was meant for a session that a command did not lead to", async () => {
  const taken = async () => Promise.reject(new Error("another process has it"));
  const { session, keys, shows } = open({ services: servicesWith({ sessions: { open: taken } }) });
  await keys(...typed("/sessions calm-heron-1a2b"), enter, ...typed("go on"), enter);
  await shows("Not sent: go on");
  expect(session.heard).toEqual([]);
});

it("takes back by Esc what the session is just being given", async () => {
  const { session, keys, shows } = open();
  session.waiting = ["hello"];
  session.onHeard = ({ method }) => (method === "submit" ? new Promise(() => undefined) : undefined);
  await keys(...typed("hello"), enter, esc);
  await shows("Not sent: hello");
  expect(session.heard.map(({ method }) => method)).toEqual(["submit", "takeBack", "stop"]);
});

it("says after a turn that there is a rule for such answers, but not into a line that is being typed; what was shown is written once", async () => {
  let written = 0;
  const offer = {
    ...{ line: "allow shell: npm test", times: 3, text: "allow shell: npm test\n+ it", file: "/policy.json" },
    write: async () => {
      written += 1;
    },
  };
  const chat = open({ services: servicesWith({ about: { ruleOffer: async () => offer } }) });
  const hint = "you answered alike 3 times: /suggest shows a rule for it";
  const turn = async () => {
    chat.session.emit({ type: "user_message", id: "u1", text: "go on" });
    chat.session.emit({ type: "decision", callId: "c1", decision: "approve", by: "person" });
    const calls = { success: 1, error: 0, cancelled: 0, interrupted: 0 };
    chat.session.emit({ type: "turn_ended", reason: "done", exitCode: 0, calls });
    await chat.keys();
    await chat.keys();
  };
  await chat.keys(...typed("half a"));
  await turn();
  expect(chat.shown()).not.toContain(hint);
  await chat.keys(esc);
  await turn();
  await chat.shows(hint);
  expect(chat.shown().endsWith("\n> ")).toBe(true);
  await chat.keys(...typed("/suggest yes"), enter);
  await chat.shows("no rule was shown");
  await chat.keys(...typed("/suggest"), enter);
  await chat.shows("+ it\n  /suggest yes writes it");
  expect(written).toBe(0);
  await chat.keys(...typed("/suggest yes"), enter, ...typed("/suggest yes"), enter);
  await chat.shows("it counts from the next call on");
  expect(written).toBe(1);
});

it("a line is the answer to a field that is asked, whatever it begins with; a command is one again behind the last field, and Esc leaves it", async () => {
  const chat = open();
  const fields = ["one", "two"].map((name) => ({ kind: "text" as const, name, required: true }));
  chat.session.emit({ type: "form_requested", callId: "c1", form: 1, asked: askedForm({ fields }) });
  await chat.shows("Type fill, no or cancel:");
  await chat.keys(...typed("fill"), enter);
  await chat.shows("also one with / or !; esc leaves all of it without an answer");
  await chat.keys(...typed("/help"), enter);
  await chat.shows("2 of 2. Type it:");
  await chat.keys(...typed("!ls"), enter);
  await chat.shows('"one": "/help"');
  expect(chat.shown()).toContain('"two": "!ls"');
  expect(chat.shown()).not.toContain("when a call waits, type");
  await chat.keys(...typed("/help"), enter);
  await chat.shows("when a call waits, type");
  await chat.keys(...typed("send"), enter);
  const content = { one: "/help", two: "!ls" };
  expect(chat.session.heard).toEqual([{ method: "fill", form: 1, answer: { action: "accept", content } }]);
});

it("a field that is asked is left by Esc, and the chat by Ctrl-D", async () => {
  const chat = open();
  const fields = [{ kind: "text" as const, name: "one", required: true }];
  chat.session.emit({ type: "form_requested", callId: "c1", form: 1, asked: askedForm({ fields }) });
  await chat.shows("Type fill, no or cancel:");
  await chat.keys(...typed("fill"), enter);
  await chat.shows("1 of 1. Type it:");
  await chat.keys(esc);
  expect(chat.session.heard).toEqual([{ method: "fill", form: 1, answer: { action: "cancel" } }]);
  await chat.keys({ ...ctrlC, text: "d" });
  expect(chat.end()).toMatchObject({ exitCode: 0 });
});

describe("a line that was begun for a field whose question is no more in front", () => {
  async function inField(line: string) {
    const chat = open();
    const fields = [{ kind: "text" as const, name: "one", required: true }];
    chat.session.emit({ type: "form_requested", callId: "c1", form: 1, asked: askedForm({ fields }) });
    await chat.shows("Type fill, no or cancel:");
    await chat.keys(...typed("fill"), enter);
    await chat.shows("1 of 1. Type it:");
    await chat.keys(...typed(line));
    return chat;
  }

  const lines = ["!touch taken", "/mode full-auto", "/exit", "/new", "2", "go on"];

  it.each(lines)("runs and sends nothing where its server took the question back: %s", async (line) => {
    const { session, keys, shows, end } = await inField(line);
    session.emit({ type: "form_closed", callId: "c1", form: 1, action: "cancel", from: "small" });
    await shows("got no answer");
    await keys(enter);
    await shows("nothing was sent");
    expect([session.heard, end()]).toEqual([[], undefined]);
  });

  it.each(lines)("runs and sends nothing where another question came in its place: %s", async (line) => {
    const { session, keys, shows, end } = await inField(line);
    session.emit({ type: "form_closed", callId: "c1", form: 1, action: "cancel", from: "small" });
    session.emit({ type: "approval_requested", calls: [waitingEdit("c2")] });
    await shows("y, yes");
    await keys(enter);
    await shows("nothing was sent");
    expect([session.heard, end()]).toEqual([[], undefined]);
  });
});
