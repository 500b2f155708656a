import { summedSpent } from "../../core/summed-spent.ts";
import type { Spent } from "../../store/types.ts";
import { statistics as words } from "../../words/en/statistics.ts";
import type { Span, StyledLine } from "../terminal/span.ts";
import { barText } from "./bar.ts";
import { costText, spokenTokens } from "./figures.ts";
import { span } from "./rows.ts";
import { tableRows } from "./table.ts";

/** The use and cost of the replies of one session. */
export interface CostRow extends Spent {
  session: string;
  title: string;
  workspace: string;
}

/** Sessions as a table, and the sum of `all` below. */
export function costRows(rows: readonly CostRow[], all: readonly CostRow[], width: number | undefined): StyledLine[] {
  const isPriced = all.some(({ cost }) => cost !== undefined);
  const figureOf = (one: Spent): number => (isPriced ? (one.cost ?? 0) : one.inputTokens + one.outputTokens);
  const most = Math.max(...rows.map(figureOf));
  const barWidth = width === undefined || width >= 90 ? 12 : 6;
  const figures = (one: Spent): string[] => [
    ...(isPriced ? [one.cost === undefined ? "" : costText(one.cost)] : []),
    ...[one.inputTokens, one.cachedTokens, one.outputTokens].map((tokens) => tokensText(tokens, width)),
  ];
  const sum = summedSpent(all);
  const { cost, read, cached, written, session } = words().heads;
  const texts = [[...(isPriced ? [cost] : []), read, cached, written], ...[...rows, sum].map(figures)];
  const widths = texts[0]?.map((_, at) => Math.max(...texts.map((line) => line[at]?.length ?? 0))) ?? [];
  const cells = (at: number): Span[] =>
    (texts[at] ?? []).map((text, column) => span(text.padStart(widths[column] ?? 0)));
  const dim = (line: readonly Span[]): Span[] => line.map((one) => ({ ...one, dim: true }));
  const head = dim([span(session), span(""), ...cells(0), span("")]);
  const lines = rows.map((row, at) => [
    span(row.session, { bold: true }),
    span(barText(figureOf(row), most, barWidth), { color: "cyan" }),
    ...cells(at + 1),
    span(row.title),
  ]);
  const sessions = words().sessions({ sessions: all.length });
  const unpriced = isPriced && sum.unpriced > 0 ? words().unpriced({ replies: sum.unpriced }) : "";
  const last = [span(sessions, { bold: true }), span(""), ...cells(rows.length + 1), span(unpriced, { dim: true })];
  return tableRows([head, ...lines, last], width, "cut").filter((row) => row.some(({ text }) => text.trim() !== ""));
}

/** Whole where it is read by a program. */
const tokensText = (tokens: number, width: number | undefined): string =>
  width === undefined ? String(tokens) : spokenTokens(tokens);
