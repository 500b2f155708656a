import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { themeColors } from "../../../../src/cli/terminal/theme-colors.ts";
import { count, leave, playScenes, prompt, say } from "../../../support/scenes.ts";

const scenes = playScenes();

describe.each([
  [100, 30],
  [60, 20],
] as const)("at %ix%i", (cols, rows) => {
  it("asks with the diff, applies nothing by a wrong key or a paste, and keeps one line of each decision", async () => {
    const pty = await scenes.start({ scene: "ask", size: [cols, rows] });
    await say(pty, "change it");
    await pty.waitFor("❯ n");
    expect(pty.screen().join("\n")).toMatch(/MEDIUM edit_file src\/a\.ts \+1 −1 .*\[1\] 2/);
    pty.paste("y\ny\n");
    await pty.waitFor("a paste decides nothing here");
    pty.key("x");
    await pty.waitFor("is no choice here");
    pty.key("y");
    await pty.waitFor("edit_file src/a.ts +1 −1 · approved once by you");
    await pty.waitFor("MEDIUM write_file src/long.ts");
    pty.key("r");
    await pty.waitFor("why not?");
    pty.type("too long");
    pty.key("enter");
    await pty.waitFor("All is decided.");
    await pty.waitFor(prompt);
    expect(count(pty, "✖ denied by you · write_file src/long.ts +60 −0 · too long")).toBe(1);
    expect({ denied: count(pty, "denied"), cancelled: count(pty, "cancelled") }).toEqual({ denied: 1, cancelled: 0 });
    expect(count(pty, "approved once by you")).toBe(1);
    expect(count(pty, "I read the file.")).toBe(1);
    expect(count(pty, "No, deny")).toBe(0);
    await leave(pty);
  });

  it("writes a long answer once, line after line, and draws nothing twice when the terminal changes its size", async () => {
    const pty = await scenes.start({ scene: "long", size: [cols, rows] });
    await say(pty, "tell me");
    await pty.waitFor("Paragraph 60 of");
    await pty.waitFor(prompt);
    for (const [width, height] of [
      [cols - 15, rows],
      [cols - 15, rows + 5],
      [cols + 20, rows],
      [45, rows],
    ] as const) {
      await (width < pty.term.cols ? pty.resized(width, height) : pty.resize(width, height));
      const key = `w${width}h${height}`;
      pty.type(key);
      await pty.waitFor((one) => one.screen().some((row) => row.includes(`❯ ${key}`)));
      pty.key("ctrl-u");
      await pty.waitFor((one) => one.screen()[one.cursor().row]?.includes("ask, or /") === true);
    }
    for (let index = 1; index <= 60; index += 1) expect(count(pty, `Paragraph ${index} of`)).toBe(1);
    expect(count(pty, "ask, or / for")).toBe(1);
    expect(count(pty, "❯ tell me")).toBe(1);
    expect(count(pty, "ask · ~/proj")).toBe(1);
    await leave(pty);
  });
});

it("keeps each row of the talk where the window becomes lower and narrower at once", async () => {
  const pty = await scenes.start({ scene: "talk" });
  await say(pty, "tell me");
  await pty.waitFor("Now I change it.");
  await pty.waitFor((one) => one.screen()[one.cursor().row]?.includes("ask, or /") === true);
  for (const [columns, rows] of [
    [60, 20],
    [42, 10],
  ] as const) {
    await pty.resized(columns, rows);
    pty.type(`${columns}`);
    await pty.waitFor((one) => one.screen()[one.cursor().row]?.includes(`${columns}`) === true);
  }
  expect(["I read the file.", "const a = 1;", "Now I change it."].map((row) => count(pty, row))).toEqual([1, 1, 1]);
  pty.key("ctrl-u");
  await leave(pty);
});

it("decides nothing by keys that were typed before the question could be read", async () => {
  const pty = await scenes.start({ scene: "ask", clock: "still" });
  await say(pty, "change it");
  await pty.waitFor("❯ n");
  pty.type("yes");
  await pty.waitFor("your draft is kept: “yes”");
  pty.key("enter", "y");
  await pty.waitFor("your draft is kept: “yesy”");
  expect(count(pty, "MEDIUM edit_file src/a.ts")).toBe(1);
  pty.key("ctrl-c");
  await pty.waitFor("the call stays waiting");
  pty.key("ctrl-c");
  await leave(pty, 0);
});

it("asks for the word yes where the risk is high, and shows the whole diff in full screen", async () => {
  const pty = await scenes.start({ scene: "high" });
  await say(pty, "change it");
  await pty.waitFor("not all shown");
  pty.key("d");
  await pty.waitFor((one) => one.term.buffer.active.type === "alternate");
  await pty.waitFor("j k space b g G");
  pty.key("y");
  await pty.waitFor("lines 27-61 not shown: space goes there");
  pty.key("space");
  await pty.waitFor("27-52 of 61");
  pty.key("space");
  await pty.waitFor("const line60 = 60;");
  await pty.waitFor("read: y yes");
  pty.key("escape");
  await pty.waitFor((one) => one.term.buffer.active.type === "normal");
  await pty.waitFor((one) => one.screen().some((row) => row.includes("(asks for the word yes)")));
  pty.key("y");
  await pty.waitFor("type yes to approve:");
  pty.type("ye");
  pty.key("enter");
  await pty.waitFor("not approved: the word was not “yes”");
  pty.key("y");
  await pty.waitFor("type yes to approve:");
  pty.type("yes");
  pty.key("enter");
  await pty.waitFor(/write_file src\/long\.ts.* · approved once by you/);
  await pty.waitFor(prompt);
  await leave(pty);
});

