import { recovery } from "../../../words/en/recovery.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { cutSpans, wrapSpans } from "../../terminal/width.ts";
import { type Space, span } from "../draw/block.ts";
import type { Layouts } from "../question/body-lines.ts";
import { type WindowBlock, windowed } from "../question/window.ts";
import type { Unsettled } from "../view/view.ts";
import { type RecoveryMenu, recoveryKeyOf, recoveryRows } from "./recovery-state.ts";

/** Rows of what is known at most, where there is room for them. */
const knownRows = 4;
/** Rows that looking needs at least: one of the call, and where it stands in it. */
const lookRows = 2;

/** The recovery menu in at most `space.rows` rows; its choices come first, then what is known, as far as there is room. */
export function recoveryBlock(
  menu: RecoveryMenu,
  call: Unsettled,
  count: number,
  space: Space,
  layouts: Layouts,
): WindowBlock {
  const words = recovery();
  const below = belowLines(menu, call);
  const room = space.rows - 2 - below.length - (menu.looking ? lookRows : 0);
  const known = knownLines(call, space.columns, Math.min(knownRows, room));
  const top: StyledLine[] = [
    [
      span(`? ${words.title}`, { color: "magenta", bold: true }),
      span(count > 1 ? words.firstOf({ count }) : ""),
      ...(call.agent === undefined ? [] : [span(` · ${call.agent}`, { dim: true })]),
    ],
    [span(`${call.toolName} `, { bold: true }), span(call.subject)],
    ...(room > known.length ? [[span(words.started({ at: call.startedAt }), { dim: true })]] : []),
    ...known,
  ];
  if (!menu.looking) return { lines: [...top, ...below] };
  const rows = Math.max(1, space.rows - top.length - below.length);
  const body = windowed(layouts.past(call, space.columns), menu.scroll, { columns: space.columns, rows });
  return { ...body, lines: [...top, ...body.lines, ...below] };
}

function belowLines(menu: RecoveryMenu, call: Unsettled): StyledLine[] {
  const words = recovery();
  const rows = recoveryRows(call).map((row, index): StyledLine => {
    const focused = index === menu.row;
    const text = `${focused ? "❯" : " "} ${recoveryKeyOf[row]}  ${words.choices[row]}`;
    return [span(text, focused ? { bold: true, color: "cyan" } : {})];
  });
  const notes: StyledLine[] = menu.note === "" ? [] : [[span(`› ${menu.note}`, { color: "yellow" })]];
  const hint = call.agent === undefined ? words.hint : words.helperHint;
  return [...notes, ...rows, [span(hint, { dim: true })]];
}

function knownLines(call: Unsettled, columns: number, room: number): StyledLine[] {
  const rows = wrapSpans([span(recovery().known, { dim: true }), span(call.known)], columns);
  if (rows.length <= room) return rows;
  const last = rows[room - 1];
  return last === undefined ? [] : [...rows.slice(0, room - 1), [...cutSpans(last, columns - 1), span("…")]];
}
