import { expect, test } from "vitest";
import { plainText } from "../../../../src/cli/terminal/span.ts";
import { cells } from "../../../../src/cli/terminal/width.ts";
import { footerLine, statusLines } from "../../../../src/cli/ui/status/status-lines.ts";
import { play } from "../../../support/views.ts";

const usage = (contextUsed: number) =>
  ({ type: "usage", inputTokens: 12_400, outputTokens: 830, contextUsed, contextWindow: 128_000 }) as const;
const place: Parameters<typeof footerLine>[1] = { folder: "~/proj", branch: "main" };
const text = (view: Parameters<typeof footerLine>[0], columns: number, seconds = 0, at = place) =>
  plainText(footerLine(view, at, seconds, columns));

test("the last row says where the person is, and leaves out what matters least where it is narrow", () => {
  const view = play(usage(20_000));
  expect([130, 100, 60, 42].map((columns) => text(view, columns, 72))).toEqual([
    "ask · ~/proj (main) · demo · 16 % of 128k · ↑12k ↓830 · 72 s · brisk-otter-4f2a · shift+tab mode · /help",
    "ask · ~/proj (main) · demo · 16 % of 128k · ↑12k ↓830 · 72 s · brisk-otter-4f2a",
    "ask · ~/proj (main) · demo · 16 % of 128k · ↑12k ↓830 · 72 s",
    "ask · ~/proj (main) · demo · 16 % of 128k",
  ]);
});

test("from 70 % on the context is a warning, which stays where it is narrow", () => {
  const shares = [88_000, 90_000, 120_000].map((used) => footerLine(play(usage(used)), place, 0, 42));
  expect(shares.map(plainText)).toEqual([
    "ask · ~/proj (main) · demo · 69 % of 128k",
    "ask · ~/proj (main) · ⚠ context 70 % full",
    "ask · ~/proj (main) · ⚠ context 94 % full",
  ]);
  expect(shares.map((row) => row.find((span) => span.text.includes("context"))?.color)).toEqual([
    undefined,
    "yellow",
    "red",
  ]);
});

test("background jobs that run stand beside the mode, as long as there is room for anything", () => {
  const rows = [0, 1, 2].map((jobs) => text(play(usage(20_000)), 42, 72, { ...place, jobs }));
  expect(rows).toEqual([
    "ask · ~/proj (main) · demo · 16 % of 128k",
    "ask · ● 1 job · ~/proj (main) · demo",
    "ask · ● 2 jobs · ~/proj (main) · demo",
  ]);
});

test("how a thought began stands beside the work, as far as there is room, in one safe line", () => {
  const thinks = (text: string) => ({ type: "notice", level: "info", code: "thinking", text }) as const;
  const view = { ...play(thinks("First the \u001b[2Jparser,"), thinks(" then its tests.\nMore.")), running: true };
  const rows = [100, 60, 42].map((columns) =>
    statusLines({ view, flash: "", aside: false, mark: "*", seconds: 12 }, columns).map(plainText),
  );
  expect(rows).toEqual([
    ["* working · 12 s · esc stops · thinks, 43 characters: First the ␛[2Jparser, then its tests."],
    ["* working · 12 s · esc stops · thinks: First the ␛[2Jparser…"],
    ["* working · 12 s · esc stops"],
  ]);
  const long = { ...play(thinks("word ".repeat(2_000))), running: true };
  const [row = []] = statusLines({ view: long, flash: "", aside: false, mark: "*", seconds: 0 }, 100);
  expect(plainText(row)).toMatch(/^\* working · esc stops · thinks, 10k characters: (word )+.*…$/u);
  expect(cells(plainText(row))).toBeLessThanOrEqual(100);
});

test("what the person chose stands behind the mode in their order, and the first of it has room first", () => {
  const rows = (chosen: Parameters<typeof footerLine>[4], used = 20_000, columns = 100) =>
    plainText(footerLine(play(usage(used)), { ...place, jobs: 1 }, 72, columns, chosen));
  expect(rows(["tokens", "time", "place"])).toBe("ask · ↑12k ↓830 · 72 s · ~/proj (main)");
  expect(rows(["session", "model", "place"], 20_000, 32)).toBe("ask · brisk-otter-4f2a · demo");
  expect(rows([])).toBe("ask");
  expect(rows([], 120_000)).toBe("ask · ⚠ context 94 % full");
  expect(rows(["session", "context"], 120_000, 28)).toBe("ask · ⚠ context 94 % full");
});

test("a long folder and a long branch leave room for the rest", () => {
  const at = { folder: `~/${"deep/".repeat(40)}proj`, branch: "feature/".repeat(30) };
  for (const columns of [42, 60, 100, 140]) {
    const row = text(play(usage(10)), columns, 5, at);
    expect(cells(row)).toBeLessThanOrEqual(columns);
    expect(row).toMatch(/^ask · …?.*\(feature/);
  }
});

test("a long turn is told in minutes", () => {
  expect([1, 2, 119, 125].map((seconds) => text(play(), 100, seconds).split(" · ")[3])).toEqual([
    "brisk-otter-4f2a",
    "2 s",
    "119 s",
    "2 min 5 s",
  ]);
});
