import { expect, it } from "vitest";
import type { Pty } from "../../../support/pty.ts";
import { count, leave, playScenes, prompt, say } from "../../../support/scenes.ts";

const scenes = playScenes();
const isFull = (pty: Pty): boolean => pty.term.buffer.active.type === "alternate";
const shows =
  (text: string) =>
  (pty: Pty): boolean =>
    pty.screen().some((row) => row.includes(text));

it("/diff fills the other screen, keys read it, and the chat is as it was after it", async () => {
  const pty = await scenes.start({ scene: "talk" });
  await say(pty, "hello there");
  await pty.waitFor("Now I change it.");
  await say(pty, "/diff");
  await pty.waitFor(isFull);
  await pty.waitFor(shows("changed by this session · src/long.ts +3 −0"));
  expect(pty.raw()).toContain("\x1b[?1007h");
  expect(pty.raw()).not.toMatch(/\x1b\[\?100[0236]h/);
  pty.key("/", "2", "enter");
  await pty.waitFor(shows("finds “2” again"));
  pty.resize(60, 20);
  await pty.waitFor((one) => isFull(one) && one.screen().at(-1)?.includes("(end)") === true);
  pty.key("escape");
  await pty.waitFor((one) => !isFull(one) && shows(prompt)(one));
  expect(pty.raw()).toContain("\x1b[?1007l");
  expect({ talk: count(pty, "Now I change it."), prompts: count(pty, prompt) }).toEqual({ talk: 1, prompts: 1 });
  await leave(pty);
});

/** Whether the wheel sends arrow keys on the other screen of a terminal that has it do so from the first, as VTE's do, and can keep that. */
function wheelOf({ term }: Pty): () => boolean {
  let [isOn, kept] = [true, true];
  const heard = (final: string, hear: () => void): void => {
    term.parser.registerCsiHandler({ prefix: "?", final }, ([mode]) => {
      if (mode === 1007) hear();
      return false;
    });
  };
  heard("s", () => {
    kept = isOn;
  });
  heard("r", () => {
    isOn = kept;
  });
  heard("h", () => {
    isOn = true;
  });
  heard("l", () => {
    isOn = false;
  });
  return () => isOn;
}

it("the wheel is what it was before a full view, also for the programs that come later", async () => {
  const pty = await scenes.start({ scene: "talk" });
  const wheel = wheelOf(pty);
  await say(pty, "hello there");
  await pty.waitFor("Now I change it.");
  await say(pty, "/diff");
  await pty.waitFor((one) => isFull(one) && shows("changed by this session")(one));
  expect(wheel()).toBe(true);
  pty.key("escape");
  await pty.waitFor((one) => !isFull(one) && shows(prompt)(one));
  expect(wheel()).toBe(true);
  await leave(pty);
});

it("Ctrl-C leaves the full view at once; Ctrl-D afterwards the chat", async () => {
  const pty = await scenes.start({ scene: "talk" });
  await say(pty, "/diff");
  await pty.waitFor(isFull);
  pty.key("ctrl-c");
  await pty.waitFor((one) => !isFull(one) && shows(prompt)(one));
  await leave(pty);
});

it("shows another request's change in the full view, and decides there about what was read to its end", async () => {
  const pty = await scenes.start({ scene: "ask" });
  await say(pty, "change it");
  await pty.waitFor("❯ n");
  pty.key("d");
  await pty.waitFor(shows("read: y yes"));
  pty.key("tab");
  await pty.waitFor(shows("write_file src/long.ts"));
  await pty.waitFor((one) => isFull(one) && shows("const line1 = 1;")(one) && !shows("read: y yes")(one));
  pty.key("tab");
  await pty.waitFor(shows("read: y yes"));
  pty.key("y");
  await pty.waitFor((one) => !isFull(one));
  await pty.waitFor(/edit_file src\/a\.ts .*approved once by you/);
  await pty.waitFor(shows("1✔ [2]"));
  pty.key("n");
  await pty.waitFor("All is decided.");
  await pty.waitFor(prompt);
  await leave(pty);
});

it("at 42x10 goes back by Esc from reasons, full view and grant, and denies nothing", async () => {
  const pty = await scenes.start({ scene: "ask", size: [42, 10] });
  await say(pty, "change it");
  await pty.waitFor("❯n deny");
  for (const [key, page] of [
    ["?", "risk: medium"],
    ["d", "esc back"],
    ["p", "enter confirms · esc goes back"],
  ] as const) {
    pty.key(key);
    await pty.waitFor(shows(page));
    pty.key("escape");
    await pty.waitFor((one) => !isFull(one) && shows("❯n deny")(one) && shows("esc denies")(one));
  }
  expect(count(pty, "denied by you")).toBe(0);
  pty.key("n");
  await pty.waitFor("denied by you · edit_file");
  pty.key("n");
  await pty.waitFor("All is decided.");
  await pty.waitFor(prompt);
  await leave(pty);
});

it("leaves one whole dialog when the window is made smaller twice and large again", async () => {
  const pty = await scenes.start({ scene: "ask" });
  await say(pty, "change it");
  await pty.waitFor("❯ n");
  for (const [cols, rows, keys] of [
    [60, 20, "? why · d full"],
    [42, 10, "? · d"],
    [100, 30, "o editor · esc denies · ctrl+c later"],
  ] as const) {
    pty.resize(cols, rows);
    await pty.waitFor(shows(keys));
    pty.key("down");
    await pty.waitFor((one) => /❯ ?r/.test(one.screen().join("\n")));
    pty.key("up");
    await pty.waitFor((one) => /❯ ?n/.test(one.screen().join("\n")));
  }
  expect({ heads: count(pty, "MEDIUM edit_file"), choices: count(pty, "No, deny") }).toEqual({ heads: 1, choices: 1 });
  expect(pty.scrollback().filter((row) => row.startsWith("▌"))).toHaveLength(
    pty.screen().filter((row) => row.startsWith("▌")).length,
  );
  pty.key("n");
  await pty.waitFor(shows("MEDIUM write_file"));
  pty.key("n");
  await pty.waitFor("All is decided.");
  await pty.waitFor(prompt);
  await leave(pty);
});

const bell = "\x07";
const titles = /\x1b\]2;[^\x07]*\x07/g;

