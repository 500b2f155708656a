import { cells as cellWords } from "../../../words/en/cells.ts";
import { palette as words } from "../../../words/en/palette.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { layout } from "../../terminal/text-layout.ts";
import { cells, cut, cutSpans } from "../../terminal/width.ts";
import { type Block, cutTo, span } from "../draw/block.ts";
import type { Geometry } from "../question/window.ts";
import { cleanLine } from "../safe-text.ts";
import { type Entry, type Palette, shownEntries, soughtIn } from "./palette-state.ts";

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
  const all = soughtIn(palette) === "" ? grouped(shown) : shown;
  const inSight = inWindow(all, shown[palette.at], window);
  // The words of a group with nothing below them say nothing.
  const onScreen = typeof inSight.at(-1) === "string" ? inSight.slice(0, -1) : inSight;
  const entries = onScreen.filter((one) => typeof one !== "string");
  const places = placesOf(entries, columns);
  const body = onScreen.map((one) =>
    typeof one === "string" ? cutTo(one, columns, { bold: true }) : entryRow(one, one === shown[palette.at], places),
  );
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
    geometry: { total: shown.length, window: entries.length || window, columns },
  };
}

/** An entry, or the words of a group. */
type Row = Entry | string;

/** Returns the entries with the words of each group above its first one. */
const grouped = (entries: readonly Entry[]): readonly Row[] =>
  entries.flatMap((entry, index) =>
    entry.group === undefined || entry.group === entries[index - 1]?.group ? [entry] : [entry.group, entry],
  );

/** Returns so many of these as there is room for, `here` among them, half of them before it. Of a group that began above its words stay in the first row. */
function inWindow(rows: readonly Row[], here: Entry | undefined, window: number): readonly Row[] {
  const at = here === undefined ? 0 : rows.indexOf(here);
  const from = Math.max(0, Math.min(at - Math.floor(window / 2), rows.length - window));
  const [first, ...more] = rows.slice(from, from + window);
  if (first === undefined) return [];
  const words = typeof first === "string" ? undefined : first.group;
  const isAbove = words !== undefined && rows.slice(0, from).includes(words);
  // With one row there is the entry that is pointed at, and words are not put above those of the next group.
  return isAbove && typeof more[0] === "object" ? [words, ...more] : [first, ...more];
}

/** Cells of the columns on the screen: of names, of what these do with the keys behind that, of all but the keys. */
interface Places {
  columns: number;
  name: number;
  room: number;
  text: number;
}

/** Finds the columns: names are as wide as the widest, where that leaves as much for what they do; keys stand below each other, behind the longest text that has one. */
function placesOf(entries: readonly Entry[], columns: number): Places {
  const name = Math.min(
    widestName,
    Math.floor(columns / 2),
    Math.max(0, ...entries.map((entry) => cells(cleanLine(entry.name)))),
  );
  const room = Math.max(0, columns - 2 - name - 2);
  const keyed = entries.flatMap(({ text, key = "" }) => (key === "" ? [] : [{ text: cells(cleanLine(text)), key }]));
  const widestKey = Math.max(0, ...keyed.map(({ key }) => cells(key)));
  const text = Math.max(0, ...keyed.map((one) => one.text).filter((one) => one + 2 + widestKey <= room));
  return { columns, name, room, text };
}

function entryRow({ name, text, key = "" }: Entry, isHere: boolean, places: Places): StyledLine {
  const named = cut(cleanLine(name), places.name);
  const style = isHere ? { bold: true, color: "cyan" as const } : {};
  const gap = " ".repeat(Math.max(0, places.name - cells(named)) + 2);
  return cutSpans(
    [span(isHere ? "❯ " : "  ", style), span(`${named}${gap}`, style), ...described(cleanLine(text), key, places)],
    places.columns,
  );
}

/** Tells what an entry does, and behind it its key, which is left out before a word of the text is. */
function described(text: string, key: string, places: Places): StyledLine {
  const gap = " ".repeat(Math.max(0, places.text - cells(text)) + 2);
  if (key === "" || cells(text) + cells(gap) + cells(key) > places.room)
    return [span(cut(text, places.room), { dim: true })];
  return [span(text, { dim: true }), span(`${gap}${key}`)];
}
