import { expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { answersIn } from "../support/talks.ts";

/** Three explorers: one has ended, one says nothing until `speak`, one reads a file and is silent then. */
async function placeOf(): Promise<{ place: Place; speak(): void }> {
  let speak: () => void = () => undefined;
  const later = new Promise<Reply>((resolve) => {
    speak = () => resolve(says("b is fine, **too**."));
  });
  const talks: Readonly<Record<string, readonly (Reply | Promise<Reply>)[]>> = {
    go: [asks("agent", { task: ["look at a\nand say more", "look at b", "look at c"] }), says("All done.")],
    "look at a\nand say more": [asks("read_file", { file_path: "a.txt" }), says("a says one.\n\n".repeat(40))],
    "look at b": [later],
    "look at c": [asks("read_file", { file_path: "a.txt" }), new Promise<Reply>(() => undefined)],
  };
  const answer = answersIn(talks);
  const place = await openPlace(
    Array.from({ length: 16 }, () => answer),
    { "a.txt": "one\n" },
  );
  return { place, speak };
}

const onScreen = (pty: Pty): string => pty.screen().join("\n");
const shows = (pty: Pty, wanted: RegExp): Promise<void> => pty.waitFor((one) => wanted.test(onScreen(one)), 15_000);

it.each([
  [100, 30],
  [60, 20],
])("lists the helpers at work at %d columns, reads their talks, and stops one alone", async (cols, rows) => {
  const { place, speak } = await placeOf();
  const pty = place.chat(["chat", "go"], { cols, rows });
  await pty.waitFor(/explorer 1 · (read_file|Read)/u);
  pty.key("ctrl-o");
  await shows(pty, /^3 helpers, 2 running\n/u);
  await shows(pty, /1 {2}explorer 1 {2}look at a .* done · 2 steps/u);
  await shows(pty, /2 {2}explorer 2 {2}look at b .* running · 0 steps/u);
  pty.key("home", "enter");
  await shows(pty, /^explorer 1 {2}done · 2 steps, .*\n\n❯ look at a\n {2}and say more\n\n/u);
  pty.type("G");
  await shows(pty, /\(end\)/u);
  pty.key("escape");
  await shows(pty, /x stops it/u);
  pty.key("down", "enter");
  await shows(pty, /❯ look at b/u);
  speak();
  await shows(pty, /b is fine, too\./u);
  await shows(pty, /^explorer 2 {2}done · 1 step/u);
  pty.key("escape");
  await shows(pty, /x stops it/u);
  pty.key("down");
  await shows(pty, /❯ {2}3/u);
  pty.type("x");
  await shows(pty, /stop it\? y stops it/u);
  pty.type("n");
  await shows(pty, /it goes on/u);
  pty.type("xy");
  await shows(pty, /explorer 3 {2}look at c .* stopped · 1 step/u);
  await shows(pty, /^3 helpers\n/u);
  pty.key("escape");
  await pty.waitFor("All done.", 15_000);
  expect(place.heard(-1, -1)).toMatch(/explorer 3 \(\S+-003\): stopped by the person after 1 step/u);
  pty.type("/agents\r");
  await shows(pty, /^3 helpers\n[\s\S]*❯ {2}3/u);
  pty.key("escape");
  await shows(pty, /ask, or/u);
  pty.key("ctrl-d");
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
});

it("tells them as lines where lines are all there is, reads one by its place and stops one", async () => {
  const { place, speak } = await placeOf();
  place.env["HOLDFAST_SCREEN_READER"] = "1";
  const pty = place.chat(["chat", "go"], { cols: 100, rows: 40 });
  await expect.poll(() => place.server.requests.length, { timeout: 15_000 }).toBe(6);
  pty.type("/agents\r");
  await pty.waitFor(/3 helpers, 2 running\n +1\. explorer 1: look at a\n +done · 2 steps, /u, 15_000);
  await pty.waitFor("/agents N shows the talk of one, /agents stop N stops one", 15_000);
  pty.type("/agents 1\r");
  await pty.waitFor(/and say more[\s\S]*a says one\./u, 15_000);
  pty.type("/agents 9\r");
  await pty.waitFor("there is no helper 9: /agents shows them", 15_000);
  pty.type("/agents stop 3\r");
  await pty.waitFor("explorer 3 is stopped", 15_000);
  pty.type("/agents stop 3\r");
  await pty.waitFor(/-003 has ended already/u, 15_000);
  speak();
  await pty.waitFor("All done.", 15_000);
  pty.key("ctrl-d");
  expect((await pty.exit).code).toBe(0);
});

it("says in plain lines that there are none, and that is all", async () => {
  const place = await openPlace([says("Hi.")]);
  const pty = place.chat(["chat", "go"], { cols: 100, rows: 30 }, { TERM: "dumb" });
  await pty.waitFor("Hi.", 15_000);
  pty.type("/agents\r");
  await pty.waitFor("this session has no helpers", 15_000);
  pty.key("ctrl-d");
  expect((await pty.exit).code).toBe(0);
});
