import { expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";

const prompt = "ask, or / for commands";
const edit = asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" }, { text: "I change it." });

async function open(place: Place, ...argv: string[]): Promise<Pty> {
  const pty = place.chat(argv);
  await pty.waitFor(prompt);
  return pty;
}

async function say(pty: Pty, text: string): Promise<void> {
  pty.type(text);
  await pty.waitFor(text);
  pty.key("enter");
}

const onScreen = (pty: Pty): string => pty.screen().join("\n");

/** Waits for the question about this change, and as long as a person reads: keys that come at once decide nothing. */
async function question(pty: Pty, change = "two"): Promise<void> {
  await pty.waitFor((one) => onScreen(one).includes("❯ n") && onScreen(one).includes(change));
  await readQuestion();
}

/** Leaves as a person does, and checks that the terminal is as it was. @returns the session's id, from the last line. */
async function leave(pty: Pty): Promise<string> {
  pty.leave();
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  expect(pty.cursor().visible).toBe(true);
  const last = pty.scrollback().join("\n").trimEnd().split("\n").at(-1) ?? "";
  expect(last).toMatch(/^agent resume [a-z]+-[a-z]+-[0-9a-f]{4}$/);
  return last.replace("agent resume ", "");
}

it("a change is asked about with its diff and made by y; another is denied by Esc; what is typed meanwhile comes next", async () => {
  let speak = (): void => undefined;
  const toldToSpeak = new Promise<void>((resolve) => {
    speak = resolve;
  });
  const place = await openPlace(
    [
      edit,
      async () => {
        await toldToSpeak;
        return says("It is **done** now, word by word by word.", { chunks: 12 });
      },
      asks("edit_file", { file_path: "a.txt", old_string: "two", new_string: "three" }),
      says("Then it stays."),
    ],
    { "a.txt": "one\n" },
  );
  const pty = await open(place, "chat");
  await say(pty, "make it two");
  await question(pty);
  expect(onScreen(pty)).toContain("Edit file a.txt");
  expect(onScreen(pty)).toMatch(/one[\s\S]*two/);
  expect(await place.read("a.txt")).toBe("one\n");
  pty.key("y");
  await expect.poll(() => place.read("a.txt")).toBe("two\n");
  // What is typed before the second request was made is told with that one.
  await expect.poll(() => place.server.requests.length).toBe(2);
  await say(pty, "and now three");
  await pty.waitFor("for its next step: and now three");
  speak();
  await pty.waitFor("word by");
  await question(pty, "three");
  pty.key("escape");
  await pty.waitFor("Then it stays.");
  expect(await place.read("a.txt")).toBe("two\n");
  expect(place.heard(-1, -1)).toMatch(/^Not run: denied by the person/);
  await pty.waitFor((one) => onScreen(one).includes(prompt));
  const id = await leave(pty);
  const shown = (await place.run(["sessions", "show", id])).stdout;
  expect(shown).toMatch(/make it two[\s\S]*and now three[\s\S]*Then it stays\./);
});

it("tells the agent at its next step what is typed with enter, and after the turn what is typed with alt+enter", async () => {
  let goOn = (): void => undefined;
  const toldToGoOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const place = await openPlace(
    [
      asks("read_file", { file_path: "a.txt" }),
      async () => {
        await toldToGoOn;
        return asks("read_file", { file_path: "b.txt" });
      },
      says("Both are read."),
      says("That comes last."),
    ],
    { "a.txt": "one\n", "b.txt": "two\n" },
  );
  const pty = await open(place, "chat");
  await say(pty, "read them");
  await pty.waitFor((one) => onScreen(one).includes("Read file a.txt"));
  // What is typed before the second request was made is told with that one.
  await expect.poll(() => place.server.requests.length).toBe(2);
  pty.type("mind the tests");
  pty.key("enter");
  await pty.waitFor("for its next step: mind the tests");
  pty.type("then stop");
  pty.key("alt-enter");
  await pty.waitFor("after this turn: then stop");
  goOn();
  await pty.waitFor("That comes last.");
  expect([place.heard(1, -1), place.heard(2, -1), place.heard(3, -1)]).toEqual([
    expect.stringContaining("one"),
    "mind the tests",
    "then stop",
  ]);
  expect(onScreen(pty)).toMatch(/❯ mind the tests[\s\S]*Both are read\.[\s\S]*❯ then stop[\s\S]*That comes last\./);
  await leave(pty);
});

it("esc stops the turn and puts what waits back into the input, and up takes it back without stopping", async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const place = await openPlace([
    async () => {
      await held;
      return says("Too late.");
    },
    says("All of it at once."),
  ]);
  const pty = await open(place, "chat");
  await say(pty, "begin");
  await pty.waitFor("esc stops");
  pty.type("one");
  pty.key("enter");
  await pty.waitFor("for its next step: one");
  pty.type("two");
  pty.key("alt-enter");
  await pty.waitFor("after this turn: two");
  pty.key("up");
  await pty.waitFor((one) => /❯ one\n *\n {2}two/.test(onScreen(one)) && !onScreen(one).includes("after this"));
  expect(onScreen(pty)).toContain("esc stops");
  pty.key("enter");
  await pty.waitFor("for its next step: one  two");
  pty.type("three");
  pty.key("escape");
  await pty.waitFor("⚠ stopped");
  await pty.waitFor((one) => /❯ one\n *\n {2}two\n *\n {2}three/.test(onScreen(one)));
  expect(place.server.requests).toHaveLength(1);
  pty.key("enter");
  await pty.waitFor("All of it at once.");
  release();
  expect(place.heard(1, -1)).toBe("one\n\ntwo\n\nthree");
  const id = await leave(pty);
  const shown = (await place.run(["sessions", "show", id])).stdout;
  expect(shown.split("three")).toHaveLength(2);
});

