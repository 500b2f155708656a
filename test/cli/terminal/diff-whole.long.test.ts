import { beforeAll, expect, it } from "vitest";
import { type DiffOptions, layoutDiff } from "../../../src/cli/terminal/diff-view.ts";
import { loadHighlighter } from "../../../src/cli/terminal/highlight.ts";
import type { Highlight } from "../../../src/cli/terminal/markdown-theme.ts";
import { plainText } from "../../../src/cli/terminal/span.ts";
import { cells } from "../../../src/cli/terminal/width.ts";
import { diffOf } from "../../../src/files/diff/diff.ts";
import type { NamedDiff } from "../../../src/files/diff/diff-text.ts";

let highlight: Highlight;
beforeAll(async () => {
  highlight = await loadHighlighter();
});

/** The same numbers from 0 to `below` on every run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pieces = [
  ..."const let if (a) { } => [x] \"text 'q ` $ y // /* */ # return 42 0x1f; ".split(" "),
  ...["  ", "\t", "\t\t", " ", "日本語", "é", "e\u0301", "👨‍👩‍👧‍👦", "🇩🇪", "ﷺ", "⟦", "⟧", "→", "·"],
  ...["\x1b[2K", "\x1b]0;t\x07", "\r", "\u202e", "\u2066", "\u200d", "\x9b1m", "\ud800", "\0"],
  "word".repeat(40),
  "EVIL();",
];

function textOf(random: (below: number) => number): string {
  const line = () =>
    Array.from({ length: random(14) }, () => pieces[random(pieces.length)])
      .join(random(2) === 0 ? " " : "")
      .slice(0, 900);
  return `${Array.from({ length: random(12) }, line).join("\n")}${random(3) === 0 ? "" : "\n"}`;
}

/** A text with some of its lines changed a little. */
function changed(text: string, random: (below: number) => number): string {
  return text
    .split("\n")
    .map((line) => (random(3) === 0 ? line.replace(/\w+|$/, pieces[random(pieces.length)] ?? "") : line))
    .join("\n");
}

/** All that must be seen of a text: its characters that are neither blank nor stand for something else. */
const seen = (text: string): string => text.replace(/[^!-~\u3040-\u9fff\u{1f468}-\u{1f469}\u{1f1e6}-\u{1f1ff}ﷺ]/gu, "");

const layouts: DiffOptions[] = [
  {},
  { brackets: true },
  { sideBySide: true },
  { sideBySide: true, brackets: true },
] satisfies DiffOptions[];

/** What stands on each side, gutter and separator taken off, by row; of the changed lines only. */
function sidesOf(change: NamedDiff, width: number, options: DiffOptions): { "-": string; "+": string } {
  const laidOut = layoutDiff([change], width, { ...options, names: false });
  const rows = laidOut.slice(0, laidOut.length);
  const highest = rows.reduce((most, row) => Math.max(most, row.old ?? 0, row.new ?? 0), 0);
  const found = { "-": "", "+": "" };
  for (const { kind, spans } of rows) {
    const text = plainText(spans);
    expect(cells(text)).toBeLessThanOrEqual(width);
    const two = options.sideBySide === true && change.kind === "modify" && text.includes(" │ ");
    const isNumbered = highest > 0 && width >= 30 && (!two || Math.floor((width - 3) / 2) >= 24);
    const signAt = isNumbered ? String(highest).length + 1 : 0;
    for (const half of two ? text.split(" │ ") : [text]) {
      const sign = half.charAt(signAt);
      if (kind === "hunk" || kind === "note" || (sign !== "-" && sign !== "+")) continue;
      found[sign] += half.slice(signAt + 1);
    }
  }
  return found;
}

const linesOf = (change: NamedDiff, sign: "-" | "+"): string =>
  change.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === sign).map(({ text }) => text)).join("");

/** Whether the characters of `text` come in `shown` in their order. */
function isWithin(text: string, shown: string): boolean {
  let at = 0;
  for (const char of text) {
    at = shown.indexOf(char, at) + char.length;
    if (at < char.length) return false;
  }
  return true;
}

const changeOf = (before: string, after: string, name = "a.ts"): NamedDiff => ({
  name,
  kind: before === "" ? "new" : "modify",
  ...diffOf(before, after, name),
});

it.each(layouts)("every changed character of both sides is in the rows, at any width, in any text: %o", (options) => {
  for (let seed = 1; seed <= 25; seed += 1) {
    const random = randomOf(seed);
    const before = textOf(random);
    const after = random(4) === 0 ? textOf(random) : changed(before, random);
    const change = changeOf(before, after, ["a.ts", "b.py", "c.md", "d.unknown"][seed % 4]);
    for (const width of [20, 21, 33, 60, 100, 139, 140, 200]) {
      const shown = sidesOf(change, width, { ...options, highlight });
      expect(sidesOf(change, width, options)).toEqual(shown);
      for (const sign of ["-", "+"] as const)
        expect(isWithin(seen(linesOf(change, sign)), seen(shown[sign])), `seed ${seed}, ${width} columns`).toBe(true);
    }
  }
});

it.each(layouts)("plain code is in the rows exactly, in its order: %o", (options) => {
  const code = (value: string) =>
    Array.from({ length: 30 }, (_, at) => `${"  ".repeat(at % 7)}call${at}(${value}, \`x${"y".repeat(at * 9)}`).join(
      "\n",
    );
  for (let width = 20; width <= 200; width += 12) {
    const change = changeOf(code("one"), code("two"));
    const shown = sidesOf(change, width, { ...options, highlight });
    for (const sign of ["-", "+"] as const) expect(seen(shown[sign])).toBe(seen(linesOf(change, sign)));
  }
});

it.each(layouts)("a line of 3,600 characters shows what is hidden in its middle: %o", (options) => {
  const line = (middle: string) => `${"x = 1; ".repeat(250)}${middle}${"y = 2; ".repeat(250)}`;
  for (const width of [20, 60, 140, 200]) {
    const shown = sidesOf(changeOf(`${line("")}\n`, `${line("EVIL();")}\n`), width, { ...options, highlight });
    expect(shown["+"].replaceAll(" ", "")).toContain("EVIL();");
    expect(shown["-"].replaceAll(" ", "")).not.toContain("EVIL();");
  }
});

it.each(layouts)("nothing that a terminal would obey is in the rows: %o", (options) => {
  const hostile = "\x1b[2J\x1b]52;c;eA==\x07\x9b31m\u202ereversed\u2066\u200b\r\b\0";
  const change = changeOf(`f() {\n${hostile}\n`, `f() {\n${hostile} now\n`);
  const rows = layoutDiff([{ ...change, hunks: change.hunks.map((hunk) => ({ ...hunk, section: hostile })) }], 60, {
    ...options,
    highlight,
  });
  for (const { spans } of rows.slice(0, rows.length))
    expect(plainText(spans)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]/);
});
