import { picker as words } from "../../../words/en/picker.ts";
import { whenText } from "../../print/moments.ts";
import type { SessionLine, SessionLook } from "../../services/session-services.ts";
import { plainText, type Span, type StyledLine } from "../../terminal/span.ts";
import { layout } from "../../terminal/text-layout.ts";
import { cells, cut, cutSpans, elidePath } from "../../terminal/width.ts";
import { type Block, cutTo, span } from "../draw/block.ts";
import type { Geometry } from "../question/window.ts";
import { cleanLine } from "../safe-text.ts";
import { tildePath } from "../view/view-state.ts";
import { type Picker, pointedAt, shownRows, standing } from "./picker-state.ts";

/** The place that the list is drawn for. */
export interface PickerPlace {
  columns: number;
  rows: number;
  /** Milliseconds since the epoch. */
  now: number;
  /** The folder whose sessions these are. */
  workspace: string;
  /** The person's home folder, for which `~` stands. */
  home?: string | undefined;
}

/** The whole screen; the window counts sessions, not rows. */
export interface PickerFrame extends Block {
  geometry: Geometry;
}

/** From so many rows on every session has its second row, below only the one that is pointed at. */
const roomyFrom = 16;

/** The list of sessions on the whole screen; only the sessions that are on it are looked at. */
export function pickerFrame(picker: Picker, place: PickerPlace): PickerFrame {
  const { columns, rows } = place;
  const shown = shownRows(picker);
  const room = Math.max(1, rows - 2);
  const isRoomy = rows >= roomyFrom;
  const window = Math.max(1, isRoomy ? Math.floor(room / 2) : room - 1);
  const at = Math.max(
    0,
    shown.findIndex(({ id }) => id === picker.at),
  );
  const from = Math.max(0, Math.min(at - Math.floor(window / 2), shown.length - window));
  const body = shown
    .slice(from, from + window)
    .flatMap((row) => sessionLines(row, row.id === picker.at, isRoomy, picker, place));
  const filled = Array.from({ length: room }, (_, index) => body[index] ?? emptyRow(picker, index, columns));
  const foot = footOf(picker, at, shown.length, columns);
  const { cursor } = foot;
  return {
    lines: [headLine(picker, shown.length, place), ...filled, ...foot.lines],
    geometry: { total: shown.length, window, columns },
    ...(cursor && { cursor: { ...cursor, row: rows - 1 } }),
  };
}

function headLine({ all, rows, filter }: Picker, count: number, { workspace, home, columns }: PickerPlace): StyledLine {
  const whose = all ? words().ofAll : words().ofFolder({ folder: cleanLine(tildePath(workspace, home)) });
  const many = count === rows.length ? `${count}` : words().position({ at: count, of: rows.length });
  const filtered =
    filter.text === "" ? [] : [span(` · ${words().filtered({ text: cleanLine(filter.text) })}`, { color: "cyan" })];
  return cutSpans([span(whose, { bold: true }), span(` · ${many}`, { dim: true }), ...filtered], columns);
}

function emptyRow(picker: Picker, index: number, columns: number): StyledLine {
  if (index !== 1 || shownRows(picker).length > 0) return [];
  const hint = picker.rows.length > 0 ? words().noneFound : words().none;
  return cutTo(`  ${hint}`, columns, { dim: true });
}

/** Title and time; below them how it stands, what it changed, and where it is. */
function sessionLines(
  row: SessionLine,
  isHere: boolean,
  isRoomy: boolean,
  picker: Picker,
  place: PickerPlace,
): StyledLine[] {
  const look = picker.look(row.id);
  const { columns, now } = place;
  const when = whenText(row.updatedAt, now);
  const mark = isHere ? "❯ " : look.waits ? "● " : "  ";
  const room = Math.max(4, columns - cells(when) - 4);
  const title = cut(cleanLine(row.title) || words().untitled, room);
  const gap = " ".repeat(Math.max(1, columns - 2 - cells(title) - cells(when) - 1));
  const style = isHere ? { bold: true, color: "cyan" as const } : {};
  const markStyle = !isHere && look.waits ? { color: "yellow" as const } : style;
  const first = cutSpans([span(mark, markStyle), span(title, style), span(`${gap}${when}`, { dim: true })], columns);
  if (!isRoomy && !isHere) return [first];
  return [first, cutSpans(standingSpans(row, look, picker, place), columns)];
}

function standingSpans(row: SessionLine, look: SessionLook, picker: Picker, place: PickerPlace): Span[] {
  const [stands = "", ...more] = standing(row, look, picker.present).map(cleanLine);
  const tail = [...more, cleanLine(row.id)].map((text) => ` · ${text}`).join("");
  const room = place.columns - 4 - cells(stands) - cells(tail) - 3;
  const folder = elidePath(cleanLine(tildePath(row.workspace, place.home)), Math.max(8, room));
  const isMine = row.id === picker.present;
  return [
    span("    "),
    span(stands, look.waits && !isMine ? { color: "yellow" } : { dim: true }),
    span(`${tail}${picker.all ? ` · ${folder}` : ""}`, { dim: true }),
  ];
}

/** Makes the foot: the question or the field, the note, or the keys; the list's position is at the right end. */
function footOf(picker: Picker, at: number, count: number, columns: number): Block {
  const row = pointedAt(picker);
  if (picker.removing && row !== undefined) {
    const ask = words().remove;
    return {
      lines: [
        cutTo(columns < cells(ask) ? words().removeShort : ask, columns, {
          color: "red",
          bold: true,
        }),
      ],
    };
  }
  if (picker.naming !== undefined) return fieldLine(words().naming, picker.naming, columns);
  if (picker.filtering) return fieldLine("/", picker.filter, columns);
  const position = count === 0 ? "" : words().position({ at: at + 1, of: count });
  const room = columns - cells(position) - 1;
  const { hints } = words();
  const hint = hints.find((one) => cells(one) <= room) ?? hints.at(-1) ?? "";
  const left: StyledLine =
    picker.note === ""
      ? cutTo(hint, room, { dim: true })
      : cutTo(`› ${cleanLine(picker.note)}`, room, { color: "yellow" });
  const gap = " ".repeat(Math.max(1, columns - cells(plainText(left)) - cells(position)));
  return { lines: [[...left, span(gap), span(position, { dim: true })]] };
}

function fieldLine(label: string, buffer: Picker["filter"], columns: number): Block {
  const { lines, cursor } = layout(buffer, Math.max(4, columns - cells(label) - 1));
  return {
    lines: [cutSpans([span(label, { bold: true }), span(lines[cursor.row] ?? "")], columns)],
    cursor: { row: 0, col: cells(label) + cursor.col },
  };
}
