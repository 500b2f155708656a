/** Red, green and blue, 0 to 255 each. */
export type Rgb = readonly [number, number, number];

type Environment = Readonly<Record<string, string | undefined>>;

/** Asks a terminal for the colour of its background (OSC 11). */
export const askBackground = "\x1b]11;?\x1b\\";

/** Terminals that print such a question instead of reading it, or that nobody could answer through. */
export const understandsQuestions = (env: Environment): boolean => !/^(?:dumb|linux|cons25)?$/.test(env["TERM"] ?? "");

/** Reads a terminal's answer to `askBackground`; undefined for any other reply. */
export function backgroundOfReply(reply: string): Rgb | undefined {
  const match = /^\x1b\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(reply);
  if (match === null) return undefined;
  const [, red = "", green = "", blue = ""] = match;
  return [level(red), level(green), level(blue)];
}

/** One to four hexadecimal digits of a whole, as X writes colours. */
const level = (digits: string): number => Math.round((Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255);

/** COLORFGBG, which some terminals set: `15;0` or `0;default;15`, the last being the background among the sixteen. */
export function backgroundOfEnv(env: Environment): Rgb | undefined {
  const last = /^(?:[^;]*;)+(\d{1,2})$/.exec(env["COLORFGBG"] ?? "")?.[1];
  if (last === undefined || Number(last) > 15) return undefined;
  const light = Number(last) === 7 || Number(last) > 8;
  return light ? [255, 255, 255] : [0, 0, 0];
}

export const isLight = (color: Rgb): boolean => contrast(color, [0, 0, 0]) > contrast(color, [255, 255, 255]);

/** From 1 to 21, as the web's guidelines on legible text have it. */
export function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (value: number): number => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
