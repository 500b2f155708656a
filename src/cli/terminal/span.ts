/** A run of text in one style. What its colours look like is the theme's to say. */
export interface Span {
  text: string;
  color?: Color;
  background?: ColorName | Ground;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  strikethrough?: boolean;
  inverse?: boolean;
}

/** One row of the screen. Holds no newline, tab or control character. */
export type StyledLine = Span[];

export type SpanStyle = Omit<Span, "text">;

export const COLOR_NAMES = [
  "black",
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  "white",
  "gray",
  "redBright",
  "greenBright",
  "yellowBright",
  "blueBright",
  "magentaBright",
  "cyanBright",
  "whiteBright",
] as const;

/** One of the sixteen colours of ANSI, as chalk and ink spell them. */
export type ColorName = (typeof COLOR_NAMES)[number];

/** The kind of a run of text, where a theme has a colour for it; `text` stands on a ground without being anything of it. */
export type Tone =
  | "text"
  | "faint"
  | "addedSign"
  | "removedSign"
  | "keyword"
  | "string"
  | "number"
  | "comment"
  | "title"
  | "type"
  | "property"
  | "meta";

export type Color = ColorName | Tone;

/** The reason for which a row, or a word in it, is tinted. */
export type Ground = "added" | "removed" | "addedWord" | "removedWord";

/** The text of a line without its styles. */
export function plainText(line: StyledLine): string {
  return line.map((span) => span.text).join("");
}

/** Joins neighbours of one style, drops empty spans. */
export function mergeSpans(line: StyledLine): StyledLine {
  const merged: Span[] = [];
  for (const span of line) {
    const last = merged.at(-1);
    if (span.text === "") continue;
    if (last !== undefined && sameStyle(last, span))
      merged[merged.length - 1] = { ...last, text: last.text + span.text };
    else merged.push(span);
  }
  return merged;
}

const STYLE_KEYS = ["color", "background", "bold", "dim", "italic", "underline", "strikethrough", "inverse"] as const;

function sameStyle(a: Span, b: Span): boolean {
  return STYLE_KEYS.every((key) => a[key] === b[key]);
}
