import { dialog as words } from "../../../words/en/dialog.ts";
import { question as questionWords } from "../../../words/en/question.ts";
import { type Rows, stacked } from "../../terminal/rows.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { layout } from "../../terminal/text-layout.ts";
import { cells, wrapSpans } from "../../terminal/width.ts";
import { type Block, barred, barWidth, cutTo, type Space, span, stack } from "../draw/block.ts";
import type { Layouts } from "../question/body-lines.ts";
import { type FieldSpace, nowhere, type WindowBlock, windowed, windowOn } from "../question/window.ts";
import type { Ask, Request } from "../view/view.ts";
import { factsOf } from "./dialog-facts.ts";
import { headLine, listLines, riskStyle } from "./dialog-head.ts";
import { hintLines, type MenuForm, menuLines, roomyRows, widerLines } from "./dialog-menu.ts";
import { allShown, type Dialog } from "./dialog-state.ts";

/** The data that every page of the dialog is laid out from. */
interface Page {
  dialog: Dialog;
  ask: Ask;
  request: Request;
  /** Inside the bar. */
  space: Space;
  /** Columns of the terminal. */
  columns: number;
  layouts: Layouts;
}

/** The approval dialog in at most `space.rows` rows, behind a bar in the colour of the risk. */
export function dialogBlock(dialog: Dialog, ask: Ask, request: Request, space: Space, layouts: Layouts): WindowBlock {
  const inner: Space = { columns: space.columns - barWidth(space.columns), rows: space.rows };
  const page = { dialog, ask, request, space: inner, columns: space.columns, layouts };
  const block = stack([headLine(request, ask, inner.columns)], pageOf({ ...page, space: below(inner, 1) }), []);
  return barred(block, space.columns, riskStyle(request));
}

const below = (space: Space, rows: number): Space => ({ ...space, rows: Math.max(1, space.rows - rows) });

function pageOf(page: Page): WindowBlock {
  switch (page.dialog.stage) {
    case "why":
      return whyBlock(page);
    case "edit":
      return editBlock(page);
    case "list":
      return listBlock(page);
    default:
      return effectBlock(page);
  }
}

/** The warnings that did not fit beside it, and the effect itself. */
function effectRows({ request, space, columns, layouts }: Page, scrolling: StyledLine[]): Rows {
  const near = nearAt(space.rows + 1);
  return stacked([scrolling, layouts.body(request, columns - barWidth(columns), { near })]);
}

/** Rows from which a change is shown with all lines that stay round it. */
const wholeRows = 24;

/** Lines that stay round each changed one: the changed lines come first where rows are few. */
const nearAt = (rows: number): number | undefined => (rows < roomyRows ? 0 : rows < wholeRows ? 1 : undefined);

/** First the effect, then what is said beside it, then what can be chosen. */
function effectBlock(page: Page): WindowBlock {
  const { dialog, request, space, columns } = page;
  const wider = widerLines(dialog, request, space.columns);
  const tight = space.rows + 1 < roomyRows;
  const facts = factsOf(request, { columns: space.columns, rows: space.rows + 1 });
  const rows = effectRows(page, facts.scrolling);
  const fixed = tight && wider.length > 0 ? widerWithin(page, wider) : facts.fixed;
  const form = tight ? "tight" : menuFormOf(page, rows.length + fixed.length);
  const foot = footOf(page, tight ? [] : wider, form);
  const { field } = foot(undefined);
  const room = space.rows - fixed.length - foot(undefined).lines.length;
  const least = tight && wider.length > 0 ? 0 : 1;
  const size = { columns: space.columns, rows: Math.max(least, room) };
  if (tight) {
    const body = windowOn(rows, dialog.scroll, size, columns);
    const geometry = { ...body.geometry, ...(field && { field }) };
    return { ...stack([...fixed, ...body.lines], foot(body.position), []), geometry };
  }
  const isAll = rows.length <= room;
  const body = windowOn(rows, dialog.scroll, { ...size, rows: isAll ? size.rows : Math.max(1, room - 1) }, columns);
  const geometry = { ...body.geometry, ...(field && { field }) };
  const isRoomy = space.rows - room + rows.length < Math.floor(space.rows / 2);
  const rule = isAll && !isRoomy ? [] : [ruleLine(body.position, space.columns)];
  return { ...stack([...fixed, ...body.lines, ...rule], foot(""), []), geometry };
}

/** A row for each choice where what stands above them, so many rows, leaves them. */
const menuFormOf = (page: Page, rows: number): MenuForm =>
  rows + footOf(page, [], "rows")("").lines.length > page.space.rows ? "short" : "rows";

/** Cells of a rule. A longer one would be broken by a window that is made smaller, which moves rows out of it before they can be taken away. */
const ruleCells = 36;

/**
 * Makes the rule between the effect and what can be chosen, in which the window's position stands where not all is in it. Where all is, it is
 * drawn in half-empty windows alone: a window that is made smaller moves the first rows of a tall question out of reach.
 */
