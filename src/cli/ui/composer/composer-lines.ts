import type { StyledLine } from "../../terminal/span.ts";
import { layout } from "../../terminal/text-layout.ts";
import { cut } from "../../terminal/width.ts";
import { type Block, cutTo, type Space, span } from "../draw/block.ts";
import { cleanLine } from "../safe-text.ts";
import { type Composer, draftOf, type Popup } from "./composer-state.ts";

const promptCells = 2;

export const inputWidthOf = (columns: number): number => Math.max(4, columns - promptCells - 1);

/** The input with its cursor; of a long draft the rows round it. */
export function composerBlock(composer: Composer, running: boolean, { columns, rows }: Space): Block {
  const { lines, cursor } = layout(composer.buffer, inputWidthOf(columns));
  const from = Math.max(0, Math.min(cursor.row - rows + 1, lines.length - rows));
  const empty = draftOf(composer) === "";
  const hint = running ? "type ahead: it is sent when this turn ends" : "ask, or / for commands, @ for files";
  const shown = lines
    .slice(from, from + rows)
    .map(
      (text, index): StyledLine => [
        span(index === 0 && from === 0 ? "❯ " : "  ", { color: "cyan", bold: true }),
        empty ? span(cut(hint, columns - promptCells), { dim: true }) : span(text),
      ],
    );
  return { lines: shown, cursor: { row: cursor.row - from, col: promptCells + cursor.col } };
}

/** Names that fit, round the chosen one; where not all have room, the last row says how many more there are. */
export function popupLines(popup: Popup | undefined, { columns, rows: room }: Space): StyledLine[] {
  if (popup === undefined || popup.items.length === 0 || room < 1) return [];
  const count = popup.items.length <= room || room < 2 ? room : room - 1;
  const from = Math.max(0, Math.min(popup.row - count + 1, popup.items.length - count));
  const rows = popup.items.slice(from, from + count).map((item, index): StyledLine => {
    const focused = from + index === popup.row;
    const text = `${focused ? "❯" : " "} ${popup.kind === "command" ? "/" : ""}${cleanLine(item)}`;
    return cutTo(`  ${text}`, columns, focused ? { color: "cyan", bold: true } : { dim: true });
  });
  const hidden = popup.items.length - rows.length;
  const more = hidden > 0 && count < room ? [cutTo(`    … ${hidden} more · ↑↓`, columns, { dim: true })] : [];
  return [...rows, ...more];
}

/** What was being written when a question came, so that nobody fears for it. */
export function draftLines(composer: Composer, columns: number): StyledLine[] {
  const draft = draftOf(composer).replaceAll("\n", " ");
  return draft === "" ? [] : [cutTo(`your draft is kept: “${safeDraft(draft)}”`, columns, { dim: true })];
}

// The draft is the person's own, yet a paste into it is not.
const safeDraft = (text: string): string =>
  layout(
    { text, cursor: 0, pastes: [], killed: "", undone: [], done: [], last: "other", history: [] },
    10_000,
  ).lines.join(" ");
