import { diffLines as compareLines } from "diff";
import type { StyledLine } from "../terminal/span.ts";
import { expandTabs, wrapSpans } from "../terminal/width.ts";
import { diffRows, span } from "./item-lines.ts";
import { cleanEffect } from "./safe-text.ts";
import type { Request, Unsettled } from "./view.ts";

/** The parts of a question that scroll, laid out for a width; the same question and width give the same rows again. */
export interface Layouts {
  body(request: Request, width: number): StyledLine[];
  past(call: Unsettled, width: number): StyledLine[];
}

const plain = (text: string, width: number): StyledLine[] =>
  text.split("\n").flatMap((line) => wrapSpans([span(expandTabs(line))], width));

const heading = (text: string): StyledLine => [span(text, { bold: true })];

function commandRows(command: string, width: number): StyledLine[] {
  return command
    .split("\n")
    .flatMap((line, index) =>
      wrapSpans([span(index === 0 ? "$ " : "  ", { dim: true }), span(expandTabs(line), { bold: true })], width),
    );
}

const maxChangedRows = 40;

/** What the plan shown before and the plan now have not in common. */
function changedRows(before: string, now: string, width: number): StyledLine[] {
  const parts = compareLines(cleanEffect(before), cleanEffect(now), { timeout: 250 }) ?? [];
  const rows = parts
    .filter((part) => part.added || part.removed)
    .flatMap((part) =>
      part.value
        .replace(/\n$/, "")
        .split("\n")
        .filter((line) => !/^(@@|---|\+\+\+|diff |index )/.test(line))
        .flatMap((line) =>
          wrapSpans(
            [
              span(part.added ? "now  " : "was  ", { bold: true }),
              span(expandTabs(line), { color: part.added ? "cyan" : "gray" }),
            ],
            width,
          ),
        ),
    );
  const more = rows.length - maxChangedRows;
  return more > 0 ? [...rows.slice(0, maxChangedRows), [span(`… ${more} more lines differ`, { dim: true })]] : rows;
}

function bodyOf(request: Request, width: number): StyledLine[] {
  const rows: StyledLine[] = [];
  if (request.changed !== undefined && request.changed.diff !== "") {
    const changed = changedRows(request.changed.diff, request.diff, width);
    if (changed.length > 0) rows.push(heading("what is different now"), ...changed, heading("the whole change now"));
  }
  if (request.command !== "") rows.push(...commandRows(request.command, width));
  if (request.diff !== "") rows.push(...diffRows(request.diff, width));
  if (request.command === "" && request.diff === "") rows.push(...plain(request.argumentText, width));
  return rows;
}

function pastOf(call: Unsettled, width: number): StyledLine[] {
  const args = [heading("arguments"), ...plain(call.argumentText, width)];
  return call.diff === "" ? args : [...diffRows(call.diff, width), ...args];
}

function remembered<Subject extends object>(make: (subject: Subject, width: number) => StyledLine[]) {
  const kept = new WeakMap<Subject, { width: number; rows: StyledLine[] }>();
  return (subject: Subject, width: number): StyledLine[] => {
    const known = kept.get(subject);
    if (known?.width === width) return known.rows;
    const rows = make(subject, width);
    kept.set(subject, { width, rows });
    return rows;
  };
}

/** Layouts that remember their last answer for each question, so that a key press does not lay out a long diff again. */
export const createLayouts = (): Layouts => ({ body: remembered(bodyOf), past: remembered(pastOf) });
