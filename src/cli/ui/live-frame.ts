import { renderMarkdown } from "../terminal/markdown.ts";
import type { StyledLine } from "../terminal/span.ts";
import { layout } from "../terminal/text-layout.ts";
import { cut, cutSpans, wrapSpans } from "../terminal/width.ts";
import type { Layouts } from "./body-lines.ts";
import { type Chat, modalOf, type Screen } from "./chat-state.ts";
import { draftOf } from "./composer-state.ts";
import { type Block, dialogBlock, type Space } from "./dialog-frame.ts";
import { requestOf } from "./dialog-state.ts";
import { cardLines, span } from "./item-lines.ts";
import { recoveryBlock } from "./recovery-frame.ts";
import { cleanLine } from "./safe-text.ts";
import type { View } from "./view.ts";

/** What the live part of the screen is drawn from, beside the state. */
export interface FrameContext {
  columns: number;
  rows: number;
  /** Counts up while something runs: the one spinner of the screen. */
  tick: number;
  /** Whole seconds since the turn began. */
  seconds: number;
  layouts: Layouts;
}

export interface Frame extends Block {
  screen: Screen;
  /** The window is too small for a question: none is on the screen, whatever waits. */
  tooSmall: boolean;
}

const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const nowhere = { total: 0, window: 0 };
const inputRows = 8;
const promptCells = 2;

export const inputWidthOf = (columns: number): number => Math.max(4, columns - promptCells - 1);

/** The live part of the screen: never more than `rows - 2` rows, none wider than the terminal. */
export function liveFrame(chat: Chat, context: FrameContext): Frame {
  const space: Space = { columns: context.columns, rows: Math.max(1, context.rows - 2) };
  const block = blockOf(chat, context, space);
  const lines = block.lines.slice(0, space.rows).map((row) => cutSpans(row, space.columns));
  const { cursor } = block;
  const inside = cursor !== undefined && cursor.row < lines.length;
  return {
    lines,
    tooSmall: isTooSmall(context),
    ...(inside ? { cursor } : {}),
    screen: { inputWidth: inputWidthOf(context.columns), geometry: block.geometry ?? nowhere },
  };
}

const isTooSmall = ({ columns, rows }: FrameContext): boolean => columns < 40 || rows < 10;

function blockOf(chat: Chat, context: FrameContext, space: Space): Block {
  if (isTooSmall(context)) return smallBlock(chat, space);
  const modal = modalOf(chat);
  if (modal === undefined) return inputBlock(chat, context, space);
  const draft = draftLines(chat, space.columns);
  // Where rows are few, the question needs them more than the distance does.
  const top: StyledLine[] = space.rows < 12 ? [] : [[]];
  const inner: Space = { ...space, rows: space.rows - top.length - draft.length };
  const block = modal === "approval" ? approvalBlock(chat, context, inner) : menuBlock(chat, context, inner);
  const lines: StyledLine[] = [...top, ...block.lines, ...draft];
  const { cursor } = block;
  return { ...block, lines, ...(cursor === undefined ? {} : { cursor: { ...cursor, row: cursor.row + top.length } }) };
}

function smallBlock(chat: Chat, space: Space): Block {
  const waits = modalOf(chat) === undefined ? "" : " A call waits for you.";
  const text = `This window is too small: make it 40x10 or more.${waits}`;
  return { lines: wrapSpans([span(text)], space.columns) };
}

function approvalBlock(chat: Chat, context: FrameContext, space: Space): Block {
  const request = requestOf(chat.view.ask, chat.dialog);
  if (chat.dialog === undefined || chat.view.ask === undefined || request === undefined) return { lines: [] };
  return dialogBlock(chat.dialog, chat.view.ask, request, space, context.layouts);
}

function menuBlock({ menu, view }: Chat, context: FrameContext, space: Space): Block {
  const call = view.recovery.find((one) => one.call.callId === menu?.callId);
  if (menu === undefined || call === undefined) return { lines: [] };
  return recoveryBlock(menu, call, view.recovery.length, space, context.layouts);
}