it("gives the terminal back on Ctrl-Z in the full view, and is in it again after fg", async () => {
  const pty = await scenes.start({ scene: "talk", shell: true });
  await say(pty, "/diff");
  await pty.waitFor((one) => isFull(one) && shows("changed by this session")(one));
  pty.key("ctrl-z");
  await pty.waitFor((one) => !isFull(one) && /Stopped/.test(one.screen().join()));
  expect({ focus: pty.term.modes.sendFocusMode, cursor: pty.cursor().visible }).toEqual({ focus: false, cursor: true });
  pty.type("echo cooked-$((1+1))\r");
  await pty.waitFor(shows("cooked-2"));
  pty.type("fg\r");
  await pty.waitFor((one) => isFull(one) && shows("changed by this session")(one));
  pty.key("escape");
  await pty.waitFor((one) => !isFull(one) && shows(prompt)(one));
  expect(pty.raw().match(titles)?.at(-1)).toBe("\x1b]2;agent – proj\x07");
  pty.key("ctrl-d");
  await pty.waitFor(/agent resume [\s\S]*shell>/);
  expect({ focus: pty.term.modes.sendFocusMode, full: isFull(pty) }).toEqual({ focus: false, full: false });
});

it("decides nothing while the window is too small for the full view, and goes on in it after that", async () => {
  const pty = await scenes.start({ scene: "ask" });
  await say(pty, "change it");
  await pty.waitFor("❯ n");
  pty.key("d");
  await pty.waitFor((one) => isFull(one) && shows("read: y yes")(one));
  pty.resize(20, 5);
  await pty.waitFor((one) => !isFull(one) && shows("small: make")(one));
  pty.key("y", "n", "n", "enter");
  await pty.resized(21, 5); // by then the keys were read, which came before it
  pty.resize(100, 30);
  await pty.waitFor((one) => isFull(one) && shows("read: y yes")(one));
  pty.key("y");
  await pty.waitFor(shows("1✔ [2]"));
  expect({ approved: count(pty, "approved once by you"), denied: count(pty, "denied by you") }).toEqual({
    approved: 1,
    denied: 0,
  });
});

it("calls a person who reads on the whole screen when a question comes, and says so in the title", async () => {
  const pty = await scenes.start({ scene: "late" });
  await say(pty, "change it");
  await pty.waitFor("I read the file.");
  pty.type("\x1b[O");
  await say(pty, "/diff");
  await pty.waitFor((one) => isFull(one) && shows("changed by this session")(one));
  pty.kill("SIGUSR1");
  await pty.waitFor((one) => !isFull(one) && shows("❯ n")(one));
  expect(pty.raw().replace(titles, "").split(bell)).toHaveLength(2);
  expect(pty.raw().match(titles)?.at(-1)).toContain("waiting");
});
