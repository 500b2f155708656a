import { dialog as words } from "../../../words/en/dialog.ts";
import type { SpanStyle, StyledLine } from "../../terminal/span.ts";
import { cells, cutSpans, elidePath, wrapSpans } from "../../terminal/width.ts";
import { cutTo, span } from "../draw/block.ts";
import type { Ask, Request } from "../view/view.ts";
import { type Choice, choicesOf, type Dialog, isEditable, isPlan, keyOf, pointedAt } from "./dialog-state.ts";

/** Rows from which the menu may have a row for each choice, and a line that stays is shown on each side of a change. */
export const roomyRows = 15;

const isOfPlan = (choice: Choice, request: Request): choice is "once" | "mode" =>
  isPlan(request) && (choice === "once" || choice === "mode");

const labelOf = (choice: Choice, request: Request): string =>
  isOfPlan(choice, request) ? words().planLabels[choice] : words().labels[choice];

const shortLabelOf = (choice: Choice, request: Request): string =>
  isOfPlan(choice, request) ? words().shortPlanLabels[choice] : words().shortLabels[choice];

const focusStyle: SpanStyle = { bold: true, color: "cyan" };

/** The facts to be known of a choice before it is taken: `word` that it asks for one, `unseen` that not all was shown. */
interface Hints {
  word?: string;
  unseen?: string;
}

function hintsOf(choice: Choice, request: Request, shown: boolean): Hints {
  if (choice !== "once") return {};
  const asks = request.call.risk === "high" || (request.partial !== undefined && !shown);
  return { ...(asks && { word: words().asksForWord }), ...(!shown && { unseen: words().notAllShown }) };
}

/** Puts hints behind a choice; empty where there are none. */
function hintText({ word, unseen }: Hints): string {
  const hints = [word, unseen].filter((one) => one !== undefined);
  return hints.length === 0 ? "" : `  (${hints.join(", ")})`;
}

function choiceLine(choice: Choice, focused: boolean, request: Request, shown: boolean, columns: number): StyledLine {
  const label = `${focused ? "❯" : " "} ${keyOf[choice]}  ${labelOf(choice, request)}`;
  return cutSpans(
    [span(label, focused ? focusStyle : {}), span(hintText(hintsOf(choice, request, shown)), { dim: true })],
    columns,
  );
}

/** The form of the menu: a row for each choice; side by side; side by side without a cell that could be left out. */
export type MenuForm = "rows" | "short" | "tight";

/** Choices side by side, none of them parted at the end of a row. */
function sideBySide(
  { request, row, columns, form }: { request: Request; row: number; columns: number; form: MenuForm },
  hinted: (choice: Choice) => string,
): StyledLine[] {
  const rows: StyledLine[] = [[]];
  let used = 0;
  for (const [index, choice] of choicesOf(request).entries()) {
    const pointer = `${index === row ? "❯" : " "}${form === "tight" ? "" : " "}`;
    const text = `${pointer}${keyOf[choice]} ${shortLabelOf(choice, request)}`;
    const hint = hinted(choice);
    if (used > 0 && used + 1 + cells(text + hint) > columns) {
      rows.push([]);
      used = 0;
    }
    const gap = used === 0 ? "" : " ";
    rows.at(-1)?.push(span(gap), span(text, index === row ? focusStyle : {}), span(hint, { dim: true }));
    used += gap.length + cells(text + hint);
  }
  return rows;
}

/**
 * As few rows as it can be: what is to be known of a choice stands in them as far as that takes no more. That a word is asked for is worth a row
 * where there is any to spare.
 */
function shortMenu(place: Parameters<typeof sideBySide>[0], shown: boolean): StyledLine[] {
  const { length } = sideBySide(place, () => "");
  const both = hintsOf("once", place.request, shown);
  const { word, unseen } = both;
  const alone = word === undefined ? {} : { word };
  const more = word !== undefined && place.form === "short" ? length + 1 : length;
  const tried: [rows: number, hints: Hints][] = [
    [length, both],
    ...(word === undefined
      ? []
      : ([
          [length, alone],
          [more, both],
          [more, alone],
        ] as [number, Hints][])),
    [length, unseen === undefined ? {} : { unseen }],
  ];
  for (const [rows, hints] of tried) {
    const hinted = sideBySide(place, (choice) => (choice === "once" ? hintText(hints) : ""));
    const fits = hinted.every((line) => cells(line.map(({ text }) => text).join("")) <= place.columns);
    if (fits && hinted.length <= rows) return hinted;
  }
  return sideBySide(place, () => "");
}

