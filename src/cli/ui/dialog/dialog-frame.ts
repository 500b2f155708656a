import { type Rows, stacked } from "../../terminal/rows.ts";
import type { Span, StyledLine } from "../../terminal/span.ts";
import { layout } from "../../terminal/text-layout.ts";
import { cutSpans, elidePath, wrapSpans } from "../../terminal/width.ts";
import { type Block, cutTo, type Space, span, stack } from "../draw/block.ts";
import type { Layouts } from "../question/body-lines.ts";
import { type WindowBlock, windowed } from "../question/window.ts";
import { countSpans } from "../transcript/item-lines.ts";
import type { Ask, Request } from "../view/view.ts";
import { factsOf } from "./dialog-facts.ts";
import { allShown, type Choice, choicesOf, type Dialog, isEditable, keyOf } from "./dialog-state.ts";

const riskStyles = {
  low: { text: "LOW", color: "green" },
  medium: { text: "MEDIUM", color: "yellow" },
  high: { text: "HIGH", color: "red" },
} as const;

const wide = 80;

function headLine(request: Request, ask: Ask, columns: number): StyledLine {
  const risk = riskStyles[request.call.risk];
  const at = ask.decided + ask.requests.indexOf(request) + 1;
  const of = columns >= wide ? `request ${at} of ${ask.total}` : `${at}/${ask.total}`;
  const tail: Span[] = request.counts === undefined ? [] : countSpans(request.counts);
  if (ask.total > 1) tail.push(span(`  ${of}`, { bold: true }));
  if (columns >= wide) tail.push(span(`  ${request.sha}`, { dim: true }));
  const lead = [
    span(`⚠ ${risk.text} `, { color: risk.color, bold: true }),
    span(`${request.toolName} `, { bold: true }),
  ];
  const used = [...lead, ...tail].reduce((sum, one) => sum + one.text.length, 0);
  return cutSpans([...lead, span(elidePath(request.subject, Math.max(8, columns - used - 1))), ...tail], columns);
}

const labels: Record<Choice, string> = {
  deny: "No, deny",
  reason: "No, and say why…",
  edit: "Edit the arguments, then decide…",
  once: "Yes, once",
  session: "Yes, and for this session…",
  project: "Yes, and in this project…",
};

const shortLabels: Record<Choice, string> = {
  deny: "deny",
  reason: "why",
  edit: "edit",
  once: "once",
  session: "session",
  project: "project",
};

function choiceLine(choice: Choice, focused: boolean, request: Request, shown: boolean, columns: number): StyledLine {
  const hints: string[] = [];
  const word = request.call.risk === "high" || (request.partial !== undefined && !shown);
  if (choice === "once" && word) hints.push("asks for the word yes");
  if (choice === "once" && !shown) hints.push("not all shown");
  const hint = hints.length === 0 ? "" : `  (${hints.join(", ")})`;
  const label = `${focused ? "❯" : " "} ${keyOf[choice]}  ${labels[choice]}`;
  return cutSpans([span(label, focused ? { bold: true, color: "cyan" } : {}), span(hint, { dim: true })], columns);
}

function compactMenu(choices: Choice[], row: number, columns: number): StyledLine[] {
  const spans = choices.map((choice, index) => {
    const text = `${index === row ? "❯" : " "}${keyOf[choice]} ${shortLabels[choice]} `;
    return span(text, index === row ? { bold: true, color: "cyan" } : {});
  });
  return wrapSpans(spans, columns);
}

/** What the focused wider grant would write, and where. */
function grantLines(request: Request, choice: Choice | undefined, columns: number): StyledLine[] {
  const offer = request.grants.find((grant) => grant.scope === choice);
  if (offer === undefined) return [];
  return [
    ...wrapSpans([span("    writes: ", { dim: true }), span(offer.text, { bold: true })], columns),
    ...wrapSpans([span("    to: ", { dim: true }), span(offer.where)], columns),
    [span("    enter confirms", { dim: true })],
  ];
}

/** Rows from which the menu has a row for each choice. */
const menuRows = 15;

function menuLines(dialog: Dialog, request: Request, space: Space, shown: boolean): StyledLine[] {
  const choices = choicesOf(request);
  const focused = choices[dialog.row];
  const grant = grantLines(request, focused, space.columns);
  if (space.rows < menuRows) return [...compactMenu(choices, dialog.row, space.columns), ...grant];
  const rows = choices.map((choice, index) => choiceLine(choice, index === dialog.row, request, shown, space.columns));
  return [...rows, ...grant];
}

/** Which keys there are beside those of the menu, in the longest words that fit on one row. */
function hintLine(dialog: Dialog, ask: Ask, request: Request, columns: number): StyledLine {
  if (dialog.busy) return [span("…", { dim: true })];
  const several = ask.requests.length > 1;
  const editable = isEditable(request);
  const worded = [
    several ? "tab next request" : "",
    "? why · d full screen",
    editable ? "o editor" : "",
    "esc denies · ctrl+c stops, keeps it waiting",
  ];
  const short = [several ? "tab next" : "", "? why · d full", editable ? "o editor" : "", "esc no · ctrl+c later"];
  const texts = [worded, short].map((parts) => parts.filter((part) => part !== "").join(" · "));
  const text = texts.find((one) => one.length <= columns) ?? "? why · d full · esc denies · ctrl+c later";
  return cutTo(text, columns, { dim: true });
}

