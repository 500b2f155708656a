import type { Span, StyledLine } from "../terminal/span.ts";
import { layout } from "../terminal/text-layout.ts";
import { cut, cutSpans, elidePath, wrapSpans } from "../terminal/width.ts";
import type { Layouts } from "./body-lines.ts";
import { allShown, type Choice, choicesOf, type Dialog, type Geometry, keyOf } from "./dialog-state.ts";
import { countSpans, span } from "./item-lines.ts";
import type { Ask, Request } from "./view.ts";

/** A part of the screen: its rows, where the cursor stands in them, and the scrolling window it holds. */
export interface Block {
  lines: StyledLine[];
  cursor?: { row: number; col: number };
  geometry?: Geometry;
}

export interface Space {
  columns: number;
  /** Rows that the block may take at most. */
  rows: number;
}

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

const cutTo = (text: string, columns: number, style: Omit<Span, "text">): StyledLine => [
  span(cut(text, columns), style),
];

function upTo(rows: StyledLine[], limit: number): StyledLine[] {
  if (rows.length <= limit) return rows;
  return [...rows.slice(0, limit - 1), [span(`  … ${rows.length - limit + 1} more · ? shows all`, { dim: true })]];
}

/** What is known beside the diff: files, facts, reason, warnings. */
function factLines(request: Request, columns: number, limit: number): StyledLine[] {
  const rows: StyledLine[] = [];
  if (request.changed !== undefined) {
    const text = `⚠ the file changed while you were deciding: ${request.changed.why}`;
    rows.push(...wrapSpans([span(text, { color: "magenta", bold: true })], columns));
  }
  for (const warning of request.warnings) rows.push(...wrapSpans([span(`⚠ ${warning}`, { color: "yellow" })], columns));
  const facts = request.facts.length === 0 ? "" : ` · ${request.facts.join(" · ")}`;
  for (const [index, file] of request.files.entries()) {
    rows.push(cutTo(`${file}${index === request.files.length - 1 ? facts : ""}`, columns, {}));
  }
  if (request.agent !== undefined) rows.push(cutTo(`asked by the sub-agent ${request.agent}`, columns, {}));
  const why = [span("why: "), span(request.why, { italic: true }), span(` (${request.rule})`, { dim: true })];
  rows.push(...wrapSpans(why, columns));
  return upTo(rows, limit);
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
  if (choice === "once" && request.call.risk === "high") hints.push("asks for the word yes");
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
  ];
}

function menuLines(dialog: Dialog, request: Request, space: Space, shown: boolean): StyledLine[] {
  const choices = choicesOf(request);
  const focused = choices[dialog.row];
  const grant = grantLines(request, focused, space.columns);
  if (space.rows < 15) return [...compactMenu(choices, dialog.row, space.columns), ...grant];
  const rows = choices.map((choice, index) => choiceLine(choice, index === dialog.row, request, shown, space.columns));
  return [...rows, ...grant];
}

function hintLine(dialog: Dialog, ask: Ask, columns: number): StyledLine {
  if (dialog.busy) return [span("…", { dim: true })];
  const parts = ask.requests.length > 1 ? ["tab next request"] : [];
  parts.push("? why", "d full screen", "o editor", "esc denies", "ctrl+c stops, keeps it waiting");
  return cutTo(parts.join(" · "), columns, { dim: true });
}

const positionLine = (scroll: number, { total, window }: Geometry, columns: number): StyledLine[] =>
  total <= window
    ? []
    : [
        cutTo(`lines ${scroll + 1}-${Math.min(total, scroll + window)} of ${total} · pgup/pgdn`, columns, {
          dim: true,
        }),
      ];

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

const stack = (top: StyledLine[], block: Block, below: StyledLine[]): Block => ({
  ...block,
  lines: [...top, ...block.lines, ...below],
  ...(block.cursor === undefined ? {} : { cursor: { row: block.cursor.row + top.length, col: block.cursor.col } }),
});

