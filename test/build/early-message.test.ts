import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Answer, says, startModelServer } from "../support/model-server.ts";
import { openPty, type Pty } from "../support/pty.ts";
import { agentPath, tempFolder } from "./support/run.ts";

const prompt = "ask, or / for commands";

/** A chat with a server, at which this is typed the moment the painted prompt stands. */
async function chat(typed: string, answers: Answer[], env: Record<string, string> = {}) {
  const home = tempFolder();
  const server = await startModelServer(answers);
  onTestFinished(() => server.close());
  const pty = openPty({
    command: process.execPath,
    args: [agentPath, "chat", "-m", "openai:test"],
    cwd: tempFolder(),
    env: { AGENT_HOME: home, HOME: home, OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url, ...env },
  });
  onTestFinished(() => pty.close());
  await pty.waitFor("❯");
  pty.type(typed);
  return { pty, server, history: () => readFileSync(join(home, "history"), "utf8") };
}

const times = (pty: Pty, text: string): number => pty.scrollback().filter((line) => line.includes(text)).length;

async function leave(pty: Pty): Promise<void> {
  pty.key("ctrl-d");
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  expect(pty.cursor().visible).toBe(true);
}

test("a message typed at the painted prompt is sent once, shown once, and kept among the earlier ones", async () => {
  const { pty, server, history } = await chat("what is new?\r", [says("Nothing.")]);
  await pty.waitFor("Nothing.");
  await pty.waitFor(prompt);
  expect([times(pty, "what is new?"), times(pty, "Nothing.")]).toEqual([1, 1]);
  expect(server.requests).toHaveLength(1);
  pty.key("up");
  await pty.waitFor(() => times(pty, "what is new?") === 2);
  pty.key("ctrl-c");
  await pty.waitFor(() => times(pty, "what is new?") === 1);
  await leave(pty);
  expect(history()).toContain('"what is new?"');
});

test("what is typed behind the message, also while the screen is loaded, stays in the input", async () => {
  const { pty, server } = await chat("first\r", [says("One."), says("Two.")]);
  await pty.waitFor(() => server.requests.length === 1);
  pty.type("second"); // the screen is only now being loaded
  await pty.waitFor("One.");
  await pty.waitFor("second");
  expect(server.requests).toHaveLength(1);
  pty.key("enter");
  await pty.waitFor("Two.");
  expect([times(pty, "first"), times(pty, "second")]).toEqual([1, 1]);
  await pty.waitFor(prompt);
  await leave(pty);
});

test("a server that refuses the message is told of on the screen", async () => {
  const { pty } = await chat("hello\r", [says("", { status: 401, body: { error: { message: "no such key" } } })]);
  await pty.waitFor("no such key");
  await pty.waitFor(prompt);
  expect(times(pty, "hello")).toBe(1);
  await leave(pty);
});

test("a server that cannot be reached keeps nobody from the screen", async () => {
  const { pty } = await chat("hello\r", [], { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" });
  await pty.waitFor("holdfast");
  await pty.waitFor("hello");
  expect(times(pty, "hello")).toBe(1);
  pty.key("ctrl-c");
  pty.key("ctrl-c");
  expect(await pty.exit).toMatchObject({ signal: 0 });
});

test("Ctrl-C stops its turn from the first instant on, before there is a screen to say that it runs", async () => {
  const { pty, server } = await chat("hello\r", [says("", { hangAfter: 0 })]);
  await pty.waitFor(() => server.requests.length === 1);
  pty.key("ctrl-c");
  await pty.waitFor("stopped");
  expect(times(pty, "hello")).toBe(1);
  await leave(pty);
});

test("for a screen reader the message goes the way of every line", async () => {
  const { pty, server } = await chat("hello\r", [says("Heard you.")], { HOLDFAST_SCREEN_READER: "1" });
  await pty.waitFor("Heard you.");
  expect(server.requests).toHaveLength(1);
  pty.key("ctrl-d");
  expect(await pty.exit).toMatchObject({ signal: 0 });
});
