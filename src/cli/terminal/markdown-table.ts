import type { Tokens } from "marked";
import { inlineLines } from "./markdown-inline.ts";
import type { MarkdownTheme } from "./markdown-theme.ts";
import { plainText, type StyledLine } from "./span.ts";
import { cells, wrapSpans } from "./width.ts";

const GAP = 3;
const NARROWEST = 6;

/** A table in columns that share the width; where they would get too narrow, each row as a list of `header: value`. */
export function tableLines(table: Tokens.Table, width: number, theme: MarkdownTheme): StyledLine[] {
  const header = table.header.map((cell) => cellLine(cell, theme, true));
  const rows = table.rows.map((row) => row.map((cell) => cellLine(cell, theme, false)));
  const columns = columnWidths([header, ...rows], width);
  if (columns === undefined) return records(header, rows, width);
  const drawn = rows.map((row) => rowLines(row, columns, table.align, theme));
  const rule = columns.map((size) => "─".repeat(size)).join("─┼─");
  return [...rowLines(header, columns, table.align, theme), [{ ...theme.faint, text: rule }], ...drawn.flat()];
}

function cellLine(cell: Tokens.TableCell, theme: MarkdownTheme, header: boolean): StyledLine {
  return inlineLines(cell.tokens, theme, header ? { bold: true } : {}).flat();
}

/** Widest content of each column, then the widest columns narrowed until all fit. */
function columnWidths(rows: StyledLine[][], width: number): number[] | undefined {
  const count = rows[0]?.length ?? 0;
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(1, ...rows.map((row) => cells(plainText(row[column] ?? [])))),
  );
  const room = width - GAP * (count - 1);
  if (room < count * NARROWEST && widths.reduce((sum, size) => sum + size, 0) > room) return undefined;
  let excess = widths.reduce((sum, size) => sum + size, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    const second = Math.max(NARROWEST, ...widths.filter((size) => size < widest));
    const column = widths.indexOf(widest);
    const give = Math.min(excess, Math.max(1, widest - second));
    widths[column] = widest - give;
    excess -= give;
  }
  return widths;
}

function rowLines(
  row: StyledLine[],
  columns: number[],
  align: Tokens.Table["align"],
  theme: MarkdownTheme,
): StyledLine[] {
  const wrapped = columns.map((size, column) => wrapSpans(row[column] ?? [], size));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    columns.flatMap((size, column) => {
      const bar = column === 0 ? [] : [{ ...theme.faint, text: " │ " }];
      const last = column === columns.length - 1;
      return [...bar, ...aligned(wrapped[column]?.[line] ?? [], size, align[column] ?? null, last)];
    }),
  );
}

function aligned(line: StyledLine, size: number, align: Tokens.Table["align"][number], last: boolean): StyledLine {
  const free = Math.max(0, size - cells(plainText(line)));
  const left = align === "right" ? free : align === "center" ? Math.floor(free / 2) : 0;
  const right = last ? 0 : free - left;
  return [{ text: " ".repeat(left) }, ...line, { text: " ".repeat(right) }].filter((span) => span.text !== "");
}

function records(header: StyledLine[], rows: StyledLine[][], width: number): StyledLine[] {
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...row.flatMap((cell, column) => wrapSpans([...(header[column] ?? []), { text: ": " }, ...cell], width)),
  ]);
}