it("runs the person's own editor for the text that is meant and gives the screen back after it", async () => {
  const pty = await scenes.start({ scene: "high", env: { EDITOR: "echo added >>" } });
  await say(pty, "change it");
  await pty.waitFor("not all shown");
  pty.key("o");
  await pty.waitFor("✎ arguments edited by you");
  await pty.waitFor(prompt);
  await leave(pty);
});

it("calls a person who looks elsewhere once, says in the title what waits, and gives the window back as it was", async () => {
  const pty = await scenes.start({ scene: "ask" });
  await pty.waitFor(prompt);
  pty.type("\x1b[O");
  await say(pty, "change it");
  await pty.waitFor("❯ n");
  pty.type("y");
  await pty.waitFor("MEDIUM write_file src/long.ts");
  pty.type("n");
  await pty.waitFor("All is decided.");
  await pty.waitFor(prompt);
  await leave(pty);
  const titles = /\x1b\]2;([^\x07]*)\x07/g;
  const told = [...pty.raw().matchAll(titles)].map(([, title]) => title).filter((title) => !title?.endsWith("working"));
  expect(told.filter((title, index) => title !== told[index - 1])).toEqual([
    "agent – proj",
    "agent – proj – waiting",
    "agent – proj",
    "",
  ]);
  expect(pty.raw().replace(titles, "").split("\x07")).toHaveLength(2);
  const modes = ["\x1b[22;2t", "\x1b[23;2t"].map((mode) => pty.raw().split(mode).length - 1);
  expect(modes).toEqual([1, 1]);
  expect(pty.term.modes.sendFocusMode).toBe(false);
});

it("keeps the input's history in its file, and completes commands and files", async () => {
  const pty = await scenes.start({ scene: "talk" });
  await say(pty, "look at @REA");
  await pty.waitFor("❯ README.md");
  pty.key("tab");
  await pty.waitFor("❯ look at @README.md");
  pty.key("enter");
  await pty.waitFor("Now I change it.");
  pty.type("/he");
  await pty.waitFor("❯ /help");
  pty.key("tab", "enter");
  await pty.waitFor("all that this session changed");
  await expect.poll(() => readFile(scenes.historyFile(), "utf8")).toContain('"look at @README.md"\n');
  pty.key("shift-tab");
  await pty.waitFor("accept-edits · ~/proj");
  await leave(pty);
});

it("leaves no second copy of its question when the window becomes narrower", async () => {
  const pty = await scenes.start({ scene: "ask" });
  await say(pty, "change it");
  await pty.waitFor("❯ n");
  const whole = "? why · d full screen · o editor · esc denies · ctrl+c later";
  for (const [width, keys] of [
    [60, "tab next · l list · A all · ? why · d full · esc no"],
    [100, whole],
    [45, "tab next · l list · A all · ? · d · esc no"],
    [100, whole],
  ] as const) {
    pty.resize(width, 30);
    await pty.waitFor((one) => one.screen().some((row) => row.endsWith(keys)));
    pty.key("down");
    await pty.waitFor("❯ r");
    pty.key("up");
    await pty.waitFor((one) => one.screen().some((row) => row.includes("❯ n")));
  }
  expect({ question: count(pty, "MEDIUM edit_file"), menu: count(pty, "No, deny") }).toEqual({ question: 1, menu: 1 });
  pty.key("n");
  await pty.waitFor("MEDIUM write_file");
  pty.key("n");
  await pty.waitFor("All is decided.");
  await pty.waitFor(prompt);
  await leave(pty);
});

it("has no colours under NO_COLOR, and still tells the lines of a diff apart", async () => {
  const pty = await scenes.start({ scene: "ask", env: { NO_COLOR: "1" } });
  await say(pty, "change it");
  await pty.waitFor("❯ n");
  expect(pty.raw()).not.toMatch(/\x1b\[[0-9;]*\b(3[0-7]|9[0-7]|4[0-7])m/);
  expect(pty.screen().join("\n")).toContain('2 +   return "hello⟦, world⟧";');
  pty.key("n");
  await pty.waitFor("✖ denied by you");
  pty.key("ctrl-d");
  await leave(pty);
});

it("takes the colours that the terminal's background wants, and types nothing of its answer", async () => {
  const pty = await scenes.start({ scene: "ask", env: { COLORTERM: "truecolor", COLORFGBG: undefined } });
  await pty.waitFor((one) => one.raw().includes("\x1b]11;?\x1b\\"));
  pty.type("\x1b]11;rgb:ffff/ffff/ffff\x1b\\");
  await say(pty, "change it");
  await pty.waitFor("❯ n");
  const row = pty.screen().findIndex((line) => line.includes("2 + "));
  const [light] = themeColors.light.grounds.added.shade;
  const ground = `rgb:${light.slice(1)}`;
  expect(pty.cells(row).at(-1)).toMatchObject({ text: " ", background: ground });
  expect(pty.scrollback().filter((line) => line.includes("ffff"))).toEqual([]);
  pty.key("n");
  await pty.waitFor("✖ denied by you");
  pty.key("ctrl-d");
  await leave(pty);
});

it("asks in plain lines at a dumb terminal, where only whole words decide", async () => {
  const pty = await scenes.start({ scene: "high", env: { TERM: "dumb" } });
  await say(pty, "change it");
  await pty.waitFor("4. yes");
  expect(pty.scrollback().join("\n")).toContain("+const line60 = 60;");
  pty.type("y");
  pty.key("enter");
  await pty.waitFor("Nothing was decided.");
  pty.type("yes");
  pty.key("enter");
  await pty.waitFor("All is decided.");
  expect(pty.raw()).not.toMatch(/\x1b\[/);
  pty.key("ctrl-d");
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
});
