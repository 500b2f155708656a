import type { Change } from "../../../files/diff/diff-text.ts";
import { transcript as words } from "../../../words/en/transcript.ts";
import { type DiffHead, type DiffLook, layoutDiff, sideBySideFrom } from "../../terminal/diff-view.ts";
import { renderMarkdown } from "../../terminal/markdown.ts";
import type { Highlight } from "../../terminal/markdown-theme.ts";
import { type Rows, stacked } from "../../terminal/rows.ts";
import type { Span, SpanStyle, StyledLine } from "../../terminal/span.ts";
import { cutSpans, wrapSpans } from "../../terminal/width.ts";
import { hanging, span } from "../draw/block.ts";
import { spokenSeconds } from "../status/status-lines.ts";
import type { Card, CardState, Counts, Item } from "../view/view.ts";

const marks: Record<CardState, Span> = {
  arguments: span("◌ ", { color: "cyan" }),
  pending: span("○ ", { dim: true }),
  waiting: span("◆ ", { color: "yellow" }),
  running: span("● ", { color: "cyan" }),
  done: span("✔ ", { color: "green" }),
  failed: span("✖ ", { color: "red" }),
  cancelled: span("⊘ ", { color: "yellow" }),
  denied: span("✖ ", { color: "red" }),
  refused: span("✖ ", { color: "red" }),
  partly: span("⊘ ", { color: "yellow" }),
  unknown: span("? ", { color: "magenta" }),
  lost: span("? ", { color: "magenta" }),
};

export const countSpans = ({ added, removed }: Counts): Span[] => [
  span(` +${added}`, { color: "green" }),
  span(` −${removed}`, { color: "red" }),
];

