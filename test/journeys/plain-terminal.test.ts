import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";

const lines = (pty: Pty): string[] => pty.scrollback().join("\n").trimEnd().split("\n");
const write = (file: string) => asks("write_file", { file_path: file, content: "x\n" }, { text: "I write." });

/** A chat in plain lines, as a screen reader wants it and a dumb terminal gets it. */
async function open(place: Place, ...argv: string[]): Promise<Pty> {
  place.env["HOLDFAST_SCREEN_READER"] = "1";
  return place.chat(argv, { cols: 200, rows: 40 });
}

async function say(pty: Pty, text: string, answer: string): Promise<void> {
  pty.type(`${text}\r`);
  await pty.waitFor(answer);
}

it("shows what was typed once, what the agent says on lines of its own, and asks with the dialog's letters", async () => {
  const place = await openPlace([write("src/a.txt"), says("Done."), write("src/b.txt"), says("Again.")]);
  const pty = await open(place, "chat");
  await pty.waitFor("> ");
  await say(pty, "write it", "s, session");
  await pty.waitFor((one) => lines(one).at(-1) === ">");
  await say(pty, "what", "Type n, r REASON, e JSON, y, s, p or m.");
  await say(pty, "s", "Done.");
  await pty.waitFor((one) => lines(one).at(-1) === ">");
  expect(lines(pty).filter((line) => line.includes("write it"))).toEqual(["> write it"]);
  expect(lines(pty).filter((line) => /> *[❯●>]/.test(line))).toEqual([]);
  expect(await readFile(join(place.home, "grants.json"), "utf8")).toContain('"scope": "session"');
  await say(pty, "/help", "p or project");
  expect(lines(pty).join("\n")).toMatch(/s or session[\s\S]*p or project/);
  expect(lines(pty).join("\n")).not.toContain("shift+tab");
  pty.key("ctrl-d");
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
});

it("shows a first message that came with the command once, without a mark for typing before it", async () => {
  const place = await openPlace([says("Hi.")]);
  const pty = await open(place, "chat", "hello there");
  await pty.waitFor("Hi.");
  await pty.waitFor((one) => lines(one).at(-1) === ">");
  expect(lines(pty).filter((line) => line.includes("hello there"))).toEqual(["❯ hello there"]);
  pty.key("ctrl-d");
  await pty.exit;
  expect(lines(pty).at(-1)).toMatch(/^agent resume /);
});

it("approves nothing by an answer that Ctrl-C took back, nor by one after the question was put off", async () => {
  const place = await openPlace([write("a.txt"), says("I understand.")]);
  const pty = await open(place, "chat");
  await pty.waitFor("> ");
  await say(pty, "write it", "y, yes");
  await pty.waitFor((one) => lines(one).at(-1) === ">");
  pty.type("y");
  await pty.waitFor((one) => lines(one).at(-1) === "> y");
  pty.key("ctrl-c");
  await pty.waitFor((one) => lines(one).at(-1) === ">");
  await say(pty, "", "Nothing was decided. Type n");
  pty.key("ctrl-c");
  await pty.waitFor("the call stays waiting");
  await pty.waitFor((one) => lines(one).at(-1) === ">");
  pty.key("enter");
  await pty.waitFor((one) => lines(one).filter((line) => line.startsWith("What now?")).length === 2);
  pty.key("ctrl-c");
  await pty.waitFor((one) => lines(one).filter((line) => line.includes("stays waiting")).length === 2);
  await say(pty, "y", "I understand.");
  expect(lines(pty).join("\n")).not.toMatch(/Stopped\.|approved/);
  expect(place.has("a.txt")).toBe(false);
  await pty.waitFor((one) => lines(one).at(-1) === ">");
  pty.key("ctrl-d");
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
});

it("/rewind goes on from an earlier message: what it would do is told, the undo is asked about, and the talk goes on in a fork", async () => {
  const place = await openPlace([write("a.txt"), says("First."), write("b.txt"), says("Second."), says("Other.")]);
  const pty = await open(place, "chat", "--mode", "accept-edits");
  await pty.waitFor("> ");
  await say(pty, "/rewind", "there is no earlier message to go on from");
  await say(pty, "write a", "First.");
  await say(pty, "write b", "Second.");
  await say(pty, "/rewind", "/rewind N tells");
  expect(lines(pty).join("\n")).toMatch(/1 {2}write a {2}· 2 files since\n\s+2 {2}write b {2}· 1 file since/);
  await say(pty, "/rewind 3", "there is no message 3");
  await say(pty, "/rewind 2", "/rewind 2 talk: talk only");
  expect(lines(pty).join("\n")).toMatch(/changed since, to be taken back:\n\s+b\.txt/);
  const [first = ""] =
    pty
      .scrollback()
      .join("\n")
      .match(/[a-z]+-[a-z]+-\d{4}/) ?? [];
  await say(pty, "/mode ask", "the mode is now ask");
  await say(pty, "/rewind 2 both", "y, yes");
  await pty.waitFor((one) => lines(one).at(-1) === ">");
  await say(pty, "y", "Not sent: write b");
  await pty.waitFor(`the one before is saved as ${first}`);
  expect([await readdir(place.workspace)]).toEqual([["a.txt"]]);
  await say(pty, "something else", "Other.");
  const asked = JSON.stringify(place.server.requests.at(-1)?.body.messages);
  expect([asked.includes("write a"), asked.includes("write b"), asked.includes("something else")]).toEqual([
    true,
    false,
    true,
  ]);
  pty.key("ctrl-d");
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
});
