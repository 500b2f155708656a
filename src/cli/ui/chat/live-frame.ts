import { chat as words } from "../../../words/en/chat.ts";
import type { StatusPart } from "../../settings/status-parts.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { cutSpans, wrapSpans } from "../../terminal/width.ts";
import { type Block, type Space, span } from "../draw/block.ts";
import { ableToGoAside } from "../jobs/background-command.ts";
import type { Layouts } from "../question/body-lines.ts";
import { nowhere, type WindowBlock } from "../question/window.ts";
import { cleanLine } from "../safe-text.ts";
import { planLines } from "../status/plan-line.ts";
import { besideLines, leastForSide, type Side, sideCells, sideOf } from "../status/side-column.ts";
import { footerLine, savedLines, statusLines } from "../status/status-lines.ts";
import type { Screen, ScreenPlace, Whole } from "../surface/surface.ts";
import { liveCards, queueLines, tailLines } from "../transcript/live-lines.ts";
import { tildePath } from "../view/view-state.ts";
import type { Chat } from "./chat.ts";
import { modalOf, viewOf } from "./chat-state.ts";
import { blockOf, input, type QuestionName, wholeOf } from "./surfaces.ts";

/** The data that the live part of the screen is drawn from, beside the state. */
export interface FrameContext {
  columns: number;
  rows: number;
  /** Counts up while something runs: the one spinner of the screen. */
  tick: number;
  /** Whole seconds of the agent's work on the turn. */
  seconds: number;
  /** Milliseconds since the epoch. */
  now: number;
  /** The person's home folder, for which `~` stands. */
  home?: string | undefined;
  layouts: Layouts;
  /** The parts that the last row shows; by default all of them. */
  statusLine?: readonly StatusPart[] | undefined;
  /** Beside the live part, where the terminal is wide enough; by default it is there. */
  sideColumn?: "auto" | "off" | undefined;
}

/** A component of the live part. */
export type PartName =
  | "small"
  | "dialog"
  | "recovery"
  | "form"
  | "draft"
  | "talk"
  | "cards"
  | "queue"
  | "status"
  | "plan"
  | "composer"
  | "popup"
  | "footer";

/** A part with its rows, laid out for the space that it was given. */
export interface Part {
  name: PartName;
  block: Block;
  /** Blank rows above it. */
  gap: number;
}

/** The live part of the screen: its parts from the top, and the same as one block. */
export interface Frame extends Block {
  parts: Part[];
  screen: Screen;
  /** The window is too small for a question: none is on the screen, whatever waits. */
  tooSmall: boolean;
  /** The block that fills the terminal's other screen; the live part is nothing then. */
  full?: Whole;
}

const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;

/** The live part of the screen: never more than `rows - 2` rows, none wider than the terminal. */
export function liveFrame(chat: Chat, context: FrameContext): Frame {
  const full = isTooSmall(context) ? undefined : fullOf(chat, context);
  const { columns } = context;
  if (full !== undefined) {
    const { geometry = nowhere, text } = full;
    return { parts: [], lines: [], tooSmall: false, full, screen: { columns, geometry, ...(text && { text }) } };
  }
  const side = sideBeside(chat, context);
  const inner = side === undefined ? columns : columns - sideCells;
  const space: Space = { columns: inner, rows: Math.max(1, context.rows - 2) };
  const { parts, geometry = nowhere } = layOut(chat, { ...context, columns: inner }, space, side !== undefined);
  const fitting = within(parts, space);
  const drawn = side === undefined ? fitting : withSide(fitting, side, inner);
  return {
    parts: drawn,
    ...joined(drawn),
    tooSmall: isTooSmall(context),
    screen: { columns: inner, geometry },
  };
}

/** Returns the column at the right, where there is room for it and anything to tell. */
function sideBeside(chat: Chat, { columns, sideColumn }: FrameContext): Side | undefined {
  if (columns < leastForSide || sideColumn === "off") return undefined;
  const side = sideOf(chat.view, chat.planFolded, chat.jobs);
  return side.sections.length === 0 ? undefined : side;
}

/** The parts with a column at their right, which runs through the blank rows between them. */
function withSide(parts: readonly Part[], side: Side, columns: number): Part[] {
  const rows = besideLines(joined(parts).lines, side, columns);
  let at = 0;
  return parts.map(({ name, block, gap }) => {
    const lines = rows.slice(at, at + gap + block.lines.length);
    at += lines.length;
    const { cursor } = block;
    return { name, gap: 0, block: { lines, ...(cursor && { cursor: { ...cursor, row: cursor.row + gap } }) } };
  });
}

const isTooSmall = ({ columns, rows }: FrameContext): boolean => columns < 40 || rows < 10;

/** Returns the view that the person reads or chooses from on the whole screen, or the question that fills it. */
function fullOf(chat: Chat, context: FrameContext): Whole | undefined {
  const front = viewOf(chat) ?? modalOf(chat);
  return front === undefined ? undefined : wholeOf(chat.open, front, placeOf(chat, context));
}