const size = (bytes: number): string => (bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`);

/** Seconds after which it is said how long a call runs. */
const longSeconds = 2;

function elapsed({ state, since }: Card, now: number | undefined): string | undefined {
  const seconds =
    state !== "running" || now === undefined || since === undefined ? 0 : Math.floor((now - since) / 1000);
  return seconds < longSeconds ? undefined : spokenSeconds(seconds);
}

function besides(card: Card, now: number | undefined): string[] {
  const bytes = card.written?.size ?? 0;
  const writing =
    card.state === "arguments" ? `${words().writing}${bytes === 0 ? "" : ` · ${size(bytes)}`}` : undefined;
  const states: Partial<Record<CardState, string>> = words().states;
  const { word = states[card.state], figure, tip, note, allowedBy, decided } = card;
  return [word, writing, elapsed(card, now), figure, tip, note, allowedBy, decided].filter((one) => one !== undefined);
}

/** The data that a card that is not settled is drawn with. */
export interface LiveLook {
  /** In the place of its mark while it runs. */
  mark: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** A tool call in its rows. */
export function cardLines(card: Card, width: number, live?: LiveLook): StyledLine[] {
  const busy = card.state === "running" || card.state === "arguments";
  const mark = busy && live !== undefined ? span(`${live.mark} `, { color: "cyan" }) : marks[card.state];
  // A helper's calls stand below the call that it works for.
  const { agent: who } = card;
  const name = card.toolName === "" ? words().call : card.toolName;
  const head: Span[] = [...(who === undefined ? [] : [span(`${who} · `, { dim: true })]), span(name, { bold: true })];
  if (card.subject !== "") head.push(span(` ${card.subject}`));
  if (card.counts !== undefined) head.push(...countSpans(card.counts));
  const rest = besides(card, live?.now);
  if (rest.length > 0)
    head.push(span(` · ${rest.join(" · ")}`, card.state === "failed" ? { color: "red" } : { dim: true }));
  const rows = hanging(who === undefined ? mark : { ...mark, text: `  ${mark.text}` }, head, width);
  return [...rows, ...(card.tail ?? []).map((text) => cutSpans([span(`  │ ${text}`, { dim: true })], width))];
}

const diffKept = 14;

/** Rows of a change, with those at which its files and hunks begin. */
export interface HeadedRows extends Rows {
  readonly heads: readonly DiffHead[];
}

/**
 * The rows of a change; of one file it leaves out the two lines that name it, for the name stands above.
 * @param sides old beside new; default: where there is room
 */
export function diffRows(
  changes: readonly Change[],
  width: number,
  look: DiffLook,
  sides = width >= sideBySideFrom,
): HeadedRows {
  const names = changes.length > 1;
  const rows = layoutDiff(changes, Math.max(20, width), { ...look, names, sideBySide: sides });
  const { length, heads } = rows;
  return { length, heads, slice: (from, to) => rows.slice(from, to).map(({ spans }) => spans) };
}

/** The rows of a change as it stays in the transcript: its beginning, and how much more there is. */
function diffLines(
  { changes = [], moreChanged = 0, allShownBy = "/diff" }: Card,
  width: number,
  look: DiffLook,
): StyledLine[] {
  const rows = diffRows(changes, width - 2, look);
  const more = rows.length + moreChanged;
  const kept = more <= diffKept + 1 ? rows.length : diffKept;
  const drawn = rows.slice(0, kept).map((row) => [span("  "), ...row]);
  if (more === kept) return drawn;
  return [...drawn, [span(`  ${words().moreOfChange({ lines: more - kept, by: allShownBy })}`, { dim: true })]];
}

const displayKept = 20;

/** Lays out the tool's text for the person, wrapped: its beginning, and how much more there is. */
function displayLines({ display = [], ref }: Card, width: number): StyledLine[] {
  // A row has a cell at least: of many lines only those that can be drawn are laid out.
  const laidOut = display.slice(0, displayKept + 1);
  const rows = laidOut.flatMap((text) => wrapSpans([span(text)], Math.max(8, width - 2)));
  const drawn = rows.slice(0, displayKept).map((row) => [span("  "), ...row]);
  const left = rows.length - drawn.length + (display.length - laidOut.length);
  if (left === 0) return drawn;
  const more = words().moreOfResult({ lines: left, call: ref.call });
  return [...drawn, ...hanging(span("  "), [span(more, { dim: true })], width)];
}

/** The same with nothing folded: its change as it is recorded, or else what the model was told of its result. */
function wholeCallRows(card: Card, width: number, look: DiffLook): Rows {
  const { changes, output, state } = card;
  const drawn = state === "done" ? changes : undefined;
  if (drawn !== undefined) {
    const { moreChanged: lines = 0, allShownBy: by = "/diff" } = card;
    const more = lines === 0 ? [] : [[span(`  ${words().moreOfChange({ lines, by })}`, { dim: true })]];
    const diff = indented(diffRows(drawn, width - 2, look));
    return stacked([cardLines(card, width), displayLines(card, width), diff, more]);
  }
  if (output === undefined) return callLines(card, width, look);
  const rows = output.flatMap((text) => wrapSpans([span(text, { dim: true })], Math.max(8, width - 2)));
  return stacked([cardLines(card, width), indented(rows)]);
}

const indented = (rows: Rows): Rows => ({
  length: rows.length,
  slice: (from, to) => rows.slice(from, to).map((row) => [span("  "), ...row]),
});

function callLines(card: Card, width: number, look: DiffLook): StyledLine[] {
  const rows = [...cardLines(card, width), ...displayLines(card, width)];
  return card.changes === undefined || card.state !== "done" ? rows : [...rows, ...diffLines(card, width, look)];
}

/** Rows of a session's changes in the transcript: they are drawn a few at a time, yet nobody scrolls back through more. */
const mostDrawn = 20_000;

function sessionRows(changes: readonly Change[], width: number, look: DiffLook): Rows {
  const sideBySide = width - 2 >= sideBySideFrom;
  const rows = layoutDiff(changes, Math.max(20, width - 2), { ...look, sideBySide });
  if (rows.length === 0) return [[span(`  ${words().noChanges}`, { dim: true })]];
  const drawn: Rows = {
    length: Math.min(mostDrawn, rows.length),
    slice: (from, to) => rows.slice(from, Math.min(to, mostDrawn)).map((one) => [span("  "), ...one.spans]),
  };
  if (rows.length <= mostDrawn) return drawn;
  const more = `  ${words().moreOfSession({ lines: rows.length - mostDrawn })}`;
  return stacked([drawn, [[span(more, { dim: true })]]]);
}

const decisionMarks = {
  yes: span("✔ ", { color: "green" }),
  no: span("✖ ", { color: "red" }),
  other: span("✎ ", { color: "yellow" }),
} as const;

const levels = {
  info: { mark: span("· ", { dim: true }), style: { dim: true } },
  warn: { mark: span("⚠ ", { color: "yellow" }), style: { color: "yellow" } },
  error: { mark: span("✖ ", { color: "red" }), style: { color: "red" } },
} as const satisfies Record<string, { mark: Span; style: SpanStyle }>;

/** Finds the beginning of the second column in a line of a list, 0 where it has none or the window is too narrow for two. */
function columnOf(text: string, width: number): number {
  const column = /^ {2}\S.*? {2,}(?=\S)/.exec(text)?.[0].length ?? 0;
  return column <= width / 2 ? column : 0;
}

function noticeLines(item: Extract<Item, { kind: "notice" }>, width: number): StyledLine[] {
  const { mark, style } = levels[item.level];
  const rows = item.text.split("\n").flatMap((text, index) => {
    const column = columnOf(text, width);
    const lead = `${index === 0 ? mark.text : "  "}${text.slice(0, column)}`;
    return hanging(
      { ...(index === 0 ? mark : style), text: lead },
      [span(text.slice(column), style)],
      width,
      column + 2,
    );
  });
  const hint = item.hint === undefined ? [] : hanging(span("  "), [span(item.hint, { dim: true })], width);
  return [...rows, ...hint];
}

/** A message of more rows has a paste in it: its beginning says which, and what is asked about it stands before or behind. */
const mostUserRows = 20;
const foldedRows = 4;
const foldedEndRows = 4;

const userLead = (index: number): Span => span(index === 0 ? "❯ " : "  ", { color: "cyan", bold: true });

const wholeUserLines = (text: string, width: number): StyledLine[] =>
  text.split("\n").flatMap((line, index) => hanging(userLead(index), [span(line, { bold: true })], width));

/** Lays out the person's message; of a long one the beginning and the end, and how much is between them. */
function userLines(text: string, width: number): StyledLine[] {
  const lines = text.trimEnd().split("\n");
  const rows: StyledLine[] = [];
  // of a line without end no more is laid out than can be shown
  const most = mostUserRows * Math.max(8, width) * 2;
  let whole = 0;
  let cut = false;
  for (const [index, line] of lines.entries()) {
    rows.push(...hanging(userLead(index), [span(line.slice(0, most), { bold: true })], width));
    if (rows.length <= foldedRows) whole = index + 1;
    cut ||= line.length > most;
    if (cut || rows.length > mostUserRows) {
      const end = endOf(lines.slice(whole), width, most);
      return [...rows.slice(0, foldedRows), moreOf(lines.length - whole - end.whole), ...end.rows];
    }
  }
  return rows;
}

/** The last rows of these lines, and how many of the lines are whole in them. */
function endOf(lines: readonly string[], width: number, most: number): { rows: StyledLine[]; whole: number } {
  let rows: StyledLine[] = [];
  for (const [index, line] of [...lines.slice(-foldedEndRows)].reverse().entries()) {
    const wrapped = hanging(userLead(1), [span(line.slice(-most), { bold: true })], width);
    if (rows.length + wrapped.length > foldedEndRows)
      return { rows: index > 0 ? rows : wrapped.slice(-foldedEndRows), whole: index };
    rows = [...wrapped, ...rows];
  }
  return { rows, whole: Math.min(foldedEndRows, lines.length) };
}

const moreOf = (lines: number): StyledLine => [
  span(`  ${lines > 1 ? words().moreLines({ lines }) : words().moreOfLine}`, { dim: true }),
];

function assistantLines(
  text: string,
  continued: boolean,
  width: number,
  highlight: Highlight | undefined,
): StyledLine[] {
  const rows = renderMarkdown(text, Math.max(8, width - 2), highlight === undefined ? {} : { highlight });
  return rows.map((row, index) => [index === 0 && !continued ? span("● ", { color: "green" }) : span("  "), ...row]);
}

const blank: StyledLine = [];

/** An anchor: the mark of the program beside the place of a new chat. */
const mark = ["╺╋╸", "╻┃╻", "┗┻┛"];

/** Columns from which the mark has its place. */
const markedFrom = 60;

/** The program and its place: beside the mark in a new chat, where there is one row for each of its rows. */
function placeLines(lines: readonly string[], isNew: boolean, width: number): StyledLine[] {
  const isMarked = isNew && width >= markedFrom && lines.length >= mark.length;
  const room = isMarked ? width - 5 : width;
  // In a new chat the model and the folder are what a person looks for.
  const styleOf = (index: number) => (index === 0 ? { bold: true } : isNew && index === 1 ? {} : { dim: true });
  const rows = lines.flatMap((text, index) => wrapSpans([span(text, styleOf(index))], room));
  return isMarked ? rows.map((row, index) => [span(`${mark[index] ?? "   "}  `, { color: "cyan" }), ...row]) : rows;
}

/** Lays out the place of the chat; below it the sessions that a digit goes over to. */
function bannerLines(
  { lines, isNew = false, offered = [] }: Extract<Item, { kind: "banner" }>,
  width: number,
): StyledLine[] {
  const place = placeLines(lines, isNew, width);
  if (offered.length === 0) return place;
  const sessions = offered.flatMap(({ title, about }, index) =>
    hanging(span(`  ${index + 1} `, { color: "cyan" }), [span(title), span(` · ${about}`, { dim: true })], width, 4),
  );
  const how = wrapSpans([span(words().goesOn({ sessions: offered.length }), { dim: true })], width);
  return [...place, blank, ...sessions, blank, ...how];
}

/** Tells whether an item stands apart from the talk before it by a blank row; calls and decisions keep together. */
export const isApart = (item: Item, before: Item | undefined): boolean =>
  item.kind !== "user" &&
  item.kind !== "assistant" &&
  item.kind !== "command" &&
  (before?.kind === "assistant" || before?.kind === "user");

/** One finished item of the transcript as rows of at most `width` cells; pieces of talk stand apart by a blank row. */
export function itemRows(item: Item, width: number, look: DiffLook = {}): Rows {
  switch (item.kind) {
    case "banner":
      return bannerLines(item, width);
    case "user":
      return [blank, ...userLines(item.text, width)];
    case "assistant":
      return [blank, ...assistantLines(item.text, item.continued, width, look.highlight)];
    case "call":
      return callLines(item.card, width, look);
    case "command":
      return [blank, ...hanging(span("› ", { color: "cyan" }), [span(item.text, { dim: true })], width)];
    case "decision":
      return hanging(decisionMarks[item.mark], [span(item.text)], width);
    case "notice":
      return noticeLines(item, width);
    case "diff":
      return sessionRows(item.changes, width, look);
  }
}

/** Each piece of a talk that is read by itself, with nothing folded. */
export const talkRows = (items: readonly Item[], width: number, look: DiffLook): Rows[] =>
  items.map((item, index) => {
    const above = isApart(item, items[index - 1]) ? [blank] : [];
    return stacked([above, wholeRows(item, width, look)]);
  });

function wholeRows(item: Item, width: number, look: DiffLook): Rows {
  if (item.kind === "user") return [blank, ...wholeUserLines(item.text, width)];
  return item.kind === "call" ? wholeCallRows(item.card, width, look) : itemRows(item, width, look);
}
