import type { Token, Tokens } from "marked";
import type { MarkdownTheme } from "./markdown-theme.ts";
import { sanitise } from "./sanitise.ts";
import type { Span, SpanStyle, StyledLine } from "./span.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};
const MAX_DEPTH = 20;

/**
 * Inline tokens as lines of spans, one line for each line of the source. A link's address is always shown; HTML stays text.
 * Character references are read for five harmless characters only: a number could name a control character.
 */
export function inlineLines(tokens: Token[], theme: MarkdownTheme, style: SpanStyle = {}): StyledLine[] {
  const lines: StyledLine[] = [[]];
  for (const span of tokens.flatMap((token) => inline(token, theme, style, 0))) {
    for (const [index, text] of sanitise(span.text, { keepNewlines: true }).split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (text !== "") lines.at(-1)?.push({ ...span, text });
    }
  }
  return lines;
}

function inline(token: Token, theme: MarkdownTheme, style: SpanStyle, depth: number): Span[] {
  if (depth > MAX_DEPTH) return [{ ...style, text: token.raw }];
  const within = (more: SpanStyle): Span[] =>
    (token as Tokens.Generic).tokens?.flatMap((child) => inline(child, theme, { ...style, ...more }, depth + 1)) ?? [];
  switch (token.type) {
    case "strong":
      return within({ bold: true });
    case "em":
      return within({ italic: true });
    case "del":
      return within({ strikethrough: true });
    case "codespan":
      return [{ ...style, ...theme.code, text: (token as Tokens.Codespan).text }];
    case "br":
      return [{ ...style, text: "\n" }];
    case "link":
      return link(token as Tokens.Link, within(theme.link), theme, style);
    case "image": {
      const { text, href } = token as Tokens.Image;
      return [
        { ...style, text: `[image: ${text}]` },
        { ...style, ...theme.faint, text: ` (${href})` },
      ];
    }
    case "checkbox":
      return [];
    case "html":
      return [{ ...style, text: token.raw }];
    default:
      return (token as Tokens.Generic).tokens === undefined ? [plain(token, style)] : within({});
  }
}

/** The parser has read all character references in `text`, so that of text the source is taken. */
function plain(token: Token, style: SpanStyle): Span {
  const text = token.type === "escape" ? (token as Tokens.Escape).text : token.raw;
  return { ...style, text: text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity) };
}

function link(token: Tokens.Link, label: Span[], theme: MarkdownTheme, style: SpanStyle): Span[] {
  const shown = label.map((span) => span.text).join("");
  if (shown === token.href || `mailto:${shown}` === token.href) return label;
  return [...label, { ...style, ...theme.faint, text: ` (${token.href})` }];
}
