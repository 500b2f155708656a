/** A run of text in one style. Colour names are the sixteen of ANSI, as chalk and ink spell them. */
export interface Span {
  text: string;
  color?: ColorName;
  background?: ColorName;
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

export type ColorName = (typeof COLOR_NAMES)[number];

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
