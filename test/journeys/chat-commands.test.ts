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

async function say(pty: Pty, text: string, answer: string | RegExp): Promise<void> {
  pty.type(text);
  await pty.waitFor(`❯ ${text}`);
  pty.key("enter");
  await pty.waitFor(answer);
  await pty.waitFor((one) => one.screen().join("\n").includes(prompt));
}

const shown = (pty: Pty): string => pty.scrollback().join("\n");

it("the chat tells where it is, what takes room, what is allowed, and which tools there are, each under its command", async () => {
  const place = await openPlace([says("Here I am.")], { "AGENTS.md": "Be brief.\n" });
  const pty = await open(place, "chat");
  await say(pty, "/status", "saved");
  expect(shown(pty)).toMatch(/\n\n› \/status\n· session \S+\n[\s\S]*\n {4}saved +not yet: nothing was said\n/);
  await say(pty, "hello", "Here I am.");
  await say(pty, "/status", /title +hello/);
  expect(shown(pty)).toMatch(/ {4}turns +1\n {4}files +none changed\n {4}saved +\S+agent\.db/);
  await say(pty, "/context", "messages, calls");
  expect(shown(pty)).toMatch(
    /› \/context\n· context: 18 of 128k tokens, 0 %\n {4}prompt +about \S+ +what the agent is, and where\n {4}tools +about .*\n {4}files +about \S+ +instructions of the project: AGENTS\.md, 10 bytes/,
  );
  await say(pty, "/compact the greeting", "there is nothing before the last turns that could be summed up");
  await say(pty, "/undo compact", "nothing of this talk is summed up or left out");
  await say(pty, "/permissions", "no rules and no grants");
  expect(shown(pty)).toContain("· mode ask: what may change something is asked about");
  await say(pty, "/tools", /save_memory +\w+ +\d+/);
  expect(shown(pty)).toMatch(/› \/tools\n· \d+ tools, with their risk/);
  pty.key("ctrl-c");
  await pty.waitFor("ctrl+c again leaves");
  await pty.waitFor((one) => !one.screen().join("\n").includes("ctrl+c again"));
  pty.key("ctrl-d");
  await pty.exit;
});

it("the chat says of a model whose server counts no tokens that it counts none, and names the talk all the same", async () => {
  const script = ['{"v":1,"kind":"holdfast-script"}', '{"text":"Here I am."}'].join("\n");
  const place = await openPlace([], { "talk.ndjson": script });
  const pty = await open(place, "chat", "-m", `script:${place.path("talk.ndjson")}`);
  await say(pty, "/context", "one token for four characters.");
  expect(shown(pty)).toContain("context: how full it is, the model's server tells with its first reply");
  await say(pty, "hello", "Here I am.");
  await say(pty, "/context", "how full it is, the model's server does not tell");
  expect(shown(pty)).toMatch(/ {4}talk +not counted {2}messages, calls and their results\n/);
  pty.key("ctrl-d");
  await pty.exit;
});

it("a session is renamed, copied from, exported to a new file and forked in the chat", async () => {
  const place = await openPlace([says("Here I am."), says("In the copy.")]);
  const pty = await open(place, "chat");
  await say(pty, "/fork", "nothing was said in this session yet");
  await say(pty, "hello", "Here I am.");
  await say(pty, "/rename the tidy one", "this session is now called the tidy one");
  await say(pty, "/copy", "sent to the terminal's clipboard: 10 characters");
  expect(pty.raw()).toContain(`\u001b]52;c;${Buffer.from("Here I am.").toString("base64")}\u0007`);
  await say(pty, "/export out.ndjson", "before you give it away.");
  expect(await place.read("out.ndjson")).toContain('{"prompt":"hello"}');
  await say(pty, "/export out.ndjson", "exists already: nothing was written");
  await say(pty, "/export out.html", "/out.html");
  expect(await place.read("out.html")).toMatch(/^<!doctype html>.*<pre>\nHere I am\.<\/pre>.*<\/html>\n$/su);
  await say(pty, "/export out.md", "/out.md");
  expect(await place.read("out.md")).toContain("```markdown\nHere I am.\n```\n");
  await say(pty, "/fork", "the one before is saved as");
  await say(pty, "go on", "In the copy.");
  expect(place.heard(1, -1)).toBe("go on");
  expect(place.server.requests[1]?.body.messages.map(({ role }) => role)).toEqual([
    ...["system", "user", "assistant", "user"],
  ]);
  pty.key("ctrl-d");
  await pty.exit;
  const [fork, first] = (await place.run(["sessions", "--json"])).stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { title: string });
  expect([fork?.title, first?.title]).toEqual(["the tidy one", "the tidy one"]);
});

it("ctrl+r finds what was said in earlier sessions of the folder", async () => {
  const place = await openPlace([says("One."), says("Two.")]);
  await place.run(["run", "fix the flaky test of the parser"]);
  await place.run(["run", "write the changelog"]);
  const pty = await open(place, "chat");
  pty.key("ctrl-r");
  pty.type("flaky");
  await pty.waitFor("fix the flaky test of the parser");
  await pty.waitFor("1 of 1");
  pty.key("enter");
  await pty.waitFor("❯ fix the flaky test of the parser");
  pty.key("ctrl-c", "ctrl-d");
  await pty.exit;
});
