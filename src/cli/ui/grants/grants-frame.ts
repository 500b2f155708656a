import { grants as words } from "../../../words/en/grants.ts";
import type { Permissions } from "../../services/session-services.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { cells, cut, cutSpans, wrapSpans } from "../../terminal/width.ts";
import { span } from "../draw/block.ts";
import type { WindowBlock } from "../question/window.ts";
import { cleanEffect, cleanLine } from "../safe-text.ts";
import type { GrantList } from "./grants-state.ts";

/** The rules and grants on the whole screen, a row each; the one that is pointed at is there whole, as far as the screen has rows. */
export function grantsFrame(list: GrantList, { columns, rows }: { columns: number; rows: number }): WindowBlock {
  const window = Math.max(0, rows - 2);
  const said = list.revoking ? words().revoke : list.note;
  const of = list.rows.length;
  const place = of === 0 ? "" : `  ${words().position({ at: list.at + 1, of })}`;
  const foot = cut(said === "" ? words().listHint : said, Math.max(0, columns - cells(place)));
  const body = of === 0 ? [[span(words().none, { dim: true })]] : listRows(list, window, columns);
  const lines: StyledLine[] = [
    ...Array.from({ length: window + 1 }, (_, row) => body[row] ?? []),
    [span(foot, said === "" ? { dim: true } : { color: "yellow" }), span(place, { dim: true })],
  ];
  return { lines: lines.map((line) => cutSpans(line, columns)), geometry: { total: of, window, columns } };
}

function listRows({ rows, at }: GrantList, window: number, columns: number): StyledLine[] {
  const here = wholeRow(rows[at]?.text ?? "", columns).slice(0, window);
  const room = Math.max(0, window - here.length);
  const above = Math.min(at, Math.max(Math.floor(room / 2), room - (rows.length - at - 1)));
  const row = ({ text }: { text: string }): StyledLine => [span(`  ${cut(cleanLine(text), columns - 2)}`)];
  return [...rows.slice(at - above, at).map(row), ...here, ...rows.slice(at + 1, at + 1 + room - above).map(row)];
}

const wholeRow = (text: string, columns: number): StyledLine[] =>
  wrapSpans([span(cleanLine(text))], Math.max(8, columns - 2)).map((line, index) => [
    span(index === 0 ? "❯ " : "  ", { bold: true, color: "cyan" }),
    ...line.map((one) => ({ ...one, bold: true, color: "cyan" as const })),
  ]);

/** All of them as lines, for a terminal that can only print. */
export function grantsText({ heads, rows }: Permissions): string {
  const byName = rows.some(({ grant }) => grant !== undefined) ? [words().byName] : [];
  return cleanEffect([...heads, ...rows.map(({ text }) => `  ${text}`), ...byName].join("\n"));
}
