import type { Rgb } from "./background.ts";
import { backgroundOfEnv, isLight } from "./background.ts";
import type { ColorName, Ground, Span, Tone } from "./span.ts";
import { COLOR_NAMES, type Color } from "./span.ts";
import { type Shade, themeColors } from "./theme-colors.ts";

/** The themes that the user's config may name; `auto` goes by the terminal's background. */
export const themeChoices = ["auto", "dark", "light", "ansi-16", "none"] as const;
export type ThemeChoice = (typeof themeChoices)[number];
export type ThemeName = Exclude<ThemeChoice, "auto">;

type Environment = Readonly<Record<string, string | undefined>>;

/** The manner in which the colours of spans are sent to a terminal. Rows are laid out alike for all themes but `none`, which has brackets. */
export interface Theme {
  name: ThemeName;
  /** Colours of the terminal that the theme uses: `dark` and `light` have those of 256 where it has no more. */
  depth: 16 | 256 | "true";
}

/**
 * The theme for a terminal. With `auto` its background decides, as far as it is known: what the terminal said of it, else
 * COLORFGBG, else it is dark. A terminal that has 16 colours gets these.
 * @param color false: colours are off (NO_COLOR, or a stream that is no terminal).
 */
export function themeOf(choice: ThemeChoice, env: Environment, color: boolean, background?: Rgb): Theme {
  if (!color || choice === "none") return { name: "none", depth: 16 };
  const depth = depthOf(env);
  if (choice === "ansi-16" || depth === 16) return { name: "ansi-16", depth: 16 };
  if (choice !== "auto") return { name: choice, depth };
  const known = background ?? backgroundOfEnv(env);
  return { name: known !== undefined && isLight(known) ? "light" : "dark", depth };
}

/** COLORTERM says so where there are 16 million; a terminal that cannot be asked is taken to have 256, but for the oldest. */
function depthOf(env: Environment): Theme["depth"] {
  if (/^(?:truecolor|24bit)$/i.test(env["COLORTERM"] ?? "")) return "true";
  return /^(?:linux|ansi|vt\d+|cons25|cygwin|xterm-16color|xterm-color)$/.test(env["TERM"] ?? "") ? 16 : 256;
}

/** The SGR codes of a span's colours. */
export function colorCodes(span: Pick<Span, "color" | "background">, theme: Theme): (number | string)[] {
  const { color, background } = span;
  if (color === undefined && background === undefined) return [];
  switch (theme.name) {
    case "none":
      return [];
    case "ansi-16":
      return sixteen(color, background);
    default:
      return shaded(color, background, theme.name, theme.depth);
  }
}

function shaded(
  color: Color | undefined,
  background: ColorName | Ground | undefined,
  name: "dark" | "light",
  depth: Theme["depth"],
): string[] {
  const { colors, grounds } = themeColors[name];
  const code = (shade: Shade, layer: 38 | 48): string =>
    depth === "true" ? `${layer};2;${rgbOf(shade[0]).join(";")}` : `${layer};5;${shade[1]}`;
  if (background === undefined) return color === undefined || color === "text" ? [] : [code(colors[color], 38)];
  if (!isGround(background)) return [...(color ? [code(colors[color], 38)] : []), code(colors[background], 48)];
  const { shade, text256 } = grounds[background];
  // On a ground of ours the terminal's own colour of text may not be legible.
  const text = colors[color ?? "text"];
  const drawn: Shade = depth === 256 && text256 !== undefined ? [text[0], text256] : text;
  return [code(drawn, 38), code(shade, 48)];
}

export const rgbOf = (hex: string): Rgb => {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

const isGround = (background: ColorName | Ground): background is Ground =>
  !(COLOR_NAMES as readonly string[]).includes(background);

/** The terminal's own sixteen: a line that changes is red or green as a whole, changed words stand on that colour. */
function sixteen(color: Color | undefined, background: ColorName | Ground | undefined): number[] {
  switch (background) {
    case "added":
      return [32];
    case "removed":
      return [31];
    case "addedWord":
      return [30, 42];
    case "removedWord":
      return [97, 41];
    case undefined:
      return color === undefined ? [] : ofTone(color);
    default:
      return [...(color === undefined ? [] : ofTone(color)), nameCode(background) + 10];
  }
}

const tones16: Readonly<Record<Tone, readonly number[]>> = {
  text: [],
  faint: [2],
  addedSign: [32],
  removedSign: [31],
  keyword: [35],
  string: [32],
  number: [33],
  comment: [2],
  title: [34],
  type: [36],
  property: [36],
  meta: [2],
};

const ofTone = (color: Color): number[] => (isTone(color) ? [...tones16[color]] : [nameCode(color)]);

const isTone = (color: Color): color is Tone => color in tones16;

function nameCode(name: ColorName): number {
  const index = COLOR_NAMES.indexOf(name);
  return index < 8 ? 30 + index : 90 + index - 8;
}