/** The choices, each on a row of its own with what is to be known of it; side by side where the effect needs the rows. */
export function menuLines(
  dialog: Dialog,
  request: Request,
  { columns, form, shown }: { columns: number; form: MenuForm; shown: boolean },
): StyledLine[] {
  if (form !== "rows") return shortMenu({ request, row: dialog.row, columns, form }, shown);
  return choicesOf(request).map((choice, index) => choiceLine(choice, index === dialog.row, request, shown, columns));
}

/**
 * Lays out the text that the wider choice that is pointed at would write, and its place; nothing where none is. Whole at every size.
 * @param told with what it would have decided so far, where that is known
 */
export function widerLines(dialog: Dialog, request: Request, columns: number, told = true): StyledLine[] {
  const choice = pointedAt(dialog, request);
  if (choice === undefined) return [];
  const indent = columns < 60 ? "" : "    ";
  const confirm = cutTo(`${indent}${words().confirm}`, columns, { dim: true });
  if (choice === "mode") return [...modeLines(request, indent, columns), confirm];
  const offer = request.grants.find((grant) => grant.choice === choice);
  if (offer === undefined) return [];
  const to = `${indent}${words().to}`;
  return [
    ...wrapSpans([span(`${indent}${words().writes}`, { dim: true }), span(offer.text, { bold: true })], columns),
    [span(to, { dim: true }), span(elidePath(offer.where, columns - cells(to)))],
    ...(told ? historyLines(dialog.histories[choice] ?? "", indent, columns) : []),
    confirm,
  ];
}

const historyLines = (text: string, indent: string, columns: number): StyledLine[] =>
  text === "" ? [] : wrapSpans([span(`${indent}${text}`, { italic: true })], columns);

function modeLines({ call }: Request, indent: string, columns: number): StyledLine[] {
  return wrapSpans(
    [
      span(`${indent}${words().sets}`, { dim: true }),
      span(words().mode({ mode: call.mode ?? "" }), { bold: true }),
      span(words().modeMeans),
    ],
    columns,
  );
}

/** Lists the keys beside those of the menu, in the longest words that fit on one row. */
export function hintLines(dialog: Dialog, ask: Ask, request: Request, position: string, columns: number): StyledLine[] {
  if (dialog.busy) return [[span("…", { dim: true })]];
  // It says itself which keys there are.
  if (pointedAt(dialog, request) !== undefined) return [];
  const several = ask.batch.length > 1;
  const { keys } = words();
  const editor = isEditable(request) ? keys.editor : "";
  const where = position === "" ? "" : keys.unseen({ position });
  const [esc = "", short = ""] = dialog.sure || dialog.trail.length > 0 ? keys.back : keys.denies;
  // While other helpers work a stop ends them all, and this one with them.
  const [later = "", shortly = ""] = request.agent === undefined ? keys.keepsWaiting : [keys.stops, keys.stops];
  const [full = "", plain = "", least = ""] = several ? keys.several : [];
  const [screen = "", why = "", view = "", only = ""] = keys.more;
  const texts = [
    [where, full, screen, editor, esc, later],
    [where, full, screen, editor, esc, shortly],
    [where, full, why, editor, esc, shortly],
    [where, plain, why, editor, short, shortly],
    [where, plain, why, esc, shortly],
    ...(several
      ? [
          [where, plain, why, short],
          [where, plain, only, short],
        ]
      : []),
    [where, least, why, editor, short, shortly],
    [where, least, why, esc, shortly],
    [where, least, view, esc, shortly],
    [where, least, view, esc],
    [where, only, esc],
  ].map((parts) => parts.filter((part) => part !== "").join(" · "));
  return [cutTo(texts.find((one) => cells(one) <= columns) ?? texts.at(-1) ?? "", columns, { dim: true })];
}
