import { form as words } from "../../../words/en/form.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { layout } from "../../terminal/text-layout.ts";
import { wrapSpans } from "../../terminal/width.ts";
import { barred, barWidth, cutTo, type Space, span, stack } from "../draw/block.ts";
import { type WindowBlock, windowed } from "../question/window.ts";
import type { AskedOfPerson } from "../view/view.ts";
import { type Form, fieldOf, isReview } from "./form-state.ts";
import { fieldLines, headOf, introLines, modelLines, reviewLines, theirs } from "./form-text.ts";

/** The question in at most `space.rows` rows, behind a bar. */
export function formBlock(form: Form, asked: AskedOfPerson, count: number, space: Space): WindowBlock {
  const inner: Space = { columns: space.columns - barWidth(space.columns), rows: space.rows };
  const head = headLines(form, asked, count, inner);
  const page = pageBlock(form, asked, { ...inner, rows: Math.max(1, inner.rows - head.length) });
  const { geometry } = page;
  const block = stack(head, page, []);
  return barred({ ...block, ...(geometry && { geometry: { ...geometry, columns: space.columns } }) }, space.columns, {
    color: "cyan",
  });
}

function headLines(form: Form, asked: AskedOfPerson, count: number, { columns, rows }: Space): StyledLine[] {
  const more = count > 1 ? words().firstOf({ count }) : "";
  const isPlain = asked.ofModel === undefined;
  const title =
    isPlain && isReview(form, asked)
      ? `${words().goesTo(asked)}${more}`
      : fieldOf(form, asked) === undefined
        ? `${headOf(asked)}${more}`
        : words().field({ from: asked.from, at: form.page, of: asked.fields.length });
  const lines = wrapSpans([span(`? ${title}`, { color: "cyan", bold: true })], columns);
  return lines.length <= Math.max(1, Math.floor(rows / 3))
    ? lines
    : [cutTo(`? ${title}`, columns, { color: "cyan", bold: true })];
}

const rowsOf = (lines: readonly string[], columns: number): StyledLine[] =>
  lines.flatMap((line) => {
    if (!line.startsWith(theirs)) return wrapSpans([span(line)], columns);
    const rows = wrapSpans([span(line.slice(theirs.length))], columns - theirs.length);
    return rows.map((row) => [span(theirs, { color: "cyan" }), ...row]);
  });

function pageBlock(form: Form, asked: AskedOfPerson, space: Space): WindowBlock {
  const one = fieldOf(form, asked);
  if (one !== undefined) return fieldBlock(form, fieldLines(one), one.choices.length > 0, space);
  const review = isReview(form, asked);
  const notes = noteLines(form, space.columns);
  const { ofModel } = asked;
  const { model, review: sends, yes, intro } = words().hints;
  const hints = ofModel !== undefined ? model : review ? sends : asked.fields.length === 0 ? yes : intro;
  const foot = [...notes, cutTo(fitting(hints, space.columns), space.columns, { dim: true })];
  const own = review ? reviewLines(form, asked) : introLines(asked);
  const lines = ofModel === undefined ? own : modelLines(ofModel, asked.from);
  const room = { ...space, rows: Math.max(1, space.rows - foot.length) };
  const body = windowed(rowsOf(lines, space.columns), form.scroll, room);
  return { lines: [...body.lines, ...foot], geometry: body.geometry };
}

const fitting = (hints: readonly string[], columns: number): string =>
  hints.find((one) => one.length <= columns) ?? hints.at(-1) ?? "";

const noteLines = ({ note }: Form, columns: number): StyledLine[] =>
  note === "" ? [] : wrapSpans([span(`› ${note}`, { color: "yellow" })], columns).slice(0, 2);

/** Lays out the question, as far as there is room, and the field below it. */
function fieldBlock(form: Form, lines: string[], hasChoices: boolean, space: Space): WindowBlock {
  const width = Math.max(4, space.columns - 2);
  const written = layout(form.text, width);
  const notes = noteLines(form, space.columns);
  const leastOfBody = 2;
  const left = space.rows - leastOfBody - notes.length - 1;
  const fieldRows = Math.max(1, Math.min(3, written.lines.length, left));
  const from = Math.max(0, Math.min(written.cursor.row - fieldRows + 1, written.lines.length - fieldRows));
  const hint = cutTo(fitting(hasChoices ? words().hints.choice : words().hints.field, space.columns), space.columns, {
    dim: true,
  });
  const room = { ...space, rows: Math.max(1, space.rows - fieldRows - notes.length - 1) };
  const body = windowed(rowsOf(lines, space.columns), form.scroll, room);
  const field = written.lines
    .slice(from, from + fieldRows)
    .map((text, at): StyledLine => [span(at === 0 && from === 0 ? "> " : "  ", { bold: true }), span(text)]);
  return {
    lines: [...body.lines, ...field, ...notes, hint],
    cursor: { row: body.lines.length + written.cursor.row - from, col: 2 + written.cursor.col },
    geometry: { ...body.geometry, field: { width, rows: fieldRows } },
  };
}
