import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { endless } from "../support/under-way.ts";

const prompt = "ask, or / for commands";
const edit = asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" });
const onScreen = (pty: Pty): string => pty.screen().join("\n");
const shows = (pty: Pty, wanted: RegExp): Promise<void> => pty.waitFor((one) => wanted.test(onScreen(one)));

/** The title that is pointed at. */
const pointed = (pty: Pty): string => /❯ (.*?) {2,}/.exec(onScreen(pty))?.[1] ?? "";

it("agent resume lets a person choose: renamed, removed once asked, found by a word, gone on with at its question", async () => {
  const place = await openPlace([edit, says("Hello."), says("Bye.")], { "a.txt": "one\n" });
  const waits = (await place.json(["run", "change the file"])).session;
  await place.json(["run", "say hello"]);
  const last = (await place.json(["run", "say bye"])).session;
  const pty = place.chat(["resume"], { cols: 60, rows: 20 });
  await shows(pty, /say bye[\s\S]*say hello[\s\S]*change the file[\s\S]*waits for you: .*a\.txt/);
  expect(pointed(pty)).toBe("change the file");
  pty.key("g");
  await pty.waitFor(() => pointed(pty) === "say bye");
  pty.key("x");
  await shows(pty, /remove it for good/);
  pty.key("n");
  await shows(pty, /it was kept/);
  pty.key("x", "y");
  await shows(pty, new RegExp(`removed ${last}`));
  pty.key("r", "ctrl-u");
  pty.type("greetings");
  pty.key("enter");
  await shows(pty, /❯ greetings /);
  pty.key("/");
  pty.type("file");
  await shows(pty, /1 of 2 · with file/);
  pty.key("enter");
  await shows(pty, /Edit file a\.txt/);
  expect(onScreen(pty)).not.toContain("greetings");
  pty.leave();
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  expect(pty.scrollback().join("\n").trimEnd()).toMatch(new RegExp(`agent resume ${waits}$`));
  const listed = (await place.run(["sessions"])).stdout;
  expect(listed).toMatch(/greetings/);
  expect(listed).not.toMatch(/say bye|say hello/);
});

it("left by esc the list leaves the terminal as it was; one session alone is gone on with at once", async () => {
  const place = await openPlace([says("Hello."), says("Bye.")]);
  await place.run(["run", "say hello"]);
  const one = place.chat(["resume"]);
  await one.waitFor(prompt);
  one.key("ctrl-d");
  await one.exit;
  await place.run(["run", "say bye"]);
  const pty = place.chat(["resume"]);
  await shows(pty, /say bye[\s\S]*say hello/);
  pty.key("escape");
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  expect(pty.cursor().visible).toBe(true);
  expect(pty.scrollback().join("").trim()).toBe("");
});

it("whoever hears the terminal, or can only print on it, gets numbers", async () => {
  const place = await openPlace([says("Hello."), says("Bye.")]);
  const first = (await place.json(["run", "say hello"])).session;
  await place.run(["run", "say bye"]);
  const pty = place.chat(["resume"], undefined, { HOLDFAST_SCREEN_READER: "1" });
  await pty.waitFor("number of the session");
  expect(onScreen(pty)).toMatch(/1\. say bye\n {3}just now, idle, [\s\S]*2\. say hello/);
  pty.type("7");
  pty.key("enter");
  await pty.waitFor("no such number: 1 to 2");
  pty.type("2");
  pty.key("enter");
  await pty.waitFor(first);
  await pty.waitFor("Hello.");
  pty.key("ctrl-d");
  expect((await pty.exit).code).toBe(0);
});

it("/sessions goes over to a session that was cut off, which says how far it was and that its mode fell back", async () => {
  const place = await openPlace([edit, endless, says("Hello."), says("Here again.")], { "a.txt": "one\n" });
  const cut = place.spawn(["run", "change the file", "--json", "--mode", "accept-edits"]);
  await cut.shows('"text_delta"');
  cut.child.kill("SIGKILL");
  await cut.done;
  const pty = place.chat(["chat"]);
  await pty.waitFor(prompt);
  pty.type("say hello");
  pty.key("enter");
  await pty.waitFor("Hello.");
  pty.type("/sessions");
  await pty.waitFor("❯ /sessions");
  pty.key("enter");
  await shows(pty, /say hello[\s\S]*you are in it[\s\S]*❯ change the file[\s\S]*cut off, 1 of 1 done · 1 file changed/);
  pty.key("enter");
  await pty.waitFor(/this session was cut off: 1 of 1 calls were done; the mode is ask again/);
  await pty.waitFor("Here again.");
  pty.key("ctrl-d");
  expect((await pty.exit).code).toBe(0);
});
