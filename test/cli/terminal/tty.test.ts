import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { builtProgram } from "../../support/built.ts";
import { openPty, type Pty, type PtyOptions } from "../../support/pty.ts";
import { screenToSvg } from "../../support/screen-svg.ts";

let keyPrinter = "";
beforeAll(async () => {
  keyPrinter = await builtProgram("test/support/tty-program.ts");
});

const open: Pty[] = [];
afterEach(() => Promise.all(open.splice(0).map((pty) => pty.close())));

function start(options: PtyOptions): Pty {
  const pty = openPty(options);
  open.push(pty);
  return pty;
}

/** @param until "fail", or a file: the program loads until it is there */
function program(until = "", extra: Partial<PtyOptions> = {}): Pty {
  const args = [keyPrinter, until];
  return start({ command: process.execPath, args, cols: 60, rows: 20, ...extra });
}

/** The modes that a terminal must be left in: paste unmarked, keyboard protocol popped, cursor shown. */
function expectRestored(pty: Pty): void {
  expect(pty.term.modes.bracketedPasteMode).toBe(false);
  expect(pty.term.modes.sendFocusMode).toBe(false);
  expect(pty.raw().lastIndexOf("\x1b[<u")).toBeGreaterThan(pty.raw().lastIndexOf("\x1b[>1u"));
  expect(pty.cursor().visible).toBe(true);
}

describe("a terminal", () => {
  it("delivers keys, pastes and sizes, and is left as it was found", async () => {
    const pty = program();
    await pty.waitFor("ready 60x20");
    pty.key("a", "ctrl-c", "escape");
    await pty.waitFor("<escape:>");
    pty.key("up", "alt-enter", "shift-tab");
    await pty.waitFor("<shift-tab:>");
    pty.paste("two\nlines");
    await pty.waitFor("<paste:two/lines>");
    pty.resize(50, 10);
    await pty.waitFor("size 50x10");
    expect(pty.scrollback().filter((row) => row.startsWith("<"))).toEqual([
      "<char:a>",
      "<ctrl-char:c>",
      "<escape:>",
      "<up:>",
      "<alt-enter:>",
      "<shift-tab:>",
      "<paste:two/lines>",
    ]);
    pty.key("q");
    expect(await pty.exit).toEqual({ code: 0, signal: 0 });
    expectRestored(pty);
  });

  it("says its background once, among typed keys, and is not asked where it could not understand", async () => {
    const pty = program("", { env: { ASK: "1" } });
    await pty.waitFor("ready");
    await pty.waitFor(({ raw }) => raw().includes("\x1b]11;?\x1b\\"));
    const answer = "\x1b]11;rgb:ffff/8080/0000\x1b\\";
    pty.type(`a${answer}b${answer}`);
    await pty.waitFor("<char:b>");
    pty.key("k");
    await pty.waitFor("<char:k>");
    expect(pty.screen().slice(2, 7)).toEqual(["background 255 128 0", "<char:a>", "<char:b>", "<char:k>", ""]);
    const console = start({ command: "env", args: ["ASK=1", "TERM=linux", process.execPath, keyPrinter] });
    await console.waitFor("ready");
    expect(console.raw()).not.toContain("\x1b]11");
  });

  it("keeps what was typed while the program still loaded, and shows it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tty-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const pty = program(join(folder, "loaded"));
    await pty.waitFor("❯");
    pty.type("hi you");
    await pty.waitFor("❯ hi you");
    pty.key("enter");
    writeFileSync(join(folder, "loaded"), "");
    await pty.waitFor("<enter:>");
    expect(pty.screen().slice(0, 9)).toEqual([
      "the banner",
      "ready 60x20",
      "<char:h>",
      "<char:i>",
      "<char: >",
      "<char:y>",
      "<char:o>",
      "<char:u>",
      "<enter:>",
    ]);
  });

  it("keeps nothing of the painted prompt when the program cannot start", async () => {
    const pty = program("fail");
    expect(await pty.exit).toEqual({ code: 2, signal: 0 });
    expect(pty.screen().slice(0, 3)).toEqual(["the banner", "it cannot start", ""]);
    expect(pty.term.modes.bracketedPasteMode).toBe(false);
  });

  it("is restored by Ctrl-C while the program still loads", async () => {
    const pty = program("/never/there");
    await pty.waitFor("❯");
    pty.key("ctrl-c");
    expect(await pty.exit).toEqual({ code: 130, signal: 0 });
    expect(pty.term.modes.bracketedPasteMode).toBe(false);
  });

  it.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("is restored when %s ends the program", async (signal) => {
    const pty = program();
    await pty.waitFor("ready");
    process.kill(pty.pid, signal);
    expect((await pty.exit).signal).toBeGreaterThan(0);
    expectRestored(pty);
  });

  it("is restored before an error that nobody catches is printed", async () => {
    const pty = program();
    await pty.waitFor("ready");
    pty.key("x");
    expect((await pty.exit).code).toBe(1);
    expectRestored(pty);
    expect(pty.raw().indexOf("\x1b[<u")).toBeLessThan(pty.raw().indexOf("a fault in the program"));
  });

  it("is restored when the program exits in the middle", async () => {
    const pty = program();
    await pty.waitFor("ready");
    pty.key("e");
    expect((await pty.exit).code).toBe(3);
    expectRestored(pty);
  });

  it("is given away and taken back", async () => {
    const pty = program();
    await pty.waitFor("ready");
    pty.key("p");
    await pty.waitFor("back again");
    pty.key("k");
    await pty.waitFor("<char:k>");
    expect(pty.term.modes.bracketedPasteMode).toBe(true);
  });

  it("takes no key for a part of a paste whose rest went to another program", async () => {
    const pty = program();
    await pty.waitFor("ready");
    pty.type("p\x1b[200~half of it");
    await pty.waitFor("back again");
    expect(pty.screen().join("\n")).toContain("<paste:half of it>");
    pty.key("a");
    await pty.waitFor("<char:a>");
    pty.key("q");
    expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  });

  it("has an Esc that came just before it was continued", async () => {
    const pty = program();
    await pty.waitFor("ready");
    pty.type("c");
    await pty.waitFor("<char:c>");
    pty.key("escape");
    await pty.waitFor("back again");
    await pty.waitFor("<escape:>");
  });

  it("is a shell's again after Ctrl-Z, and the program's after fg", async () => {
    const pty = start({ command: "bash", args: ["--norc", "-i"], env: { PS1: "shell> " }, cols: 90, rows: 20 });
    await pty.waitFor("shell>");
    pty.type(`${process.execPath} ${keyPrinter}\r`);
    await pty.waitFor("ready");
    pty.key("ctrl-z");
    await pty.waitFor(/Stopped/);
    pty.type("echo cooked-$((1+1))\r");
    await pty.waitFor("cooked-2");
    pty.type("fg\r");
    await pty.waitFor("back again");
    pty.key("k");
    await pty.waitFor("<char:k>");
    pty.key("q");
    await pty.waitFor(/left\s+shell>/);
  });
});

