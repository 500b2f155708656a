import { diffOf } from "../../../files/diff/diff.ts";
import { theme as words } from "../../../words/en/theme.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { themeChoices } from "../../terminal/theme.ts";
import { cells, cut, cutSpans } from "../../terminal/width.ts";
import { span } from "../draw/block.ts";
import type { Layouts } from "../question/body-lines.ts";
import type { WindowBlock } from "../question/window.ts";
import type { ThemeList } from "./theme-state.ts";

interface Space {
  columns: number;
  rows: number;
  layouts: Layouts;
}

/** The themes, a row each, and below them a change as it looks in the one that is pointed at, as far as there is room. */
export function themeFrame({ at }: ThemeList, { columns, rows, layouts }: Space): WindowBlock {
  const of = themeChoices.length;
  const window = Math.max(0, Math.min(of, rows - 2));
  const from = Math.max(0, Math.min(at - Math.floor(window / 2), of - window));
  const listed = themeChoices.slice(from, from + window).map((name, index) => choiceRow(name, from + index === at));
  const room = rows - 2 - window;
  const shown = room < 4 ? [] : [[], [span(words().sample, { dim: true })], ...sampleRows(layouts, columns, room - 2)];
  const body: StyledLine[] = [...listed, ...shown];
  const place = `  ${words().position({ at: at + 1, of })}`;
  const lines: StyledLine[] = [
    [span(words().title, { bold: true })],
    ...Array.from({ length: Math.max(0, rows - 2) }, (_, row) => body[row] ?? []),
    [span(cut(words().hint, Math.max(0, columns - cells(place))), { dim: true }), span(place, { dim: true })],
  ];
  return { lines: lines.map((line) => cutSpans(line, columns)), geometry: { total: of, window, columns } };
}

function choiceRow(name: (typeof themeChoices)[number], isHere: boolean): StyledLine {
  const style = isHere ? { bold: true, color: "cyan" as const } : {};
  const width = Math.max(...themeChoices.map(cells));
  return [
    span(`${isHere ? "❯ " : "  "}${name}${" ".repeat(width - cells(name))}  `, style),
    span(words().about[name], { dim: true }),
  ];
}

const code = (most: number, why: string): string =>
  ["const settings = {", `  retries: ${most}, // ${why}`, "};", ""].join("\n");

function sampleRows(layouts: Layouts, columns: number, most: number): StyledLine[] {
  const change = diffOf(code(3, words().before), code(5, words().after));
  return layouts.changes([{ ...change, kind: "modify", name: "src/settings.ts" }], columns).slice(0, most);
}
