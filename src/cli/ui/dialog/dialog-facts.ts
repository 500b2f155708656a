import { dialog as words } from "../../../words/en/dialog.ts";
import { view } from "../../../words/en/view.ts";
import { newsText } from "../../print/news-text.ts";
import type { Span, StyledLine } from "../../terminal/span.ts";
import { cut, cutSpans, wrapSpans } from "../../terminal/width.ts";
import { span } from "../draw/block.ts";
import type { Request } from "../view/view.ts";

/** The lines that are said beside the effect itself. */
export interface Facts {
  /** Stays in sight, whatever is scrolled. */
  fixed: StyledLine[];
  /** Warnings that did not fit there: they come before the effect, in what scrolls. */
  scrolling: StyledLine[];
}

/** Below this many rows the effect itself needs all that the warnings leave; below the second all but one row. */
const roomyRows = 9;
const fewRows = 12;

/**
 * Warnings, then files, facts and reason. Warnings are never folded away: where they do not fit they are cut to a row each, and stand
 * whole before the effect, so that it counts as shown only with them.
 */
export function factsOf(request: Request, { columns, rows }: { columns: number; rows: number }): Facts {
  const warnings = warningsOf(request).map(({ text, style }) => wrapSpans([span(`⚠ ${text}`, style)], columns));
  const most = Math.max(1, Math.floor(rows / 3));
  const all = warnings.flat();
  const fits = all.length <= most;
  const safety = fits ? all : briefly(warnings, most, columns);
  const least = safety.length === 0 || rows >= roomyRows ? 1 : 0;
  const room = Math.max(least, Math.floor(rows / 4) - safety.length);
  const plain = rows < fewRows ? [whyLine(request, columns)].slice(0, least) : upTo(plainFacts(request, columns), room);
  return { fixed: [...safety, ...plain], scrolling: fits ? [] : all };
}

function warningsOf(request: Request): { text: string; style: Omit<Span, "text"> }[] {
  const warnings = request.warnings.map((text) => ({ text, style: { color: "yellow" } as const }));
  if (request.changed === undefined) return warnings;
  return [{ text: words().facts.askedAnew(request.changed), style: { color: "magenta", bold: true } }, ...warnings];
}

/** The first row of each, as many as there is room for, and how many more there are. */
function briefly(warnings: StyledLine[][], room: number, columns: number): StyledLine[] {
  const rows = warnings.map(([first = [], ...more]) =>
    more.length === 0 ? first : [...cutSpans(first, columns - 1), span("…", { color: "yellow" })],
  );
  if (rows.length <= room) return rows;
  const text = `⚠ ${words().facts.warnings({ warnings: rows.length })}`;
  return [...rows.slice(0, room - 1), [span(cut(text, columns), { color: "yellow" })]];
}

function plainFacts(request: Request, columns: number): StyledLine[] {
  const rows: StyledLine[] = [];
  const facts = request.facts.length === 0 ? "" : ` · ${request.facts.join(" · ")}`;
  for (const [index, file] of request.files.entries()) {
    rows.push([span(cut(`${file}${index === request.files.length - 1 ? facts : ""}`, columns))]);
  }
  if (request.agent !== undefined) rows.push([span(cut(words().facts.askedBy({ agent: request.agent }), columns))]);
  return [...rows, ...wrapSpans(whySpans(request), columns)];
}

/** The reason first: where there is little room what is new is cut before it. */
const whySpans = ({ why, rule, call: { news } }: Request): Span[] => [
  span(words().facts.whyLead),
  span(why, { italic: true }),
  span(` (${rule})`, { dim: true }),
  ...(news === undefined ? [] : [span(` · ${newsText(news)}`)]),
];

/** All that is said beside the effect where there is one row for it: the reason, and before it that a file is made or goes. */
function whyLine(request: Request, columns: number): StyledLine {
  const kind = request.call.plan.files?.[0]?.kind;
  const first = kind === "new" || kind === "delete" ? `${view().fileKinds[kind]} · ` : "";
  return cutSpans([span(first, { bold: true }), ...whySpans(request)], columns);
}

function upTo(rows: StyledLine[], limit: number): StyledLine[] {
  if (rows.length <= limit || limit === 0) return rows.slice(0, limit);
  return [
    ...rows.slice(0, limit - 1),
    [span(`  ${words().facts.more({ rows: rows.length - limit + 1 })}`, { dim: true })],
  ];
}
