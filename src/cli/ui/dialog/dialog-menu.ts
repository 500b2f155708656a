import type { SpanStyle, StyledLine } from "../../terminal/span.ts";
import { cells, cutSpans, elidePath, wrapSpans } from "../../terminal/width.ts";
import { cutTo, type Space, span } from "../draw/block.ts";
import type { Ask, Request } from "../view/view.ts";
import { type Choice, choicesOf, type Dialog, isEditable, isPlan, keyOf, pointedAt } from "./dialog-state.ts";

/** Rows from which the menu has a row for each choice, and the lines that stay round a change are shown. */
export const roomyRows = 15;

const labels: Record<Choice, string> = {
  deny: "No, deny",
  reason: "No, and say why…",
  edit: "Edit it, then decide…",
  once: "Yes, once",
  session: "Yes, and for this session…",
  project: "Yes, and in this project…",
  made: "Yes, and what it writes may run in the sandbox…",
  mode: "Yes, and allow edits from now on…",
};

const shortLabels: Record<Choice, string> = {
  deny: "deny",
  reason: "why",
  edit: "edit",
  once: "once",
  session: "session",
  project: "project",
  made: "what it writes",
  mode: "all edits",
};

/** What the answers that work a plan are called. */
const ofPlan: Partial<Record<Choice, readonly [label: string, short: string]>> = {
  once: ["Yes, work by it in ask", "in ask"],
  mode: ["Yes, work by it in accept-edits…", "in accept-edits"],
};

const labelOf = (choice: Choice, request: Request): string =>
  (isPlan(request) ? ofPlan[choice]?.[0] : undefined) ?? labels[choice];

const shortLabelOf = (choice: Choice, request: Request): string =>
  (isPlan(request) ? ofPlan[choice]?.[1] : undefined) ?? shortLabels[choice];

const focusStyle: SpanStyle = { bold: true, color: "cyan" };

function choiceLine(choice: Choice, focused: boolean, request: Request, shown: boolean, columns: number): StyledLine {
  const hints: string[] = [];
  const word = request.call.risk === "high" || (request.partial !== undefined && !shown);
  if (choice === "once" && word) hints.push("asks for the word yes");
  if (choice === "once" && !shown) hints.push("not all shown");
  const hint = hints.length === 0 ? "" : `  (${hints.join(", ")})`;
  const label = `${focused ? "❯" : " "} ${keyOf[choice]}  ${labelOf(choice, request)}`;
  return cutSpans([span(label, focused ? focusStyle : {}), span(hint, { dim: true })], columns);
}

/** Choices side by side, none of them parted at the end of a row. */
function compactMenu(request: Request, row: number, columns: number): StyledLine[] {
  const rows: StyledLine[] = [[]];
  let used = 0;
  for (const [index, choice] of choicesOf(request).entries()) {
    const text = `${index === row ? "❯" : " "}${keyOf[choice]} ${shortLabelOf(choice, request)}`;
    if (used > 0 && used + 1 + cells(text) > columns) {
      rows.push([]);
      used = 0;
    }
    const gap = used === 0 ? "" : " ";
    rows.at(-1)?.push(span(gap), span(text, index === row ? focusStyle : {}));
    used += gap.length + cells(text);
  }
  return rows;
}

export function menuLines(dialog: Dialog, request: Request, { columns, rows }: Space, shown: boolean): StyledLine[] {
  if (rows < roomyRows) return compactMenu(request, dialog.row, columns);
  return choicesOf(request).map((choice, index) => choiceLine(choice, index === dialog.row, request, shown, columns));
}

/**
 * What the wider choice that is pointed at would write, and where; nothing where none is. Whole at every size.
 * @param told with what it would have decided so far, where that is known
 */
export function widerLines(dialog: Dialog, request: Request, columns: number, told = true): StyledLine[] {
  const choice = pointedAt(dialog, request);
  if (choice === undefined) return [];
  const indent = columns < 60 ? "" : "    ";
  const confirm = cutTo(`${indent}enter confirms · esc goes back`, columns, { dim: true });
  if (choice === "mode") return [...modeLines(request, indent, columns), confirm];
  const offer = request.grants.find((grant) => grant.choice === choice);
  if (offer === undefined) return [];
  const to = `${indent}to: `;
  return [
    ...wrapSpans([span(`${indent}writes: `, { dim: true }), span(offer.text, { bold: true })], columns),
    [span(to, { dim: true }), span(elidePath(offer.where, columns - to.length))],
    ...(told ? historyLines(dialog.histories[choice] ?? "", indent, columns) : []),
    confirm,
  ];
}

const historyLines = (text: string, indent: string, columns: number): StyledLine[] =>
  text === "" ? [] : wrapSpans([span(`${indent}${text}`, { italic: true })], columns);

function modeLines({ call }: Request, indent: string, columns: number): StyledLine[] {
  return wrapSpans(
    [
      span(`${indent}sets: `, { dim: true }),
      span(`mode ${call.mode ?? ""}`, { bold: true }),
      span(" (file edits inside the workspace are not asked about; shift+tab changes it)"),
    ],
    columns,
  );
}

/** Which keys there are beside those of the menu, in the longest words that fit on one row. */
export function hintLines(dialog: Dialog, ask: Ask, request: Request, position: string, columns: number): StyledLine[] {
  if (dialog.busy) return [[span("…", { dim: true })]];
  // It says itself which keys there are.
  if (pointedAt(dialog, request) !== undefined) return [];
  const several = ask.batch.length > 1;
  const editor = isEditable(request) ? "o editor" : "";
  const where = position === "" ? "" : `${position} space`;
  const [esc, short] =
    dialog.sure || dialog.trail.length > 0 ? ["esc goes back", "esc back"] : ["esc denies", "esc no"];
  // While other helpers work a stop ends them all, and this one with them.
  const [later, shortly] =
    request.agent === undefined ? ["ctrl+c stops, keeps it waiting", "ctrl+c later"] : ["ctrl+c stops", "ctrl+c stops"];
  const batch = several
    ? ["tab next · l list · A all shown", "tab next · l list · A all", "tab · l · A"]
    : ["", "", ""];
  const [full = "", plain = "", least = ""] = batch;
  const texts = [
    [where, full, "? why · d full screen", editor, esc, later],
    [where, full, "? why · d full screen", editor, esc, shortly],
    [where, full, "? why · d full", editor, esc, shortly],
    [where, plain, "? why · d full", editor, short, shortly],
    [where, plain, "? why · d full", esc, shortly],
    [where, least, "? why · d full", editor, short, shortly],
    [where, least, "? why · d full", esc, shortly],
    [where, least, "? · d full", esc, shortly],
    [where, least, "? · d full", esc],
    [where, "? · d", esc],
  ].map((parts) => parts.filter((part) => part !== "").join(" · "));
  return [cutTo(texts.find((one) => cells(one) <= columns) ?? texts.at(-1) ?? "", columns, { dim: true })];
}
