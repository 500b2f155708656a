import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { type Answer, asks, type Reply, says } from "../support/model-server.ts";
import { readQuestion } from "../support/read-question.ts";

it.each([
  ["of the session itself", [asks("read_file", { file_path: ".env" })]],
  ["of a helper at rest", [asks("agent", { task: "look at a" })]],
])("what is queued stays so at Ctrl-C of a question %s, and is said once that is answered", async (_, first) => {
  let speak: () => void = () => undefined;
  const later = new Promise<Reply>((resolve) => {
    speak = () => resolve(first[0] as Reply);
  });
  const answer: Answer = ({ body: { messages } }) => {
    const said = String(messages.findLast(({ role }) => role === "user")?.content);
    const since = messages.findLastIndex(({ role }) => role === "user");
    const spoken = messages.slice(since).filter(({ role }) => role === "assistant").length;
    if (said === "later one") return says("Heard it later.");
    if (said === "go") return spoken === 0 ? later : says("All done.");
    return spoken === 0 ? asks("read_file", { file_path: ".env" }) : says("Looked.");
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
  await readQuestion();
  pty.key("ctrl-c");
  await pty.waitFor("enter alone brings it back", 30_000);
  pty.key("enter");
  await pty.waitFor((one) => one.screen().join("\n").includes("Yes, once"), 30_000);
  await readQuestion();
  pty.type("y");
  await pty.waitFor("type yes to approve", 30_000);
  pty.type("yes\r");
  await pty.waitFor("All done.", 30_000);
  await pty.waitFor("Heard it later.", 30_000);
  pty.key("ctrl-d");
  await pty.exit;
});

it("what is queued comes back, and is sent to nobody, at Ctrl-C just behind the answer to one of two helpers at rest", async () => {
  let speak: () => void = () => undefined;
  const later = new Promise<Reply>((resolve) => {
    speak = () => resolve(asks("agent", { task: ["look at a", "look at b"] }));
  });
  const answer: Answer = ({ body: { messages } }) => {
    const said = String(messages.findLast(({ role }) => role === "user")?.content);
    if (said === "go") return later;
    return messages.at(-1)?.role === "user" ? asks("read_file", { file_path: ".env" }) : says("Looked.");
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
  await pty.waitFor("[1] 2", 30_000);
  await readQuestion();
  pty.type("y");
  await pty.waitFor("type yes to approve", 30_000);
  pty.type("yes\r\u0003");
  await pty.waitFor((one) => /› later one|> later one|❯ later one/u.test(one.screen().join("\n")), 30_000);
  pty.key("ctrl-c");
  await pty.exit;
  expect(JSON.stringify(place.server.requests.map(({ body }) => body.messages))).not.toContain("later one");
});
