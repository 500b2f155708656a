import { expect, it } from "vitest";
import { plainText } from "../../../../src/cli/terminal/span.ts";
import { paletteFrame } from "../../../../src/cli/ui/palette/palette-frame.ts";
import { type Entry, newPalette, type Palette, paletteKey } from "../../../../src/cli/ui/palette/palette-state.ts";

const entry = (name: string, text: string, more: Partial<Entry> = {}): Entry => ({
  ...{ name, text, does: { write: name } },
  ...more,
});
const palette = newPalette([
  entry("/help", "the keys", { group: "the chat" }),
  entry("/mode", "how it asks", { group: "the chat", key: "shift+tab" }),
  entry("/undo", "take back a change", { group: "work", key: "!" }),
  entry("/diff", "all that was changed, in so many words as it needs", { group: "work" }),
]);
const rowsOf = (one: Palette, rows = 10, columns = 60): string[] =>
  paletteFrame(one, { columns, rows }).lines.map((line) => plainText(line).trimEnd());
const typed = (text: string): Palette =>
  [...text].reduce(
    (before, letter) =>
      paletteKey(before, { name: "char", text: letter, ctrl: false, alt: false, shift: false }, 10).palette ?? before,
    palette,
  );

it("has the words of each group above its entries, and the keys below each other", () => {
  expect(rowsOf(palette).slice(1, -1)).toEqual([
    "the chat",
    "❯ /help  the keys",
    "  /mode  how it asks         shift+tab",
    "work",
    "  /undo  take back a change  !",
    "  /diff  all that was changed, in so many words as it needs",
    "",
    "",
  ]);
});

it("has no groups once something is typed: what fits best stands first", () => {
  expect(rowsOf(typed("e")).slice(1, 4)).toEqual([
    "❯ /help  the keys",
    "  /mode  how it asks         shift+tab",
    "  /undo  take back a change  !",
  ]);
});

it("leaves out a key before a word of what its entry does", () => {
  expect(rowsOf(palette, 10, 30).slice(1, -1)).toEqual([
    "the chat",
    "❯ /help  the keys",
    "  /mode  how it asks",
    "work",
    "  /undo  take back a change  !",
    "  /diff  all that was changed…",
    "",
    "",
  ]);
});

it("keeps the words of a group in the first row where the group began above it", () => {
  const at = (entry: number, rows: number) => rowsOf({ ...palette, at: entry }, rows).slice(1, -1);
  const undo = "/undo  take back a change  !";
  const diff = "/diff  all that was changed, in so many words as it needs";
  expect(at(3, 5)).toEqual(["work", `  ${undo}`, `❯ ${diff}`]);
  expect(at(3, 4)).toEqual(["work", `❯ ${diff}`]);
  // The entry that is pointed at is not given up for it, nor words put above those of the next group.
  expect(at(3, 3)).toEqual([`❯ ${diff}`]);
  expect(at(2, 6)).toEqual(["  /mode  how it asks         shift+tab", "work", `❯ ${undo}`, `  ${diff}`]);
  const scrolled = rowsOf({ ...typed("e"), at: 2 }, 4).slice(1, -1);
  expect(scrolled).toEqual(["  /mode  how it asks         shift+tab", `❯ ${undo}`]);
});

it("shows the entry that is pointed at in whatever room there is, and counts those on the screen", () => {
  for (const at of [0, 1, 2, 3])
    for (const rows of [3, 4, 5, 6]) {
      const frame = paletteFrame({ ...palette, at }, { columns: 60, rows });
      const shown = frame.lines.map((line) => plainText(line));
      expect(shown.filter((row) => row.startsWith("❯"))).toHaveLength(1);
      expect(frame.geometry.window).toBe(shown.filter((row) => row.includes("  /") || row.startsWith("❯")).length);
    }
  expect(paletteFrame(palette, { columns: 60, rows: 2 }).geometry.window).toBe(0);
});
