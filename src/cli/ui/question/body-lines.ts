import { diffArrays } from "diff";
import type { Change } from "../../../files/diff/diff-text.ts";
import { question as words } from "../../../words/en/question.ts";
import type { DiffLook } from "../../terminal/diff-view.ts";
import { defaultTheme, type Highlight } from "../../terminal/markdown-theme.ts";
import { type Rows, stacked } from "../../terminal/rows.ts";
import { plainText, type StyledLine } from "../../terminal/span.ts";
import { wholeMarkdown } from "../../terminal/whole-markdown.ts";
import { cut, expandTabs, hardWrapSpans, wrapSpans } from "../../terminal/width.ts";
import { hanging, span } from "../draw/block.ts";
import { cleanEffect } from "../safe-text.ts";
import { diffRows, type HeadedRows, talkRows } from "../transcript/item-lines.ts";
import type { Item, Request, Unsettled } from "../view/view.ts";
import { nearChange } from "./near-change.ts";

/** The extent to which a change is laid out, and the form. */
export interface BodyView {
  /** Lines that stay shown round each change; default: as many as the change carries. */
  near?: number | undefined;
  /** Old beside new; default: where there is room. */
  sides?: boolean;
}

/** The parts of a question that scroll, laid out for a width; the same question and width give the same rows again. */
export interface Layouts {
  body(request: Request, width: number, view?: BodyView): HeadedRows;
  past(call: Unsettled, width: number): Rows;
  changes(changes: readonly Change[], width: number, view?: BodyView): HeadedRows;
  /** Whole: nothing of what was said is folded. */
  talk(items: readonly Item[], width: number): HeadedRows;
}

/** Longer lines are no words to be kept whole; breaking them between words takes its time. */
const longestWrapped = 4_000;

const plain = (text: string, width: number): StyledLine[] =>
  text.split("\n").flatMap((line) => {
    const wrapped = line.length > longestWrapped ? hardWrapSpans : wrapSpans;
    return wrapped([span(expandTabs(line))], width);
  });

const heading = (text: string): StyledLine => [span(text, { bold: true })];

/** The command whole, with what runs it, each of its parts with its verdict, and the scripts that it would run. */
function commandRows(request: Request, width: number, highlight: Highlight | undefined): StyledLine[] {
  const { command, surroundings, parts, scripts } = request;
  return [
    ...codeLines(command, "bash", highlight).flatMap((line, index) =>
      wrapSpans(
        [span(index === 0 ? "$ " : "  ", { dim: true }), ...line.map((one) => ({ ...one, bold: true }))],
        width,
      ),
    ),
    ...(surroundings === "" ? [] : wrapSpans([span(surroundings, { dim: true })], width)),
    ...(parts.length > 1
      ? [heading(words().parts({ parts: parts.length })), ...parts.flatMap((part) => plain(`  ${part}`, width))]
      : []),
    ...scripts.flatMap(({ title, text }) => [
      heading(title),
      ...(text === "" ? [] : codeLines(text, "bash", highlight)).flatMap((line) =>
        wrapSpans([span("  "), ...line], width),
      ),
    ]),
  ];
}

/** In colours, where they are at hand: never in another text. */
function codeLines(code: string, language: string, highlight: Highlight | undefined): StyledLine[] {
  const text = code.split("\n").map(expandTabs).join("\n");
  const colored = highlight?.(text, language, defaultTheme);
  const isSame = colored !== undefined && colored.map(plainText).join("\n") === text;
  return isSame ? colored : text.split("\n").map((line) => [span(line)]);
}

const maxChangedRows = 40;

/** Of a line that differs so much is pointed at; the whole of it follows with the whole change. */
const longestChanged = 400;

/** The changed lines alone, with their signs; of a change that is text, all of it. */
const changedLines = (changes: readonly Change[]): string[] =>
  changes.flatMap((change) =>
    typeof change === "string"
      ? change.replace(/\n$/, "").split("\n")
      : change.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== " ").map((one) => one.kind + one.text)),
  );