/** A scrolled window of `rows` on the body, with its position below it when it does not fit. */
export function windowed(rows: StyledLine[], scroll: number, space: Space): Block {
  const room = rows.length <= space.rows ? space.rows : Math.max(1, space.rows - 1);
  const geometry = { total: rows.length, window: room };
  const from = Math.max(0, Math.min(scroll, rows.length - room));
  const lines = rows.slice(from, from + room).map((row) => cutSpans(row, space.columns));
  return { lines: [...lines, ...positionLine(from, geometry, space.columns)], geometry };
}

function noteLines(note: string, columns: number): StyledLine[] {
  return note === "" ? [] : wrapSpans([span(`› ${note}`, { color: "yellow" })], columns).slice(0, 3);
}

function whyBlock(request: Request, space: Space): Block {
  const rows = [
    `risk: ${request.call.risk}`,
    `why: ${request.why}`,
    `decided by: ${request.rule}`,
    ...request.parts,
    ...request.warnings.map((text) => `warning: ${text}`),
    ...request.files,
    ...(request.facts.length === 0 ? [] : [`facts: ${request.facts.join(", ")}`]),
    `digest: ${request.call.digest.replace(/[^0-9a-zA-Z:_-]/g, "")}`,
    "any key goes back",
  ];
  return { lines: rows.flatMap((text) => wrapSpans([span(text)], space.columns)).slice(0, space.rows) };
}

/** The approval dialog in at most `space.rows` rows. */
export function dialogBlock(dialog: Dialog, ask: Ask, request: Request, space: Space, layouts: Layouts): Block {
  const head = headLine(request, ask, space.columns);
  const rows = layouts.body(request, space.columns);
  const inner = { ...space, rows: space.rows - 1 };
  if (dialog.stage === "why") return stack([head], whyBlock(request, inner), []);
  if (dialog.stage === "full") {
    const hint = cutTo("↑↓ pgup pgdn scroll · d or esc goes back", space.columns, { dim: true });
    return stack([head], windowed(rows, dialog.scroll, { ...inner, rows: inner.rows - 1 }), [hint]);
  }
  if (dialog.stage === "edit") return editBlock(dialog, head, space);
  const facts = factLines(request, space.columns, Math.max(1, Math.floor(space.rows / 4)));
  const foot = footOf(dialog, ask, request, space, rows.length);
  const room = Math.max(1, space.rows - 1 - facts.length - foot.lines.length);
  const body = windowed(rows, dialog.scroll, { columns: space.columns, rows: room });
  const top = [head, ...facts, ...body.lines];
  const block = stack(top, foot, []);
  return { ...block, ...(body.geometry === undefined ? {} : { geometry: body.geometry }) };
}

function footOf(dialog: Dialog, ask: Ask, request: Request, space: Space, total: number): Block {
  const notes = noteLines(dialog.note, space.columns);
  if (dialog.stage === "reason")
    return stack(notes, fieldBlock("why not? ", dialog, space.columns, 3), [escHint(space.columns)]);
  if (dialog.stage === "confirm") {
    return stack(notes, fieldBlock("HIGH risk: type yes to approve: ", dialog, space.columns, 1), [
      escHint(space.columns),
    ]);
  }
  const shown = dialog.paintedAt === undefined || allShown(dialog, request, total);
  const menu = menuLines(dialog, request, space, shown);
  return { lines: [...notes, ...menu, hintLine(dialog, ask, space.columns)] };
}

const escHint = (columns: number): StyledLine => cutTo("enter decides · esc goes back", columns, { dim: true });

function editBlock(dialog: Dialog, head: StyledLine, space: Space): Block {
  const notes = noteLines(dialog.note, space.columns);
  const hint = cutTo("ctrl+s takes it over, then you decide · ctrl+o your editor · esc goes back", space.columns, {
    dim: true,
  });
  const field = fieldBlock("", dialog, space.columns, Math.max(1, space.rows - 2 - notes.length));
  return stack([head], field, [...notes, hint]);
}
