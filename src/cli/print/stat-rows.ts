import { countText } from "../../core/count-text.ts";
import { marksOf, type StatOrder, type ToolMark, type ToolStats } from "../../core/tool-stats.ts";
import { statistics as words } from "../../words/en/statistics.ts";
import type { Span, StyledLine } from "../terminal/span.ts";
import { cells, cutSpans } from "../terminal/width.ts";
import { barText } from "./bar.ts";
import { rateText, spanText } from "./figures.ts";
import { momentText, whenText } from "./moments.ts";
import { span } from "./rows.ts";
import { tableRows } from "./table.ts";

interface StatPage {
  /** The figure that the bars show. */
  by: StatOrder;
  /** Columns of the terminal; undefined where it is none. */
  width: number | undefined;
  now: number;
  utc: boolean;
}

/** From here on there is room for all columns beside each other. */
const wide = 120;
/** Cells of a name at a terminal; names are the model's. */
const longestName = 20;

/** A mark in words: "fails often (62 % of 26 calls succeeded)", "is slow (6.2 s each)". */
export const markText = (mark: ToolMark, { calls, successRate, meanMs }: ToolStats): string =>
  mark === "failing"
    ? words().oftenFails({ rate: rateText(successRate ?? 0), calls: countText(calls) })
    : words().isSlow({ each: spanText(meanMs ?? 0) });

/** Tools as a table: a bar of the figure that they are in order by, the figures, and what is to be said in words. */
export function statRows(stats: readonly ToolStats[], page: StatPage): StyledLine[] {
  const { by, width, now, utc } = page;
  const isWide = width === undefined || width >= wide;
  const barWidth = isWide ? 12 : 6;
  const figureOf = (one: ToolStats): number => (by === "lastUsed" ? 0 : (one[by] ?? 0));
  const most = Math.max(...stats.map(figureOf));
  const whenOf = (at: number): string => (width === undefined ? momentText(at, utc) : whenText(at, now, utc));
  const rows = stats.map((one) => [
    nameCell(one.tool, width),
    ...(by === "lastUsed" ? [] : [span(barText(figureOf(one), most, barWidth), { color: "cyan" })]),
    ...[countText(one.calls), one.successRate === null ? "" : rateText(one.successRate)].map((text) => span(text)),
    ...[one.meanMs, one.p95Ms].map((ms) => span(ms === null ? "" : spanText(ms))),
    ...(isWide ? [span(one.meanMs === null ? "" : spanText(one.totalMs))] : []),
    lastCell(one, isWide, whenOf),
  ]);
  const { tool, calls, success, mean, p95, total, lastUsed } = words().heads;
  const heads = [calls, success, mean, p95, ...(isWide ? [total] : [])];
  const bars = by === "lastUsed" ? [] : [""];
  const head = [tool, ...bars, ...heads, lastUsed].map((text) => span(text, { dim: true }));
  return tableRows(toTheRight([head, ...rows], 1 + bars.length), width, "wrap");
}

/** Figures end where those above them do; the columns before `from` and the last one are words. */
function toTheRight(rows: readonly Span[][], from: number): Span[][] {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => cells(row[at]?.text ?? "")))) ?? [];
  return rows.map((row) =>
    row.map((cell, at) =>
      at < from || at === row.length - 1
        ? cell
        : { ...cell, text: `${" ".repeat(Math.max(0, (widths[at] ?? 0) - cells(cell.text)))}${cell.text}` },
    ),
  );
}

function nameCell(name: string, width: number | undefined): Span {
  const whole = span(name, { bold: true });
  return width === undefined ? whole : (cutSpans([whole], longestName)[0] ?? whole);
}

/** Makes the last cell: the time of the last use, the marks, and the calls that did not succeed. */
function lastCell(stats: ToolStats, isWide: boolean, whenOf: (at: number) => string): Span {
  const found = marksOf(stats);
  const { marks, errors, cancelled, interrupted, inAll } = words();
  const ends = [
    ...(stats.lastUsed === null ? [] : [whenOf(stats.lastUsed)]),
    ...found.map((mark) => marks[mark]),
    ...ended(stats.error, errors),
    ...ended(stats.cancelled, cancelled),
    ...ended(stats.interrupted, interrupted),
    ...(isWide || stats.meanMs === null ? [] : [inAll({ time: spanText(stats.totalMs) })]),
  ];
  return span(ends.join(", "), found.length > 0 ? { color: "yellow" } : { dim: true });
}

const ended = (count: number, said: (about: { count: string; one: boolean }) => string): string[] =>
  count === 0 ? [] : [said({ count: countText(count), one: count === 1 })];