const placeOf = ({ view }: Chat, { columns, rows, now, home, layouts }: FrameContext): ScreenPlace => ({
  ...{ columns, rows, now, home, layouts, view },
});

interface LaidOut {
  parts: Part[];
  geometry?: WindowBlock["geometry"];
}

/** No part below the last row there is, none wider than the terminal; parts of nothing are left out. */
function within(parts: readonly Part[], space: Space): Part[] {
  const kept: Part[] = [];
  let left = space.rows;
  for (const { name, block, gap } of parts) {
    const above = Math.min(gap, left);
    const lines = block.lines.slice(0, left - above).map((row) => cutSpans(row, space.columns));
    if (lines.length === 0) continue;
    const { cursor } = block;
    const inside = cursor !== undefined && cursor.row < lines.length;
    kept.push({ name, gap: above, block: { lines, ...(inside ? { cursor } : {}) } });
    left -= above + lines.length;
  }
  return kept;
}

/** The rows of all parts, one below the other. */
function joined(parts: readonly Part[]): Block {
  const lines: StyledLine[] = [];
  let at: Block["cursor"];
  for (const { block, gap } of parts) {
    for (let row = 0; row < gap; row += 1) lines.push([]);
    if (block.cursor !== undefined) at = { ...block.cursor, row: block.cursor.row + lines.length };
    lines.push(...block.lines);
  }
  return { lines, ...(at === undefined ? {} : { cursor: at }) };
}

const part = (name: PartName, block: Block, gap = 0): Part => ({ name, block, gap });

function layOut(chat: Chat, context: FrameContext, space: Space, planAside: boolean): LaidOut {
  if (isTooSmall(context)) return { parts: [part("small", smallBlock(chat, space))] };
  const modal = modalOf(chat);
  return modal === undefined ? inputParts(chat, context, space, planAside) : questionParts(modal, chat, context, space);
}

function smallBlock(chat: Chat, space: Space): Block {
  const text = modalOf(chat) === undefined ? words().tooSmall : words().tooSmallToAnswer;
  return { lines: wrapSpans([span(text)], space.columns) };
}

function questionParts(modal: QuestionName, chat: Chat, context: FrameContext, space: Space): LaidOut {
  const draft: Block = { lines: input.kept(chat.open.input, space.columns) };
  // Where rows are few, the question needs them more than the distance does.
  const gap = space.rows < 12 ? 0 : 1;
  const inner: Space = { ...space, rows: space.rows - gap - draft.lines.length };
  const block = blockOf(chat.open, modal, placeOf(chat, context), inner);
  return { parts: [part(modal, block, gap), part("draft", draft)], geometry: block.geometry };
}

/** Most commands are over before. */
const asideAfterMs = 2_000;

const mayGoAside = (view: Chat["view"], now: number): boolean =>
  ableToGoAside(view).some(({ since = now }) => now - since >= asideAfterMs);

const mostCardRows = 10;
const mostTailRows = 12;

/** With fewer rows the plan's is left to the others. */
const leastForPlan = 12;

/** The input comes first; then the talk that still comes, the open calls and the messages that wait: newest rows win. */
function inputParts(
  chat: Chat,
  { tick, seconds, home, now, statusLine }: FrameContext,
  { columns, rows }: Space,
  planAside: boolean,
): LaidOut {
  const { view, open } = chat;
  const mark = spinner[tick % spinner.length] ?? "⠋";
  const written = input.rows(open.input, view, { columns, rows });
  const taken = written.input.lines.length;
  const popup = written.below;
  const saved = input.isBlank(open.input) ? savedLines(view.saved, columns) : [];
  const { flash, aside } = chat;
  const state = { view, flash, aside, mark, seconds, mayGoAside: mayGoAside(view, now) };
  const status = [...statusLines(state, columns), ...saved];
  const plan = chat.planFolded || planAside || rows < leastForPlan ? [] : planLines(view.goals, columns);
  const shownStatus = status.slice(0, Math.max(1, rows - taken - popup.length - 2));
  const room = Math.max(0, rows - taken - popup.length - 1 - shownStatus.length - plan.length - 1);
  const queue = queueLines(view.queue, columns, chat.sending).slice(0, room);
  const cards = liveCards(view.cards, columns, Math.max(0, Math.min(mostCardRows, room - queue.length)), { mark, now });
  const place = { folder: cleanLine(tildePath(view.workspace, home)), ...(chat.branch && { branch: chat.branch }) };
  const talkRoom = Math.max(0, Math.min(mostTailRows, room - queue.length - cards.length));
  return {
    parts: [
      part("talk", { lines: tailLines(view.tail, columns, talkRoom) }),
      part("cards", { lines: cards }),
      part("queue", { lines: queue }),
      part("status", { lines: shownStatus }),
      part("plan", { lines: plan }, 1),
      part("composer", written.input, plan.length > 0 ? 0 : 1),
      part("popup", { lines: popup }),
      part("footer", { lines: [footerLine(view, { ...place, jobs: chat.jobs }, seconds, columns, statusLine)] }),
    ],
  };
}
