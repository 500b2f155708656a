import { readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeInTerminals } from "../support/needs.ts";
import type { Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";

const edit = asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" });
const files = { "a.txt": "one\n" };
const onScreen = (pty: Pty): string => pty.screen().join("\n");
const all = (pty: Pty): string => pty.scrollback().join("\n");
const shows = (pty: Pty, wanted: RegExp): Promise<void> => pty.waitFor((one) => wanted.test(all(one)));

describeInTerminals((terminal) => {
  it.each([
    [100, 30],
    [60, 20],
    [42, 10],
  ])(
    "a new chat says at %ix%i where it is, how it asks, and what waits; a digit goes on with that at its question",
    async (cols, rows) => {
      const place = await openPlace([edit, says("Hello."), says("Done.")], files);
      await place.run(["run", "change the file"]);
      await place.run(["run", "say hello"]);
      const pty = place.chat(["chat"], { cols, rows, terminal });
      await shows(pty, /1 say hello[\s\S]*2 change the file[\s\S]*waits[\s\S]*1 to 2 and enter goes on/);
      expect(all(pty)).toMatch(/ask: what may change something/);
      pty.type("2");
      pty.key("enter");
      await shows(pty, /❯ ?n/);
      await readQuestion();
      pty.key("y");
      await pty.waitFor("Done.");
      // Nothing of the prompt that stood there first is kept above.
      expect(pty.scrollback()[0]).toContain("holdfast");
      pty.leave();
      expect((await pty.exit).code).toBe(0);
      expect(await place.read("a.txt")).toBe("two\n");
      expect(place.server.requests.filter(({ body }) => JSON.stringify(body.messages).includes('"2"'))).toEqual([]);
    },
  );
});

it("a digit with no session behind it is a message, and so is each once something was said", async () => {
  const place = await openPlace([says("Hello."), says("Seven?"), says("One?")], files);
  await place.run(["run", "say hello"]);
  const pty = place.chat(["chat"]);
  await shows(pty, /1 say hello[\s\S]*1 and enter goes on with it/);
  pty.type("7");
  pty.key("enter");
  await pty.waitFor("Seven?");
  pty.type("1");
  pty.key("enter");
  await pty.waitFor("One?");
  pty.leave();
  await pty.exit;
});

it("lines alone offer the same, and what a title hides is seen", async () => {
  const place = await openPlace([says("Hello.")], files);
  const { session } = await place.json(["run", "say hello"]);
  await place.run(["sessions", "rename", String(session), "red \u001b[31m\u202e deed"]);
  const pty = place.chat(["chat"], { cols: 100, rows: 30 }, { HOLDFAST_SCREEN_READER: "1" });
  await shows(pty, /1 and enter goes on with it/);
  expect(all(pty)).not.toContain("\u202e");
  pty.type("1\r");
  await shows(pty, new RegExp(`session ${session}; the one before is saved`));
  pty.key("ctrl-d");
  expect((await pty.exit).code).toBe(0);
});

it("nothing is offered where nothing was done, nor where a message comes with the command", async () => {
  const place = await openPlace([says("Hello."), says("Hello again.")], files);
  const first = place.chat(["chat"]);
  await first.waitFor("ask, or / for commands");
  expect(onScreen(first)).toContain("ask: what may change something");
  expect(onScreen(first)).not.toContain("goes on with");
  first.leave();
  await first.exit;
  await place.run(["run", "say hello"]);
  const second = place.chat(["chat", "hello"]);
  await second.waitFor("Hello again.");
  expect(all(second)).not.toContain("goes on with");
  second.leave();
  await second.exit;
});

it("a digit right behind the first message is the second message", async () => {
  const place = await openPlace([says("Hello."), says("Hello there."), says("One?")], files);
  await place.run(["run", "say hello"]);
  const pty = place.chat(["chat"]);
  await shows(pty, /1 and enter goes on with it/);
  pty.type("hi");
  await shows(pty, /❯ hi$/m);
  pty.key("enter");
  // It was read: what comes in one piece with a line end inside is a paste.
  await shows(pty, /❯ (?:ask, or|enter tells)/);
  pty.key("1", "enter");
  await pty.waitFor("One?");
  expect(all(pty)).not.toContain("the one before is saved");
  pty.leave();
  await pty.exit;
});

it("a chat in which nothing is said makes no store", async () => {
  const place = await openPlace([]);
  const pty = place.chat(["chat"]);
  await pty.waitFor("ask, or / for commands");
  pty.leave();
  await pty.exit;
  expect((await readdir(place.home)).filter((name) => name.startsWith("agent.db"))).toEqual([]);
});