/** A field of one or more rows with the cursor in it; the window follows the cursor. */
export function fieldBlock(lead: string, dialog: Pick<Dialog, "text">, columns: number, rows: number): Block {
  const { lines, cursor } = layout(dialog.text, Math.max(4, columns - lead.length));
  const from = Math.max(0, Math.min(cursor.row - rows + 1, lines.length - rows));
  const shown = lines.slice(from, from + rows);
  return {
    lines: shown.map((text, index) => [span(index === 0 ? lead : " ".repeat(lead.length), { bold: true }), span(text)]),
    cursor: { row: cursor.row - from, col: lead.length + cursor.col },
  };
}

function noteLines(note: string, columns: number): StyledLine[] {
  return note === "" ? [] : wrapSpans([span(`› ${note}`, { color: "yellow" })], columns).slice(0, 3);
}

/** Here a change of any size can be read to its end. */
const partialLine = ({ text, why }: NonNullable<Request["partial"]>): string =>
  why === "binary" ? text : "a very large change: read it to its end, or approve it by the word yes";

function whyBlock(request: Request, scroll: number, space: Space): WindowBlock {
  const rows = [
    `risk: ${request.call.risk}`,
    `why: ${request.why}`,
    `decided by: ${request.rule}`,
    ...(request.changed === undefined ? [] : [`asked anew: ${request.changed.why}`]),
    ...request.parts,
    ...request.warnings.map((text) => `warning: ${text}`),
    ...(request.partial === undefined ? [] : [partialLine(request.partial)]),
    ...request.files,
    ...(request.facts.length === 0 ? [] : [`facts: ${request.facts.join(", ")}`]),
    `digest: ${request.call.digest.replace(/[^0-9a-zA-Z:_-]/g, "")}`,
  ].flatMap((text) => wrapSpans([span(text)], space.columns));
  const block = windowed(rows, scroll, { ...space, rows: Math.max(1, space.rows - 1) });
  const more = rows.length > space.rows - 1 ? "↑↓ scroll · any other key goes back" : "any key goes back";
  return stack([], block, [cutTo(more, space.columns, { dim: true })]);
}

/** The whole change with its warnings; nothing is decided here. */
function fullBlock(dialog: Dialog, facts: StyledLine[], rows: Rows, space: Space): WindowBlock {
  const notes = noteLines(dialog.note, space.columns);
  const words = "↑↓ pgup pgdn scroll · d or esc goes back to the choices";
  const hint = cutTo(words.length <= space.columns ? words : "↑↓ scroll · d or esc goes back", space.columns, {
    dim: true,
  });
  const below = notes.length > 0 ? notes : [hint];
  const room = Math.max(1, space.rows - facts.length - below.length);
  return stack(facts, windowed(rows, dialog.scroll, { ...space, rows: room }), below);
}

/** The approval dialog in at most `space.rows` rows. */
export function dialogBlock(dialog: Dialog, ask: Ask, request: Request, space: Space, layouts: Layouts): WindowBlock {
  const head = headLine(request, ask, space.columns);
  const inner = { ...space, rows: space.rows - 1 };
  if (dialog.stage === "why") return stack([head], whyBlock(request, dialog.scroll, inner), []);
  if (dialog.stage === "edit") return editBlock(dialog, head, space);
  const facts = factsOf(request, space);
  const rows = stacked([facts.scrolling, layouts.body(request, space.columns)]);
  if (dialog.stage === "full") return stack([head], fullBlock(dialog, facts.fixed, rows, inner), []);
  const foot = footOf(dialog, ask, request, space, rows.length);
  const room = Math.max(1, inner.rows - facts.fixed.length - foot.lines.length);
  const body = windowed(rows, dialog.scroll, { columns: space.columns, rows: room });
  const block = stack([head, ...facts.fixed, ...body.lines], foot, []);
  return { ...block, ...(body.geometry === undefined ? {} : { geometry: body.geometry }) };
}

function footOf(dialog: Dialog, ask: Ask, request: Request, space: Space, total: number): WindowBlock {
  const notes = noteLines(dialog.note, space.columns);
  if (dialog.stage === "reason")
    return stack(notes, fieldBlock("why not? ", dialog, space.columns, 3), [escHint(space.columns)]);
  if (dialog.stage === "confirm") {
    const lead = request.call.risk === "high" ? "HIGH risk" : "Not all shown";
    return stack(notes, fieldBlock(`${lead}: type yes to approve: `, dialog, space.columns, 1), [
      escHint(space.columns),
    ]);
  }
  const shown = dialog.paintedAt === undefined || allShown(dialog, request, total);
  const menu = menuLines(dialog, request, space, shown);
  return { lines: [...notes, ...menu, hintLine(dialog, ask, request, space.columns)] };
}

const escHint = (columns: number): StyledLine => cutTo("enter decides · esc goes back", columns, { dim: true });

function editBlock(dialog: Dialog, head: StyledLine, space: Space): WindowBlock {
  const notes = noteLines(dialog.note, space.columns);
  const hint = cutTo("ctrl+s takes it over, then you decide · ctrl+o your editor · esc goes back", space.columns, {
    dim: true,
  });
  const field = fieldBlock("", dialog, space.columns, Math.max(1, space.rows - 2 - notes.length));
  return stack([head], field, [...notes, hint]);
}