describe("the screen of a test", () => {
  it("has text, colours and cursor of what a program drew, and becomes a picture", async () => {
    const folder = await mkdtemp(join(tmpdir(), "screen-"));
    try {
      const script = join(folder, "draw.mjs");
      writeFileSync(
        script,
        'process.stdout.write("\\x1b[1;31mred\\x1b[0m 日本 \\x1b[7mx<&\\x1b[0m");setTimeout(() => {}, 60_000);',
      );
      const pty = start({ command: process.execPath, args: [script], cols: 20, rows: 3 });
      await pty.waitFor("x<&");
      expect(pty.screen()).toEqual(["red 日本 x<&", "", ""]);
      expect(pty.cells(0)[0]).toMatchObject({ text: "r", color: "palette:1", bold: true, inverse: false });
      expect(pty.cells(0)[7]).toMatchObject({ text: "x", inverse: true });
      expect(pty.cursor()).toEqual({ row: 0, col: 12, visible: true });
      const svg = screenToSvg(pty, { title: "a <title>" });
      expect(svg).toContain('fill="#e06c75" font-weight="bold" xml:space="preserve">red</text>');
      expect(svg).toContain(">x&lt;&amp;</text>");
      expect(svg).toContain("a &lt;title&gt;");
      await expect(pty.waitFor("never", 50)).rejects.toThrow(/never did not come within 50 ms[\s\S]*red 日本/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("is not looked at in the middle of a frame", async () => {
    const script = `const { stdin, stdout } = process; stdout.write("\\x1b[?2026hhalf");
      stdin.once("data", () => stdout.write("whole\\x1b[?2026l"))`;
    const pty = start({ command: process.execPath, args: ["-e", script], cols: 20, rows: 3 });
    await expect.poll(() => pty.screen()[0]).toBe("half");
    await expect(pty.waitFor("half", 50)).rejects.toThrow("half did not come");
    pty.key("enter");
    await pty.waitFor("whole");
  });

  it.runIf(process.platform === "linux")("leaves no process behind when it is closed", async () => {
    const pty = openPty({ command: "bash", args: ["-c", "sleep 1000 & echo child $!; wait"] });
    await pty.waitFor(/child \d+/);
    const child = Number(/child (\d+)/.exec(pty.raw())?.[1]);
    await pty.close();
    await expect.poll(() => isRunning(child)).toBe(false);
  });
});

/** A dead process that nobody has waited for yet does not run. */
function isRunning(pid: number): boolean {
  try {
    const state = /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return state !== "Z" && state !== "X";
  } catch {
    return false;
  }
}
