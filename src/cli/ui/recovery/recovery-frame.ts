import type { StyledLine } from "../../terminal/span.ts";
import { cutSpans, wrapSpans } from "../../terminal/width.ts";
import { type Space, span } from "../draw/block.ts";
import type { Layouts } from "../question/body-lines.ts";
import { type WindowBlock, windowed } from "../question/window.ts";
import type { Unsettled } from "../view/view.ts";
import { type RecoveryMenu, type RecoveryRow, recoveryKeyOf, recoveryRows } from "./recovery-state.ts";

const rowLabels: Record<RecoveryRow, string> = {
  look: "look at what it was",
  retry: "do it again",
  done: "it worked: mark it as done",
  cancel: "cancel it",
};

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
  const below = belowLines(menu, call);
  const room = space.rows - 2 - below.length - (menu.looking ? lookRows : 0);
  const known = knownLines(call, space.columns, Math.min(knownRows, room));
  const top: StyledLine[] = [
    [
      span("? the end of this call was not seen", { color: "magenta", bold: true }),
      span(count > 1 ? ` (1 of ${count})` : ""),
      ...(call.agent === undefined ? [] : [span(` · ${call.agent}`, { dim: true })]),
    ],
    [span(`${call.toolName} `, { bold: true }), span(call.subject)],
    ...(room > known.length ? [[span(`started ${call.startedAt}`, { dim: true })]] : []),
    ...known,
  ];
  if (!menu.looking) return { lines: [...top, ...below] };
  const rows = Math.max(1, space.rows - top.length - below.length);
  const body = windowed(layouts.past(call, space.columns), menu.scroll, { columns: space.columns, rows });
  return { ...body, lines: [...top, ...body.lines, ...below] };
}

function belowLines(menu: RecoveryMenu, call: Unsettled): StyledLine[] {
  const rows = recoveryRows(call).map((row, index): StyledLine => {
    const focused = index === menu.row;
    const text = `${focused ? "❯" : " "} ${recoveryKeyOf[row]}  ${rowLabels[row]}`;
    return [span(text, focused ? { bold: true, color: "cyan" } : {})];
  });
  const notes: StyledLine[] = menu.note === "" ? [] : [[span(`› ${menu.note}`, { color: "yellow" })]];
  // While other helpers work a stop ends them all, and this one with them.
  const later = call.agent === undefined ? "ctrl+c leaves it for later" : "ctrl+c stops";
  return [...notes, ...rows, [span(`↑↓ enter · ${later}`, { dim: true })]];
}

function knownLines(call: Unsettled, columns: number, room: number): StyledLine[] {
  const rows = wrapSpans([span("known: ", { dim: true }), span(call.known)], columns);
  if (rows.length <= room) return rows;
  const last = rows[room - 1];
  return last === undefined ? [] : [...rows.slice(0, room - 1), [...cutSpans(last, columns - 1), span("…")]];
}