function draftLines(chat: Chat, columns: number): StyledLine[] {
  const draft = draftOf(chat.composer).replaceAll("\n", " ");
  return draft === "" ? [] : [[span(cut(`your draft is kept: “${layoutText(draft)}”`, columns), { dim: true })]];
}

// The draft is the person's own, yet a paste into it is not.
const layoutText = (text: string): string =>
  layout(
    { text, cursor: 0, pastes: [], killed: "", undone: [], done: [], last: "other", history: [] },
    10_000,
  ).lines.join(" ");

function inputBlock(chat: Chat, context: FrameContext, space: Space): Block {
  const input = composerBlock(chat, space.columns, Math.min(inputRows, Math.max(1, space.rows - 4)));
  const popup = popupLines(chat, space.columns, Math.min(6, Math.max(0, space.rows - input.lines.length - 4)));
  const status = [...statusLines(chat, context), ...savedLines(chat, space.columns)].slice(
    0,
    Math.max(1, space.rows - input.lines.length - popup.length - 2),
  );
  const below = [...popup, footerLine(chat, space.columns)];
  const room = space.rows - input.lines.length - below.length - status.length - 1;
  const above = [...aboveLines(chat.view, context, Math.max(0, room)), ...status];
  const top: StyledLine[] = [...above, []];
  const lines = [...top, ...input.lines, ...below];
  const { cursor } = input;
  return { lines, ...(cursor === undefined ? {} : { cursor: { ...cursor, row: cursor.row + top.length } }) };
}

const queueRows = 3;

/** The talk that still comes, the calls that are not settled, the messages that wait: newest rows win. */
function aboveLines(view: View, context: FrameContext, room: number): StyledLine[] {
  const mark = spinner[context.tick % spinner.length] ?? "⠋";
  const queue = queueLines(view, context.columns).slice(0, room);
  const drawn = view.cards.filter((card) => card.state !== "denied");
  const cards = drawn.flatMap((card) => cardLines(card, context.columns, mark));
  const cardRoom = Math.max(0, Math.min(10, room - queue.length));
  const shownCards = fold(cards, cardRoom);
  const tailRoom = Math.max(0, Math.min(12, room - queue.length - shownCards.length));
  return [...tailLines(view, context.columns, tailRoom), ...shownCards, ...queue];
}

function fold(rows: StyledLine[], room: number): StyledLine[] {
  if (rows.length <= room) return rows;
  if (room < 2) return [];
  return [...rows.slice(0, room - 1), [span(`  … ${rows.length - room + 1} more lines`, { dim: true })]];
}

/** Characters of the open paragraph that can fill the rows there are: a model may write one without end. */
const tailCharacters = 8000;

function tailLines(view: View, columns: number, room: number): StyledLine[] {
  const shown = view.tail?.shown ?? "";
  if (shown.trim() === "" || room < 1) return [];
  const text = shown.length <= tailCharacters ? shown : shown.slice(-tailCharacters);
  const rows = renderMarkdown(text, Math.max(8, columns - 2)).map((row, index) => [
    view.tail?.from === 0 && index === 0 ? span("● ", { color: "green" }) : span("  "),
    ...row,
  ]);
  const kept = rows.slice(-Math.max(1, room - 1));
  return room > 1 ? [[], ...kept] : kept;
}

function queueLines(view: View, columns: number): StyledLine[] {
  const rows = view.queue.map(
    ({ text }): StyledLine => [
      span(cut(`  queued: ${text.replaceAll("\n", " ")}`, columns), { dim: true, italic: true }),
    ],
  );
  return rows.length <= queueRows
    ? rows
    : [...rows.slice(0, queueRows - 1), [span(`  … and ${rows.length - queueRows + 1} more queued`, { dim: true })]];
}

