import { before } from "./before.ts";
import type { Spread } from "./measure.ts";

/** One line of the table. */
export interface Row {
  what: string;
  /** The figure itself, with its unit. */
  figure: string;
  /** What it is compared with, measured in the same run. */
  beside: string;
  ratio?: number;
  /** The bound that is aimed at, as written in the table, and whether it is kept. */
  aim: string;
  kept: boolean;
}

export const ms = (value: number): string =>
  value >= 1000 ? `${(value / 1000).toFixed(2)} s` : `${value.toFixed(0)} ms`;

export const times = ({ min, median }: Spread): string => `${ms(min)} (${ms(median)})`;

/** A row about a ratio of two times: of the least of each, which is what the machine's other work disturbs least. */
export function ratioRow(what: string, mine: Spread, other: { what: string; spread: Spread }, most: number): Row {
  const ratio = mine.min / other.spread.min;
  const beside = `${other.what} ${times(other.spread)}`;
  return { what, figure: times(mine), beside, ratio, aim: `<= ${most} x`, kept: ratio <= most };
}

const cells = (row: Row): string[] => [
  row.what,
  before[row.what] ?? "",
  row.figure,
  row.beside,
  row.ratio === undefined ? "" : `${row.ratio.toFixed(2)} x`,
  row.aim,
  row.kept ? "yes" : "**no**",
];

/** A Markdown table, columns aligned so that it is read in a terminal too. */
export function table(rows: readonly Row[]): string {
  const lines = [["what", "before", "now: least (median)", "beside it", "ratio", "aim", "kept"], ...rows.map(cells)];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const print = (line: readonly string[]): string =>
    `| ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = lines;
  return [print(head), print(widths.map((width) => "-".repeat(width))), ...body.map(print)].join("\n");
}