function ruleLine(position: string, columns: number): StyledLine {
  const said = position === "" ? "" : `── ${questionWords().scrolls({ position })} `;
  return cutTo(`${said}${"─".repeat(Math.max(2, ruleCells - cells(said)))}`, columns, { dim: true });
}

/** Fits the lines of a wider choice: where not all has room, the text that the grant writes comes before the decisions that it would have made. */
function widerWithin({ dialog, request, space }: Page, wider: StyledLine[]): StyledLine[] {
  const menu = menuLines(dialog, request, { columns: space.columns, form: "tight", shown: true });
  return wider.length + menu.length <= space.rows ? wider : widerLines(dialog, request, space.columns, false);
}

/** Makes the part below the effect; the window's position in the effect is said there, if it is said. */
function footOf(
  page: Page,
  wider: StyledLine[],
  form: MenuForm,
): (position: string | undefined) => Partial<FieldBlock> & Block {
  const { dialog, ask, request, space, columns } = page;
  const notes = noteLines(dialog.note, space.columns);
  if (dialog.stage === "reason") {
    const block = stack(notes, fieldBlock(words().whyNot, dialog, space.columns, 3), [escHint(space.columns)]);
    return () => block;
  }
  if (dialog.stage === "confirm") {
    const lead = request.call.risk === "high" ? words().confirmHigh : words().confirmUnseen;
    const block = stack(notes, fieldBlock(lead, dialog, space.columns, 1), [escHint(space.columns)]);
    return () => block;
  }
  const shown = dialog.paintedAt === undefined || allShown(dialog, request, { columns });
  const menu = menuLines(dialog, request, { columns: space.columns, form, shown });
  return (position = "") => ({
    lines: [...notes, ...menu, ...wider, ...hintLines(dialog, ask, request, position, space.columns)],
  });
}

function noteLines(note: string, columns: number): StyledLine[] {
  return note === "" ? [] : wrapSpans([span(`› ${note}`, { color: "yellow" })], columns).slice(0, 3);
}

const escHint = (columns: number): StyledLine => cutTo(words().fieldHint, columns, { dim: true });

interface FieldBlock extends Block {
  field: FieldSpace;
}

/** A field of one or more rows with the cursor in it; the window follows the cursor. */
function fieldBlock(lead: string, dialog: Pick<Dialog, "text">, columns: number, rows: number): FieldBlock {
  const width = Math.max(4, columns - lead.length);
  const { lines, cursor } = layout(dialog.text, width);
  const from = Math.max(0, Math.min(cursor.row - rows + 1, lines.length - rows));
  const shown = lines.slice(from, from + rows);
  return {
    lines: shown.map((text, index) => [span(index === 0 ? lead : " ".repeat(lead.length), { bold: true }), span(text)]),
    cursor: { row: cursor.row - from, col: lead.length + cursor.col },
    field: { width, rows },
  };
}

function editBlock({ dialog, space: { columns, rows }, columns: wide }: Page): WindowBlock {
  const notes = noteLines(dialog.note, columns);
  const { editHint, editFieldHint } = words();
  const hint = cutTo(dialog.argument === undefined ? editHint : editFieldHint, columns, { dim: true });
  const { field, ...block } = fieldBlock("", dialog, columns, Math.max(1, rows - 1 - notes.length));
  return { ...stack([], block, [...notes, hint]), geometry: { ...nowhere, columns: wide, field } };
}

/** Here a change of any size can be read to its end. */
const partialLine = ({ text, why }: NonNullable<Request["partial"]>): string =>
  why === "binary" ? text : words().facts.large;

/** All that is said beside the effect. */
function whyBlock(page: Page): WindowBlock {
  const { dialog, request, space, columns } = page;
  const { facts, whyHint } = words();
  const rows = [
    facts.risk(request.call),
    facts.why(request),
    facts.decidedBy(request),
    ...(request.changed === undefined ? [] : [facts.askedAnew(request.changed)]),
    ...request.parts,
    ...request.warnings.map((text) => facts.warning({ text })),
    ...(request.partial === undefined ? [] : [partialLine(request.partial)]),
    ...request.files,
    ...(request.facts.length === 0 ? [] : [facts.facts(request)]),
    ...request.ownNames,
    facts.digest({ digest: request.call.digest.replace(/[^0-9a-zA-Z:_-]/g, "") }),
  ].flatMap((text) => wrapSpans([span(text)], space.columns));
  const notes = noteLines(dialog.note, space.columns);
  const body = windowed(rows, dialog.scroll, below(space, 1 + notes.length));
  return {
    lines: [...body.lines, ...notes, cutTo(whyHint, space.columns, { dim: true })],
    geometry: { ...body.geometry, columns },
  };
}

/** Every call of the batch. */
function listBlock({ dialog, ask, space }: Page): Block {
  const notes = noteLines(dialog.note, space.columns);
  const hint = cutTo(words().listHint, space.columns, { dim: true });
  const room = Math.max(1, space.rows - 1 - notes.length);
  const from = Math.max(0, Math.min(dialog.row - room + 1, ask.batch.length - room));
  return { lines: [...listLines(ask, dialog.row, space.columns).slice(from, from + room), ...notes, hint] };
}
