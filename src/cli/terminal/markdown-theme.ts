import type { SpanStyle, StyledLine, Tone } from "./span.ts";

/** The style of each part of rendered markdown; `syntax` by highlight.js scope. */
export interface MarkdownTheme {
  heading: SpanStyle;
  code: SpanStyle;
  link: SpanStyle;
  /** Bullets, quote bars, table rules, addresses of links: all that is not the text itself. */
  faint: SpanStyle;
  quote: SpanStyle;
  syntax: Readonly<Record<string, SpanStyle>>;
}

const tones = (tone: Tone, ...scopes: string[]): [string, SpanStyle][] =>
  scopes.map((scope) => [scope, { color: tone }]);

/** The default theme, with all that a theme has colours for. */
export const defaultTheme: MarkdownTheme = {
  heading: { bold: true },
  code: { color: "cyan" },
  link: { underline: true },
  faint: { dim: true },
  quote: { italic: true },
  syntax: Object.fromEntries([
    ...tones("keyword", "keyword", "template-tag", "selector-tag"),
    ...tones("type", "built_in", "type", "class"),
    ...tones("number", "literal", "number", "symbol", "bullet"),
    ...tones("string", "string", "regexp", "code", "link"),
    ...tones("comment", "doctag"),
    ["comment", { color: "comment", italic: true }],
    ["quote", { color: "comment", italic: true }],
    ...tones("meta", "meta"),
    ...tones("title", "title", "function", "tag", "name", "section"),
    ...tones(
      "property",
      "attr",
      "attribute",
      "variable",
      "property",
      "template-variable",
      "selector-class",
      "selector-id",
    ),
    ...tones("addedSign", "addition"),
    ...tones("removedSign", "deletion"),
  ]),
};

/** Colours source code, one styled line for each line; `undefined` where it does not know the language or gives up. */
export type Highlight = (code: string, language: string, theme: MarkdownTheme) => StyledLine[] | undefined;
