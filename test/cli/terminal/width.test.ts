import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { colorSupport, drawingEnvironment, toAnsi } from "../../../src/cli/terminal/colors.ts";
import { graphemeAround, graphemes } from "../../../src/cli/terminal/graphemes.ts";
import type { StyledLine } from "../../../src/cli/terminal/span.ts";
import {
  cells,
  cut,
  cutSpans,
  elidePath,
  expandTabs,
  padEnd,
  wrap,
  wrapSpans,
} from "../../../src/cli/terminal/width.ts";

describe("cells", () => {
  it("agree with the tables for every character of the basic plane", () => {
    const differ: string[] = [];
    for (let code = 0; code < 0x10000; code += 1) {
      const text = String.fromCharCode(code);
      if (cells(text) !== stringWidth(text, { countAnsiEscapeCodes: true })) differ.push(code.toString(16));
    }
    expect(differ).toEqual([]);
  });
  it("agree with the tables for long mixed text", () => {
    const text = "naïve 👨‍👩‍👧‍👦 日本 🇩🇪 é e\u0301 한국 ".repeat(50);
    expect(cells(text)).toBe(stringWidth(text, { countAnsiEscapeCodes: true }));
  });
});

describe("graphemes", () => {
  it("of a long text are those of the whole", () => {
    const text = "a👨‍👩‍👧‍👦日e\u0301🇩🇪\r\nб".repeat(300);
    const whole = Array.from(new Intl.Segmenter().segment("a👨‍👩‍👧‍👦日e\u0301🇩🇪\r\nб"), (part) => part.segment);
    expect(graphemes(text)).toEqual(Array.from({ length: 300 }, () => whole).flat());
  });
  it("are found around any index", () => {
    expect([0, 1, 5, 12].map((index) => graphemeAround("a👨‍👩‍👧‍👦b", index))).toEqual([
      { start: 0, end: 1 },
      { start: 1, end: 12 },
      { start: 1, end: 12 },
      { start: 12, end: 13 },
    ]);
  });
});

describe("fitting", () => {
  it("cuts by cells with an ellipsis", () => {
    expect([cut("hello", 5), cut("hello", 4), cut("日本語", 4), cut("abc", 0)]).toEqual(["hello", "hel…", "日…", ""]);
    expect(cutSpans([{ text: "ab", bold: true }, { text: "cdef" }], 4)).toEqual([
      { text: "ab", bold: true },
      { text: "c…" },
    ]);
  });
  it("shortens a path from the left", () => {
    expect([40, 15, 9, 5, 1].map((width) => elidePath("/home/me/http/retry.ts", width))).toEqual([
      "/home/me/http/retry.ts",
      "…/http/retry.ts",
      "…retry.ts",
      "…y.ts",
      "…",
    ]);
  });
  it("parts text of a script without blanks anywhere, but before no mark that closes and behind none that opens", () => {
    expect(wrap("read 读取工作区里的文件", 12)).toEqual(["read 读取工", "作区里的文件"]);
    expect(wrap("它会修改文件，再问", 12)).toEqual(["它会修改文", "件，再问"]);
    expect(wrap("一二三四五（见下）", 12)).toEqual(["一二三四五", "（见下）"]);
    expect(wrap("运行 agent trust 以信任", 12)).toEqual(["运行 agent", "trust 以信任"]);
  });

  it("wraps between words, keeps styles, parts only what is too long", () => {
    expect(wrap("one two  three\n\nlongerthan8", 8)).toEqual(["one two ", "three", "", "longerth", "an8"]);
    expect(wrapSpans([{ text: "ab ", bold: true }, { text: "cd ef" }], 5)).toEqual([
      [{ text: "ab ", bold: true }, { text: "cd" }],
      [{ text: "ef" }],
    ]);
  });
  it("expands tabs to columns", () => {
    expect([expandTabs("\ta\tb"), expandTabs("日\tx"), padEnd("日", 4)]).toEqual(["    a   b", "日  x", "日  "]);
  });
});

describe("colours", () => {
  it.each([
    [{ TERM: "xterm" }, true, { color: true, styles: true, dumb: false }],
    [{ TERM: "xterm" }, false, { color: false, styles: false, dumb: false }],
    [{ NO_COLOR: "1" }, true, { color: false, styles: true, dumb: false }],
    [{ NO_COLOR: "" }, true, { color: true, styles: true, dumb: false }],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, false, { color: true, styles: true, dumb: false }],
    [{ FORCE_COLOR: "0" }, true, { color: false, styles: false, dumb: false }],
    [{ TERM: "dumb" }, true, { color: false, styles: false, dumb: true }],
    [{ CI: "1" }, true, { color: true, styles: true, dumb: false }],
  ])("%j, terminal %s: %j", (env, isTty, support) => {
    expect(colorSupport(env, isTty)).toEqual(support);
  });
  it("tell the drawing library what it does not read itself", () => {
    expect(drawingEnvironment({ NO_COLOR: "1", CI: "true", HOME: "/" })).toEqual({
      set: { FORCE_COLOR: "0" },
      unset: ["CI"],
    });
    expect(drawingEnvironment({ TERM: "xterm" })).toEqual({ set: {}, unset: [] });
  });
  it("become codes as far as the stream takes them", () => {
    const line = [{ text: "a", bold: true, color: "redBright" as const, background: "blue" as const }, { text: "b" }];
    const styles = { color: true, styles: true, dumb: false };
    expect(toAnsi(line, styles)).toBe("\x1b[1;91;44ma\x1b[0mb");
    expect(toAnsi(line, { ...styles, color: false })).toBe("\x1b[1ma\x1b[0mb");
    expect(toAnsi(line, { color: false, styles: false, dumb: true })).toBe("ab");
  });
});

it("wraps text alike whether or not its characters can be counted without a look at each", () => {
  const words = ["a", "bc", "", "word", "averylongwordwithoutend", " ", "x  y", "-"];
  let seed = 7;
  const next = (most: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % most;
  };
  for (let round = 0; round < 300; round += 1) {
    const line = Array.from({ length: 1 + next(6) }, () => ({
      text: Array.from({ length: next(8) }, () => words[next(words.length)] ?? "").join(" "),
      bold: next(2) === 0,
    }));
    const width = 1 + next(12);
    // a character of one cell that is no simple one has the slow way taken
    const odd = line.map((span) => ({
      ...span,
      text: span.text.replaceAll("-", "\u{10330}").replaceAll("a", "\u{10331}"),
    }));
    const even = line.map((span) => ({ ...span, text: span.text.replaceAll("-", "Q").replaceAll("a", "Z") }));
    const plain = (rows: StyledLine[]): string =>
      JSON.stringify(rows).replaceAll("\u{10330}", "Q").replaceAll("\u{10331}", "Z");
    expect(plain(wrapSpans(even, width))).toBe(plain(wrapSpans(odd, width)));
  }
});