function statusLines(chat: Chat, context: FrameContext): StyledLine[] {
  if (chat.flash !== "") return wrapSpans([span(`› ${chat.flash}`, { color: "yellow" })], context.columns).slice(0, 3);
  const count = (chat.view.ask?.requests.length ?? 0) + chat.view.recovery.length;
  if (chat.aside && count > 0) {
    const [calls, them] = count === 1 ? ["a call waits", "it"] : [`${count} calls wait`, "them"];
    const text = `◆ ${calls} for you · enter on an empty line to answer · a new message cancels ${them}`;
    return wrapSpans([span(text, { color: "yellow" })], context.columns);
  }
  if (!chat.view.running) return [];
  const mark = spinner[context.tick % spinner.length] ?? "⠋";
  const time = context.seconds >= 2 ? ` · ${context.seconds} s` : "";
  return [[span(`${mark} working${time}`, { color: "cyan" }), span(" · esc stops", { dim: true })]];
}

/** The newest memory that can be taken back, as long as its key does so. */
function savedLines({ view, composer }: Chat, columns: number): StyledLine[] {
  const saved = view.saved.at(-1);
  if (saved === undefined || draftOf(composer) !== "") return [];
  const more = view.saved.length > 1 ? `, then ${view.saved.length - 1} more` : "";
  const key = ` · ctrl+x takes it back${more}`;
  return [[span(cut(saved.title, Math.max(8, columns - key.length - promptCells))), span(key, { dim: true })]];
}

function composerBlock(chat: Chat, columns: number, rows: number): Block {
  const { lines, cursor } = layout(chat.composer.buffer, inputWidthOf(columns));
  const from = Math.max(0, Math.min(cursor.row - rows + 1, lines.length - rows));
  const empty = draftOf(chat.composer) === "";
  const hint = chat.view.running ? "type ahead: it is sent when this turn ends" : "ask, or / for commands, @ for files";
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
function popupLines(chat: Chat, columns: number, room: number): StyledLine[] {
  const { popup } = chat.composer;
  if (popup === undefined || popup.items.length === 0 || room < 1) return [];
  const count = popup.items.length <= room || room < 2 ? room : room - 1;
  const from = Math.max(0, Math.min(popup.row - count + 1, popup.items.length - count));
  const rows = popup.items.slice(from, from + count).map((item, index): StyledLine => {
    const focused = from + index === popup.row;
    const text = `${focused ? "❯" : " "} ${popup.kind === "command" ? "/" : ""}${cleanLine(item)}`;
    return [span(cut(`  ${text}`, columns), focused ? { color: "cyan", bold: true } : { dim: true })];
  });
  const hidden = popup.items.length - rows.length;
  const more = hidden > 0 && count < room ? [[span(cut(`    … ${hidden} more · ↑↓`, columns), { dim: true })]] : [];
  return [...rows, ...more];
}

const thousands = (tokens: number): string =>
  tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k`;

function contextUse(view: View): string | undefined {
  if (view.usage === undefined) return undefined;
  const { contextUsed, contextWindow } = view.usage;
  if (contextWindow === undefined || contextWindow <= 0) return `${thousands(contextUsed)} tokens`;
  return `${Math.round((contextUsed / contextWindow) * 100)} % of ${thousands(contextWindow)}`;
}

function footerLine(chat: Chat, columns: number): StyledLine {
  const { view } = chat;
  const loud = view.mode === "ask" ? {} : ({ color: view.mode === "full-auto" ? "red" : "yellow" } as const);
  const rest = [view.model, contextUse(view), view.session, columns >= 90 ? "shift+tab mode · /help" : undefined];
  const text = rest.filter((one) => one !== undefined && one !== "").join(" · ");
  return cutSpans(
    [span(`${view.mode}`, { ...loud, dim: view.mode === "ask" }), span(` · ${text}`, { dim: true })],
    columns,
  );
}
