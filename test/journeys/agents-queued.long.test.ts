import { expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { type Answer, asks, type Reply, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";

type Talk = Parameters<Exclude<Answer, Reply>>[0]["body"]["messages"];

/**
 * A chat whose first message is answered with this once another one is queued behind it. It is at its first question then.
 * @param more what the model says else, by all that it is told
 */
async function askedBehind(first: Reply, more: (messages: Talk) => Reply): Promise<{ place: Place; pty: Pty }> {
  let speak: () => void = () => undefined;
  const later = new Promise<Reply>((resolve) => {
    speak = () => resolve(first);
  });
  const answer: Answer = ({ body: { messages } }) => {
    const isFirst = messages.at(-1)?.role === "user" && messages.at(-1)?.content === "go";
    return isFirst ? later : more(messages);
  };
  const place = await openPlace(
    Array.from({ length: 12 }, () => answer),
    { ".env": "KEY=1\n" },
  );
  const pty = place.chat(["chat", "go"], { cols: 100, rows: 30 });
  await expect.poll(() => place.server.requests.length, { timeout: 30_000 }).toBe(1);
  pty.type("later one");
  pty.key("alt-enter");
  await pty.waitFor(/later one/u, 30_000);
  speak();
  await pty.waitFor("HIGH", 30_000);
  return { place, pty };
}

/** It is of high risk: the word is asked for. @param behind typed at once behind it */
async function approve(pty: Pty, behind = ""): Promise<void> {
  await readQuestion();
  pty.type("y");
  await pty.waitFor("type yes to approve", 30_000);
  pty.type(`yes\r${behind}`);
}

it.each([
  ["of the session itself", asks("read_file", { file_path: ".env" })],
  ["of a helper at rest", asks("agent", { task: "look at a" })],
])("what is queued stays so at Ctrl-C of a question %s, and is said once that is answered", async (_, first) => {
  const { pty } = await askedBehind(first, (messages) => {
    if (messages.findLast(({ role }) => role === "user")?.content === "later one") return says("Heard it later.");
    const isBegun = messages.some(({ role }) => role === "assistant");
    return isBegun ? says("All done.") : asks("read_file", { file_path: ".env" });
  });
  await readQuestion();
  pty.key("ctrl-c");
  await pty.waitFor("enter alone brings it back", 30_000);
  pty.key("enter");
  await pty.waitFor((one) => one.screen().join("\n").includes("Yes, once"), 30_000);
  await approve(pty);
  await pty.waitFor("All done.", 30_000);
  await pty.waitFor("Heard it later.", 30_000);
  pty.key("ctrl-d");
  await pty.exit;
});

it("what is queued comes back, and is sent to nobody, at Ctrl-C just behind the answer to one of two helpers at rest", async () => {
  const { place, pty } = await askedBehind(asks("agent", { task: ["look at a", "look at b"] }), (messages) =>
    messages.at(-1)?.role === "user" ? asks("read_file", { file_path: ".env" }) : says("Looked."),
  );
  await pty.waitFor("[1] 2", 30_000);
  await approve(pty, "\u0003");
  await pty.waitFor((one) => /› later one|> later one|❯ later one/u.test(one.screen().join("\n")), 30_000);
  pty.key("ctrl-c");
  await pty.exit;
  expect(JSON.stringify(place.server.requests.map(({ body }) => body.messages))).not.toContain("later one");
});