it("a chat that was left or killed at its question asks the same again, and applies nothing until then", async () => {
  const place = await openPlace([edit, says("Done at last.")], { "a.txt": "one\n" });
  const pty = await open(place, "chat", "make it two");
  await question(pty);
  const id = await leave(pty);
  expect(await place.read("a.txt")).toBe("one\n");

  const killed = place.chat(["resume", id]);
  await question(killed);
  expect(onScreen(killed)).toContain("Edit file a.txt");
  killed.kill("SIGKILL");
  await killed.exit;

  const again = place.chat(["resume", id]);
  await question(again);
  expect(onScreen(again)).toMatch(/one[\s\S]*two/);
  expect(onScreen(again)).not.toMatch(/chang\w+ since/);
  again.key("y");
  await again.waitFor("Done at last.");
  expect(await place.read("a.txt")).toBe("two\n");
  await again.waitFor((one) => onScreen(one).includes(prompt));
  await leave(again);
});

it("a file that changes while its question is open is not overwritten: the person is told, and asked again", async () => {
  const place = await openPlace([edit, says("Done on yours.")], { "a.txt": "one\n" });
  const pty = await open(place, "chat", "make it two");
  await question(pty);
  await place.write("a.txt", "mine\none\n");
  pty.key("y");
  await pty.waitFor("changed while you were deciding");
  await question(pty, "mine");
  expect(await place.read("a.txt")).toBe("mine\none\n");
  pty.key("y");
  await pty.waitFor("Done on yours.");
  expect(await place.read("a.txt")).toBe("mine\ntwo\n");
  await pty.waitFor((one) => onScreen(one).includes(prompt));
  await leave(pty);
});

it("opens what a call would write as plain text, asks anew about what the person made of it, and writes that", async () => {
  const place = await openPlace([edit, says("As you wish.")], { "a.txt": "one\n" });
  const pty = await open(place, "chat");
  await say(pty, "make it two");
  await question(pty);
  pty.key("e");
  await pty.waitFor("ctrl+s takes it over");
  expect(onScreen(pty)).not.toContain("old_string");
  pty.key("end");
  pty.type(" and a half");
  await pty.waitFor("two and a half");
  expect(await place.read("a.txt")).toBe("one\n");
  pty.key("ctrl-s");
  await question(pty, "two and a half");
  expect(await place.read("a.txt")).toBe("one\n");
  pty.key("y");
  await pty.waitFor("As you wish.");
  expect(await place.read("a.txt")).toBe("two and a half\n");
  await leave(pty);
});
