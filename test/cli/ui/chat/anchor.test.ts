import { expect, it } from "vitest";
import { Anchor } from "../../../../src/cli/ui/chat/anchor.ts";
import type { Frame, Part } from "../../../../src/cli/ui/chat/live-frame.ts";
import { nowhere } from "../../../../src/cli/ui/question/window.ts";
import { playScenes, prompt, say } from "../../../support/scenes.ts";

const size = { columns: 80, rows: 24 };
const rowsOf = (rows: number) => Array.from({ length: rows }, () => [{ text: "x" }]);

/** A live part of talk, an input of some rows and a menu below it. */
function frame(talk: number, input = 1, menu = 0): Frame {
  const parts: Part[] = [
    { name: "talk", block: { lines: rowsOf(talk) }, gap: 0 },
    { name: "composer", block: { lines: rowsOf(input), cursor: { row: 0, col: 2 } }, gap: 0 },
    { name: "popup", block: { lines: rowsOf(menu) }, gap: 0 },
  ];
  const lines = rowsOf(talk + input + menu);
  return { parts, lines, cursor: { row: talk, col: 2 }, tooSmall: false, screen: { columns: 80, geometry: nowhere } };
}

it("a live part that became lower keeps its last row: blank rows stand above it, and its cursor goes down by them", () => {
  const anchor = new Anchor();
  expect(anchor.held(frame(19), size)).toEqual(frame(19));
  const { lines, parts, cursor } = anchor.held(frame(3), size);
  expect(lines).toEqual([...Array.from({ length: 16 }, () => []), ...rowsOf(4)]);
  expect(parts.map(({ gap }) => gap)).toEqual([16, 0, 0]);
  expect(cursor).toEqual({ row: 19, col: 2 });
});

it("what is written then takes the place of blank rows, and pushes up only what they have no room for", () => {
  const anchor = new Anchor();
  anchor.held(frame(19), size);
  anchor.wrote(10);
  expect(anchor.held(frame(3), size).lines).toHaveLength(10);
  expect(anchor.blank).toBe(6);
  anchor.wrote(40);
  expect(anchor.held(frame(3), size)).toEqual(frame(3));
});

it("a menu or more lines of a draft that pushed nothing up leave the input where it was", () => {
  const anchor = new Anchor();
  anchor.held(frame(1), size);
  anchor.held(frame(1, 4, 8), size);
  expect(anchor.held(frame(1), size)).toEqual(frame(1));
});

it("one that pushed rows up leaves no blank rows below it, nor one that was opened below blank rows", () => {
  const anchor = new Anchor();
  anchor.held(frame(1), size);
  anchor.wrote(22);
  anchor.held(frame(1, 1, 8), size);
  expect(anchor.held(frame(1), size).lines).toHaveLength(10);
  const other = new Anchor();
  other.held(frame(9), size);
  expect(other.held(frame(1, 1, 5), size).lines).toHaveLength(10);
  expect(other.held(frame(1), size).lines).toHaveLength(10);
});

it("nothing, as behind a full view, leaves all as it was; another size begins anew", () => {
  const anchor = new Anchor();
  anchor.held(frame(19), size);
  const none: Frame = { parts: [], lines: [], tooSmall: false, screen: { columns: 80, geometry: nowhere } };
  expect(anchor.held(none, size)).toEqual(none);
  expect(anchor.held(frame(3), size).lines).toHaveLength(20);
  expect(anchor.held(frame(3), { ...size, columns: 60 })).toEqual(frame(3));
});

const scenes = playScenes();

/** Of the window, from its top: the row of the last text on it. */
const lastRow = (rows: string[]): number => rows.findLastIndex((row) => row.trim() !== "");

it.each([
  [100, 30],
  [60, 20],
] as const)(
  "at %ix%i the input comes back to the last rows after a question, and no blank row is kept above it",
  async (...of) => {
    const pty = await scenes.start({ scene: "ask", size: [...of] });
    await say(pty, "change it");
    await pty.waitFor("❯ n");
    pty.key("y");
    await pty.waitFor("MEDIUM write_file src/long.ts");
    const asked = lastRow(pty.screen());
    pty.key("d");
    await pty.waitFor((one) => one.term.buffer.active.type === "alternate");
    pty.key("escape");
    await pty.waitFor((one) => one.term.buffer.active.type === "normal");
    await pty.waitFor("❯ n");
    pty.key("n");
    await pty.waitFor("All is decided.");
    await pty.waitFor(prompt);
    expect(lastRow(pty.screen())).toBe(asked);
    await say(pty, "once more");
    await pty.waitFor("❯ n");
    expect(pty.screen().join("\n")).not.toMatch(/\n\n\n/u);
  },
);
