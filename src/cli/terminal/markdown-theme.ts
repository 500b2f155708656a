import type { SpanStyle, StyledLine } from "./span.ts";

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

/** Colours that are legible on dark and on light backgrounds. */
export const defaultTheme: MarkdownTheme = {
  heading: { bold: true },
  code: { color: "cyan" },
  link: { underline: true },
  faint: { dim: true },
  quote: { italic: true },
  syntax: {
    keyword: { color: "magenta" },
    "template-tag": { color: "magenta" },
    built_in: { color: "cyan" },
    type: { color: "cyan" },
    literal: { color: "yellow" },
    number: { color: "yellow" },
    string: { color: "green" },
    regexp: { color: "green" },
    symbol: { color: "yellow" },
    comment: { dim: true, italic: true },
    doctag: { dim: true, bold: true },
    meta: { dim: true },
    title: { color: "blue" },
    function: { color: "blue" },
    attr: { color: "cyan" },
    attribute: { color: "cyan" },
    variable: { color: "yellow" },
    property: { color: "cyan" },
    tag: { color: "blue" },
    name: { color: "blue" },
    section: { bold: true },
    addition: { color: "green" },
    deletion: { color: "red" },
  },
};

/** Colours source code, one styled line for each line; `undefined` where it does not know the language or gives up. */
export type Highlight = (code: string, language: string, theme: MarkdownTheme) => StyledLine[] | undefined;
