import { Lexer, type Token, type Tokens } from "marked";
import { withoutEnd } from "../../core/linear-text.ts";
import { inlineLines } from "./markdown-inline.ts";
import { tableLines } from "./markdown-table.ts";
import { defaultTheme, type Highlight, type MarkdownTheme } from "./markdown-theme.ts";
import { sanitise } from "./sanitise.ts";
import type { SpanStyle, StyledLine } from "./span.ts";
import { hardWrapSpans, wrap, wrapSpans } from "./width.ts";

export { safeSplit } from "./safe-split.ts";

export interface MarkdownOptions {
  theme?: MarkdownTheme;
  /** From `loadHighlighter`; without it code has one colour. */
  highlight?: Highlight;
}

interface Context {
  theme: MarkdownTheme;
  highlight: Highlight | undefined;
  depth: number;
  style: SpanStyle;
}

/** Longer text is shown as it is: a person does not read it, and parsing would hold up the keys. UTF-16 units. */
const MAX_MARKDOWN = 200_000;
/** A longer paragraph has no emphasis: looking for it takes time that goes with the cube of the length. UTF-16 units. */
const MAX_INLINE = 2_000;
const MAX_DEPTH = 10;
const NARROWEST = 8;
const BULLETS = ["•", "◦", "▪"];
const FENCE_INDENT = "  ";

/**
 * Markdown as rows of the screen, at most `width` cells each. The text is sanitised first. What cannot be parsed (nested
 * without end, or very long) is shown as plain text; nothing is left out: HTML and link definitions stay readable.
 */
export function renderMarkdown(text: string, width: number, options: MarkdownOptions = {}): StyledLine[] {
  const clean = sanitise(text, { keepNewlines: true }).replace(/^\n+/, "").trimEnd();
  if (clean === "") return [];
  const context = { theme: options.theme ?? defaultTheme, highlight: options.highlight, depth: 0, style: {} };
  const tokens = parse(clean);
  if (tokens === undefined) return plainLines(clean, width);
  return blocks(tokens, Math.max(1, width), context);
}

function parse(text: string): Token[] | undefined {
  if (text.length > MAX_MARKDOWN || /^[ >]*(?:> ?){30}/m.test(text) || /^ {60,}[-*+\d]/m.test(text)) return undefined;
  try {
    const lexer = new Lexer({ gfm: true });
    const found = lexer.blockTokens(text, lexer.tokens);
    // grows while it is worked through: emphasis has its own insides
    for (const { src, tokens } of lexer.inlineQueue) {
      if (src.length <= MAX_INLINE) lexer.inlineTokens(src, tokens);
      else tokens.push({ type: "text", raw: src, text: src, escaped: false });
    }
    return found;
  } catch {
    return undefined; // nested deeper than the stack
  }
}

function plainLines(text: string, width: number): StyledLine[] {
  return wrap(text, width).map((line) => [{ text: line }]);
}

function blocks(tokens: Token[], width: number, context: Context, tight = false): StyledLine[] {
  const rows: StyledLine[] = [];
  for (const token of tokens) {
    const drawn = block(token, width, context);
    if (drawn.length === 0) continue;
    if (rows.length > 0 && !tight) rows.push([]);
    for (const row of drawn) rows.push(row);
  }
  return rows;
}

function block(token: Token, width: number, context: Context): StyledLine[] {
  const { theme, style } = context;
  switch (token.type) {
    case "space":
    case "checkbox":
      return [];
    case "heading": {
      const mark = { ...theme.faint, text: `${"#".repeat((token as Tokens.Heading).depth)} ` };
      const title = inlineLines((token as Tokens.Heading).tokens, theme, { ...style, ...theme.heading }).flat();
      return wrapSpans([mark, ...title], width);
    }
    case "code":
      return codeLines(token as Tokens.Code, width, context);
    case "list":
      return listLines(token as Tokens.List, width, context);
    case "blockquote":
      return quoteLines(token as Tokens.Blockquote, width, context);
    case "table":
      return tableLines(token as Tokens.Table, width, theme);
    case "hr":
      return [[{ ...theme.faint, text: "─".repeat(Math.min(width, 40)) }]];
    case "html":
    case "def":
      return wrap(withoutEnd(token.raw, "\n"), width).map((text) => [{ ...style, text }]);
    default:
      return inlineLines(inlineTokens(token), theme, style).flatMap((line) => wrapSpans(line, width));
  }
}

function inlineTokens(token: Token): Token[] {
  return (token as Tokens.Generic).tokens ?? [token];
}

function codeLines(token: Tokens.Code, width: number, context: Context): StyledLine[] {
  const { theme, highlight } = context;
  const language = (token.lang ?? "").trim().split(/\s/)[0]?.toLowerCase() ?? "";
  const colored = language === "" ? undefined : highlight?.(token.text, language, theme);
  const lines = colored ?? token.text.split("\n").map((text) => [{ ...theme.code, text }]);
  const mark = FENCE_INDENT.slice(0, Math.max(0, width - 2));
  const rows = lines.flatMap((line) => hardWrapSpans(line, width - mark.length));
  return indent(rows, mark, mark, {});
}

function listLines(list: Tokens.List, width: number, context: Context): StyledLine[] {
  const deeper = { ...context, depth: context.depth + 1 };
  const rows: StyledLine[] = [];
  for (const [index, item] of list.items.entries()) {
    const mark = listMark(list, index, item, context.depth);
    const room = roomAfter(width, mark.length, context);
    const body = blocks(item.tokens, Math.max(1, width - room), deeper, !item.loose);
    if (index > 0 && list.loose) rows.push([]);
    rows.push(...indent(body.length === 0 ? [[]] : body, mark.slice(0, room), " ".repeat(room), context.theme.faint));
  }
  return rows;
}

function listMark(list: Tokens.List, index: number, item: Tokens.ListItem, depth: number): string {
  const first = list.start === "" ? 1 : list.start;
  const widest = `${first + list.items.length - 1}.`.length;
  const bullet = list.ordered ? `${first + index}.`.padStart(widest) : (BULLETS[depth % BULLETS.length] ?? "•");
  if (!item.task) return `${bullet} `;
  return `${bullet} ${item.checked === true ? "[x]" : "[ ]"} `;
}

/** Cells for a mark; nothing more is indented where the text would get too narrow. */
function roomAfter(width: number, wanted: number, context: Context): number {
  if (width - wanted >= NARROWEST && context.depth < MAX_DEPTH) return wanted;
  return Math.min(2, Math.max(0, width - 2));
}

function quoteLines(quote: Tokens.Blockquote, width: number, context: Context): StyledLine[] {
  const { theme } = context;
  const room = context.depth < MAX_DEPTH && width > NARROWEST ? 2 : 0;
  const deeper = { ...context, depth: context.depth + 1, style: { ...context.style, ...theme.quote } };
  const bar = "│ ".slice(0, room);
  return indent(blocks(quote.tokens, width - room, deeper), bar, bar, theme.faint);
}

function indent(rows: StyledLine[], first: string, rest: string, style: SpanStyle): StyledLine[] {
  return rows.map((row, index) => {
    const mark = index === 0 ? first : rest;
    return mark === "" ? row : [{ ...style, text: mark }, ...row];
  });
}
