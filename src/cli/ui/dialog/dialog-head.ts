import type { CallRef } from "../../../core/call-ref.ts";
import { dialog as words } from "../../../words/en/dialog.ts";
import { plainText, type Span, type SpanStyle, type StyledLine } from "../../terminal/span.ts";
import { cells, cut, cutSpans, elidePath } from "../../terminal/width.ts";
import { span } from "../draw/block.ts";
import { countSpans } from "../transcript/item-lines.ts";
import { type Ask, type BatchEntry, numberIn, type Request } from "../view/view.ts";

const colors = { low: "green", medium: "yellow", high: "red" } as const;

/** The style that says at a glance how grave a call is. */
export const riskStyle = ({ call }: Pick<Request, "call">): SpanStyle => ({ color: colors[call.risk] });

const widthOf = (line: StyledLine): number => cells(plainText(line));

/** Columns from which the digest is shown. */
const wide = 80;
/** Below these the numbers of a batch stand in the place of the counts, which the list has. */
const narrow = 50;

/** Risk, tool, subject, counts; at the right end the batch as far as it has room. */
export function headLine(request: Request, ask: Ask, columns: number): StyledLine {
  const lead = [
    span(`⚠ ${words().risks[request.call.risk]} `, { ...riskStyle(request), bold: true }),
    span(`${request.toolName} `, { bold: true }),
  ];
  const isOne = ask.batch.length < 2;
  const tail: Span[] = request.counts === undefined || (columns < narrow && !isOne) ? [] : countSpans(request.counts);
  if (columns >= wide) tail.push(span(`  ${request.sha}`, { dim: true }));
  const strip = ask.batch.length > 1 ? [span("  "), ...stripSpans(ask, request.ref, Math.floor(columns / 3))] : [];
  const used = widthOf([...lead, ...tail, ...strip]);
  const subject = (request.isPath ? elidePath : cut)(request.subject, Math.max(8, columns - used));
  return cutSpans([...lead, span(subject), ...tail, ...strip], columns);
}

const marks: Record<NonNullable<BatchEntry["mark"]>, Span> = {
  yes: span("✔", { color: "green" }),
  no: span("✖", { color: "red" }),
};

/** `1✔ [2] 3 4`: each call by the number that it keeps; where they do not fit, those round the present one, and the last, which says how many there are. */
export function stripSpans(ask: Ask, ref: CallRef, room: number): Span[] {
  const at = numberIn(ask, ref) - 1;
  const entries = ask.batch.map((entry, index) => entrySpans(entry, index + 1, index === at));
  const last = entries.length - 1;
  let [from, to] = [0, entries.length];
  const shown = (): Span[] => [
    ...(from > 0 ? [span("… ", { dim: true })] : []),
    ...entries.slice(from, to).flatMap((one, index) => (index === 0 ? one : [span(" "), ...one])),
    ...(to < last ? [span(" … ", { dim: true })] : to === last ? [span(" ")] : []),
    ...(to <= last ? (entries[last] ?? []) : []),
  ];
  while (widthOf(shown()) > room && to - from > 1) {
    if (at - from > to - 1 - at) from += 1;
    else to -= 1;
  }
  return shown();
}

function entrySpans(entry: BatchEntry, number: number, isHere: boolean): Span[] {
  if (isHere) return [span(`[${number}]`, { bold: true, color: "cyan" })];
  return entry.mark === undefined ? [span(String(number))] : [span(String(number), { dim: true }), marks[entry.mark]];
}

/** All calls of the batch, a row each: number, how it stands, path and counts. */
export function listLines(ask: Ask, row: number, columns: number): StyledLine[] {
  return ask.batch.map((entry, index) => {
    const focused = index === row;
    const mark = entry.mark === undefined ? span("◆", { color: "yellow" }) : marks[entry.mark];
    const number = `${focused ? "❯" : " "} ${String(index + 1).padStart(String(ask.batch.length).length)} `;
    const style: SpanStyle = focused ? { bold: true, color: "cyan" } : entry.mark === undefined ? {} : { dim: true };
    return [span(number, style), mark, span(` ${cut(entry.label, Math.max(8, columns - number.length - 2))}`, style)];
  });
}
