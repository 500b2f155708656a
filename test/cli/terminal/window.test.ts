import { expect, test } from "vitest";
import { notification, titleBack, titleKept, titleSet } from "../../../src/cli/terminal/window.ts";

const xterm = { TERM: "xterm-256color" };
const hostile = "a\x1b]52;c;aGk=\x07b\u009d0;x\u009c\nc\u202ed";

test("a title holds nothing that a terminal would act on", () => {
  const set = titleSet(hostile, xterm);
  expect(set.startsWith("\x1b]2;") && set.endsWith("\x07")).toBe(true);
  expect(set.slice(4, -1)).toBe("a ]52;c;aGk= b 0;x c d");
});

test("a notification is one sequence, whatever the call is named", () => {
  expect(notification(hostile, xterm)).toBe("\x1b]9;agent: a ]52,c,aGk= b 0,x c d\x07");
  expect(notification("one;two", { TERM: "foot" })).toBe("\x1b]777;notify;agent;one,two\x07");
  expect(notification("x", { ...xterm, TMUX: "/tmp/a" })).toBe("\x1bPtmux;\x1b\x1b]9;agent: x\x07\x1b\\");
});

test("a terminal that would draw the sequences gets none", () => {
  for (const TERM of ["linux", "dumb"]) {
    expect([titleKept({ TERM }), titleSet("a", { TERM }), titleBack({ TERM })]).toEqual(["", "", ""]);
    expect(notification("a", { TERM })).toBe("\x07");
  }
});

test("a name of any length is bounded, and never cut in a character", () => {
  expect(titleSet("🦦".repeat(300), xterm)).toBe(`\x1b]2;${"🦦".repeat(100)}\x07`);
});
