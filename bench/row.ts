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

/** A row about a ratio of two times. */
export function ratioRow(what: string, mine: number, other: { what: string; ms: number }, most: number): Row {
  const ratio = mine / other.ms;
  return {
    what,
    figure: ms(mine),
    beside: `${other.what} ${ms(other.ms)}`,
    ratio,
    aim: `<= ${most} x`,
    kept: ratio <= most,
  };
}

const cells = (row: Row): string[] => [
  row.what,
  row.figure,
  row.beside,
  row.ratio === undefined ? "" : `${row.ratio.toFixed(2)} x`,
  row.aim,
  row.kept ? "yes" : "**no**",
];

/** A Markdown table, columns aligned so that it is read in a terminal too. */
export function table(rows: readonly Row[]): string {
  const lines = [["what", "figure", "beside it", "ratio", "aim", "kept"], ...rows.map(cells)];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const print = (line: readonly string[]): string =>
    `| ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = lines;
  return [print(head), print(widths.map((width) => "-".repeat(width))), ...body.map(print)].join("\n");
}
