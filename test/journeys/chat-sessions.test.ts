import { expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";

const prompt = "ask, or / for commands";

async function open(place: Place, ...argv: string[]): Promise<Pty> {
  const pty = place.chat(argv);
  await pty.waitFor(prompt);
  return pty;
}

async function say(pty: Pty, text: string, answer: string): Promise<void> {
  pty.type(text);
  await pty.waitFor(text);
  pty.key("enter");
  await pty.waitFor(answer);
  await pty.waitFor((one) => one.screen().join("\n").includes(prompt));
}

/** How the chat ended, and the last line that it left. */
async function leave(pty: Pty): Promise<string> {
  pty.key("ctrl-d");
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  return pty.scrollback().join("\n").trimEnd().split("\n").at(-1) ?? "";
}

const models = (place: Place) => place.server.requests.map((request) => request.body.model);

it("/new in a resumed chat keeps that session's model, and after /model the one that was chosen", async () => {
  const place = await openPlace([says("Zero."), says("One."), says("Two.")]);
  const { session } = await place.json(["run", "hi", "-m", "openai:first-model"]);
  const pty = await open(place, "resume", session);
  await say(pty, "/new", "openai:first-model");
  await say(pty, "one", "One.");
  await say(pty, "/model openai:second-model", "the model is now openai:second-model");
  pty.type("/new");
  await pty.waitFor("❯ /new");
  pty.key("enter");
  await pty.waitFor(/the one before is saved[\s\S]*the one before is saved/);
  await say(pty, "two", "Two.");
  expect(models(place)).toEqual(["first-model", "first-model", "second-model"]);
  expect(await leave(pty)).toMatch(/^agent resume /);
});

it("a chat in which nothing was said leaves no command that resumes it, for there is nothing to resume", async () => {
  const place = await openPlace();
  const pty = await open(place, "chat");
  await leave(pty);
  expect(pty.scrollback().join("\n")).not.toContain("agent resume");
  expect((await place.run(["sessions", "--all"])).stdout).toBe("no sessions\n");
});
