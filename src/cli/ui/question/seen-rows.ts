import { question as words } from "../../../words/en/question.ts";

/** Rows from the first to before the second, counted from 0. */
export type RowRange = readonly [from: number, to: number];

/** The ranges with one more, in order, none touching another; the same array where nothing is new. */
export function withRows(ranges: readonly RowRange[], from: number, to: number): readonly RowRange[] {
  if (from >= to || ranges.some(([first, last]) => first <= from && to <= last)) return ranges;
  const apart = ranges.filter(([first, last]) => last < from || first > to);
  const joined = ranges.filter((range) => !apart.includes(range));
  const all: RowRange = [
    Math.min(from, ...joined.map(([first]) => first)),
    Math.max(to, ...joined.map(([, last]) => last)),
  ];
  return [...apart, all].sort(([one], [other]) => one - other);
}

/** Returns the rows that the ranges leave out of so many. */
export function rowsLeftOut(ranges: readonly RowRange[], total: number): RowRange[] {
  const ends = [...ranges, [total, total] as const];
  return ends.flatMap(([to], index): RowRange[] => {
    const from = ranges[index - 1]?.[1] ?? 0;
    return from < to ? [[from, to]] : [];
  });
}

/** As the foot of a window counts them: `lines 27-249`, and how many further parts there are. */
export function rowWords([first, ...more]: readonly RowRange[]): string {
  if (first === undefined) return "";
  const rows = words().rows({ from: first[0] + 1, to: first[1] });
  return more.length === 0 ? rows : words().rowsAndMore({ rows, more: more.length });
}
