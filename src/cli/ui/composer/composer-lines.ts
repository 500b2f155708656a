import { composer as words } from "../../../words/en/composer.ts";
import { plainText, type Span, type StyledLine } from "../../terminal/span.ts";
import { layout } from "../../terminal/text-layout.ts";
import { cells, cut, cutSpans, wrapSpans } from "../../terminal/width.ts";
import { type Block, cutTo, type Space, span } from "../draw/block.ts";
import { cleanEffect, cleanLine } from "../safe-text.ts";
import type { View } from "../view/view.ts";
import { type Composer, draftOf, type Popup } from "./composer-state.ts";
import { fitting, type MessageSearch } from "./message-search.ts";

const promptCells = 2;

const mostInputRows = 8;

/** The list of keys is looked at for itself; names are looked at beside the talk. */
const mostPopupRows = ({ keysShown }: Composer): number => (keysShown ? 20 : 8);

/** The input and what is below it, so that four rows are left to the rest of the chat. */
export function composerRows(
  composer: Composer,
  view: Pick<View, "running" | "queue">,
  { columns, rows }: Space,
): { input: Block; below: StyledLine[] } {
  const input = composerBlock(composer, view, { columns, rows: Math.min(mostInputRows, Math.max(1, rows - 4)) });
  const room = Math.max(0, rows - input.lines.length - 4);
  return { input, below: popupLines(composer, { columns, rows: Math.min(mostPopupRows(composer), room) }) };
}

export const inputWidthOf = (columns: number): number => Math.max(4, columns - promptCells - 1);

/** The input with its cursor; of a long draft the rows round it. */
function composerBlock(
  composer: Composer,
  { running, queue }: Pick<View, "running" | "queue">,
  { columns, rows }: Space,
): Block {
  const { lines, cursor } = layout(composer.buffer, inputWidthOf(columns));
  const from = Math.max(0, Math.min(cursor.row - rows + 1, lines.length - rows));
  const empty = draftOf(composer) === "";
  const { hintWaiting, hintAtWork } = words();
  const hint = !running ? words().hint : queue.length > 0 ? hintWaiting : hintAtWork;
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

/** Lays out the rows below the input: keys, found messages, or names that fit. */
export function popupLines(composer: Composer, space: Space): StyledLine[] {
  if (space.rows < 1) return [];
  if (composer.keysShown) return keyLines(space);
  if (composer.search !== undefined) return searchLines(composer.search, space);
  return offerLines(composer.popup, space);
}

/** Names that fit, round the chosen one; where not all have room, the last row says how many more there are. */
function offerLines(popup: Popup | undefined, { columns, rows: room }: Space): StyledLine[] {
  if (popup === undefined || popup.items.length === 0) return [];
  const count = popup.items.length <= room || room < 2 ? room : room - 1;
  const from = Math.max(0, Math.min(popup.row - count + 1, popup.items.length - count));
  const sign = popup.kind === "command" ? "/" : "";
  const widest = Math.max(...popup.items.map(({ name }) => name.length));
  const rows = popup.items.slice(from, from + count).map(({ name, text }, index): StyledLine => {
    const focused = from + index === popup.row;
    const shown = `  ${focused ? "❯" : " "} ${sign}${cleanLine(name)}`;
    const said = text === undefined ? "" : `${" ".repeat(widest - name.length + 2)}${text}`;
    return cutSpans([span(shown, focused ? { color: "cyan", bold: true } : { dim: !said }), dim(said)], columns);
  });
  const hidden = popup.items.length - rows.length;
  const more =
    hidden > 0 && count < room ? [cutTo(`    ${words().moreNames({ names: hidden })}`, columns, { dim: true })] : [];
  return [...rows, ...more];
}

const dim = (text: string): Span => span(text, { dim: true });

/** The keys of the input, in as many columns as there is room for. */
function keyLines({ columns, rows }: Space): StyledLine[] {
  const inputKeys = Object.entries(words().keys);
  const widest = Math.max(...inputKeys.map(([key]) => key.length));
  const oneColumn = inputKeys.map(([key, text]): StyledLine => [span(`  ${key.padEnd(widest)} `), dim(text)]);
  const cell = Math.floor(columns / 2);
  const half = Math.ceil(oneColumn.length / 2);
  const twoColumns = oneColumn
    .slice(0, half)
    .map((left, index) => [...padded(cutSpans(left, cell - 1), cell), ...(oneColumn[half + index] ?? [])]);
  const lines = columns >= 120 ? twoColumns : oneColumn;
  const shown = lines.length <= rows ? lines : [...lines.slice(0, rows - 1), [dim(`  ${words().moreKeys}`)]];
  return shown.map((line) => cutSpans(line, columns));
}

const padded = (line: StyledLine, width: number): StyledLine => [
  ...line,
  span(" ".repeat(Math.max(0, width - cells(plainText(line))))),
];

/** The words that are looked for, the message that has them, and what the keys do. */
function searchLines(search: MessageSearch, { columns, rows }: Space): StyledLine[] {
  const found = fitting(search);
  const message = found[search.at];
  const count =
    search.messages === undefined
      ? "…"
      : found.length === 0
        ? words().none
        : words().position({ at: search.at + 1, of: found.length });
  const head = [span(`  ${words().searching}`), span(search.words.text || "…", { bold: true }), dim(`  ${count}`)];
  const text =
    message === undefined ? [] : wrapSpans([span(cleanEffect(message).replaceAll("\n", " ↵ "))], columns - 4);
  const room = Math.max(0, Math.min(3, rows - 2));
  const shown = text.slice(0, room).map((row): StyledLine => [span("    "), ...row]);
  const keys = [dim(`  ${words().searchKeys}`)];
  return [head, ...shown, keys].slice(0, rows).map((row) => cutSpans(row, columns));
}

/** Lays out the draft that was being written when a question came, so that nobody fears for it. */
export function draftLines(composer: Composer, columns: number): StyledLine[] {
  const draft = draftOf(composer).replaceAll("\n", " ");
  return draft === "" ? [] : [cutTo(words().draftKept({ draft: safeDraft(draft) }), columns, { dim: true })];
}

// The draft is the person's own, yet a paste into it is not.
const safeDraft = (text: string): string =>
  layout(
    { text, cursor: 0, pastes: [], killed: "", undone: [], done: [], last: "other", history: [] },
    10_000,
  ).lines.join(" ");
