import { cells as cellWords } from "../../../words/en/cells.ts";
import { palette as words } from "../../../words/en/palette.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { layout } from "../../terminal/text-layout.ts";
import { cells, cut, cutSpans } from "../../terminal/width.ts";
import { type Block, cutTo, span } from "../draw/block.ts";
import type { Geometry } from "../question/window.ts";
import { cleanLine } from "../safe-text.ts";
import { type Entry, type Palette, shownEntries } from "./palette-state.ts";

/** Cells of the column of names, as far as the window has them. */
const widestName = 44;

const label = "› ";

/** The palette on the whole screen: what is typed, the entries that have it, the keys. The window counts entries. */
export function paletteFrame(
  palette: Palette,
  { columns, rows }: { columns: number; rows: number },
): Block & { geometry: Geometry } {
  const shown = shownEntries(palette);
  const window = Math.max(0, rows - 2);
  const from = Math.max(0, Math.min(palette.at - Math.floor(window / 2), shown.length - window));
  const onScreen = shown.slice(from, from + window);
  const width = nameWidth(onScreen, columns);
  const body = onScreen.map((entry, index) => entryRow(entry, { isHere: from + index === palette.at, width, columns }));
  const none = shown.length === 0 ? [cutTo(`  ${words().none}`, columns, { dim: true })] : [];
  const written = layout(palette.filter, Math.max(4, columns - cells(label) - 1));
  const position = shown.length === 0 ? "" : `  ${cellWords().position({ at: palette.at + 1, of: shown.length })}`;
  const hint = cut(words().hint, Math.max(0, columns - cells(position)));
  return {
    lines: [
      cutSpans([span(label, { bold: true, color: "cyan" }), span(written.lines[written.cursor.row] ?? "")], columns),
      ...Array.from({ length: window }, (_, row) => [...body, ...none][row] ?? []),
      cutSpans([span(hint, { dim: true }), span(position, { dim: true })], columns),
    ],
    cursor: { row: 0, col: cells(label) + written.cursor.col },
    geometry: { total: shown.length, window, columns },
  };
}

/** As wide as the widest name on the screen, where that leaves as much for what it does. */
const nameWidth = (entries: readonly Entry[], columns: number): number =>
  Math.min(widestName, Math.floor(columns / 2), Math.max(0, ...entries.map(({ name }) => cells(cleanLine(name)))));

function entryRow(
  { name, text, key = "" }: Entry,
  { isHere, width, columns }: { isHere: boolean; width: number; columns: number },
): StyledLine {
  const named = cut(cleanLine(name), width);
  const style = isHere ? { bold: true, color: "cyan" as const } : {};
  const gap = " ".repeat(Math.max(0, width - cells(named)) + 2);
  const room = Math.max(0, columns - 2 - width - 2);
  return cutSpans(
    [span(isHere ? "❯ " : "  ", style), span(`${named}${gap}`, style), ...described(cleanLine(text), key, room)],
    columns,
  );
}

/** Tells what an entry does, and behind it its key, which is left out before a word of the text is. */
function described(text: string, key: string, room: number): StyledLine {
  const at = key === "" ? "" : `  ${key}`;
  if (cells(text) + cells(at) > room) return [span(cut(text, room), { dim: true })];
  return [span(text, { dim: true }), span(at)];
}