/** Lays out the differences between the plan shown before and the plan now. */
function changedRows(before: readonly Change[], now: readonly Change[], width: number): StyledLine[] {
  const parts = diffArrays(changedLines(before), changedLines(now), { timeout: 250 }) ?? [];
  const lines = parts
    .filter((part) => part.added || part.removed)
    .flatMap(({ value, added }) => value.map((line) => ({ line, added })));
  const rows = lines.slice(0, maxChangedRows).flatMap(({ line, added }) => {
    const text = cut(expandTabs(cleanEffect(line.slice(0, longestChanged + 1))), longestChanged);
    return wrapSpans(
      [span(added ? words().now : words().was, { bold: true }), span(text, { color: added ? "cyan" : "gray" })],
      width,
    );
  });
  const more = lines.length - maxChangedRows;
  return more > 0 ? [...rows, [span(words().moreDiffer({ lines: more }), { dim: true })]] : rows;
}

/** A plan to work by as it is to be read, with its goals; else the arguments. */
function argumentRows({ proposed, argumentText }: Request, width: number, { highlight }: DiffLook): StyledLine[] {
  if (proposed === undefined) return plain(argumentText, width);
  const rows = wholeMarkdown(proposed.text, width, highlight === undefined ? {} : { highlight });
  if (proposed.goals.length === 0) return rows;
  const goals = proposed.goals.flatMap((goal) => hanging(span("□ "), [span(goal)], width));
  return [...rows, [], heading(words().goals), ...goals];
}

function bodyOf(request: Request, width: number, { near, sides }: BodyView, look: DiffLook): HeadedRows {
  const { changes } = request;
  const parts: Rows[] = [];
  if (request.changed !== undefined && request.changed.before.length > 0) {
    const changed = changedRows(request.changed.before, changes, width);
    if (changed.length > 0) parts.push([heading(words().different), ...changed, heading(words().whole)]);
  }
  if (request.command !== "") parts.push(commandRows(request, width, look.highlight));
  const shown = near === undefined ? changes : changes.map((one) => nearChange(one, near));
  const diff = diffRows(shown, width, look, sides);
  const above = parts.reduce((sum, { length }) => sum + length, 0);
  const rest = request.command === "" && changes.length === 0 ? argumentRows(request, width, look) : [];
  const heads = diff.heads.map(({ kind, row }) => ({ kind, row: row + above }));
  return { ...stacked([...parts, diff, rest]), heads };
}

function pastOf(call: Unsettled, width: number, look: DiffLook): Rows {
  const named = call.ownNames.flatMap((line) => plain(line, width));
  const args = [heading(words().arguments), ...plain(call.argumentText, width), ...named];
  return stacked([diffRows(call.changes, width, look), args]);
}

function remembered<Subject extends object, Laid extends Rows>(
  make: (subject: Subject, width: number, view: BodyView) => Laid,
): (subject: Subject, width: number, view?: BodyView) => Laid {
  const kept = new WeakMap<Subject, { key: string; rows: Laid }>();
  return (subject, width, view = {}) => {
    const key = JSON.stringify([width, view.near, view.sides]);
    const known = kept.get(subject);
    if (known?.key === key) return known.rows;
    const rows = make(subject, width, view);
    kept.set(subject, { key, rows });
    return rows;
  };
}

/** Layouts that remember their last answer for each question, with the colours that are at hand, so that a key press does not lay out a long diff again. */
export const createLayouts = (look: DiffLook = {}): Layouts => ({
  body: remembered((request: Request, width, view) => bodyOf(request, width, view, look)),
  past: remembered((call: Unsettled, width) => pastOf(call, width, look)),
  changes: remembered((changes: readonly Change[], width, { sides }) => diffRows(changes, width, look, sides)),
  talk: remembered((items: readonly Item[], width) => ({ ...stacked(talkRows(items, width, look)), heads: [] })),
});
