export interface SanitiseOptions {
  /** Newlines stay (and CR LF becomes one). Otherwise they are shown as ␊, so that a name cannot forge a row. */
  keepNewlines?: boolean;
  /** Spaces in place of a tab; 0 keeps the tab. Default 4. */
  tabWidth?: number;
  /**
   * `true`: escape sequences stay readable (`␛[31m`) instead of being removed. For text that will be run or written, such as
   * the command of an approval, where a removed part would still take effect. The CR of a CR LF is shown as well.
   */
  showSequences?: boolean;
}

// A sequence ends before the next control character, so scanning is linear and an unterminated one hides nothing after it.
const SEQUENCES = new RegExp(
  [
    "(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]", // CSI
    "(?:\\x1b[\\]PX^_]|[\\x9d\\x90\\x98\\x9e\\x9f])[^\\x00-\\x1f\\x7f-\\x9f]*(?:\\x07|\\x1b\\\\|\\x9c)", // OSC DCS SOS PM APC
    "\\x1b[ -/]+[0-~]", // charset and the like
    "\\x1b[0-OQ-WYZ`-~]", // two bytes: ESC c, ESC 7, ESC M
  ].join("|"),
  "g",
);

// Flags of countries' parts, which alone may have tags: black flag, letters, cancel tag. Then controls, C1, soft hyphen,
// fillers, zero-width, bidi, separators, variation selectors, formats of shorthand and music, tags, lone surrogates,
// and combining marks past the eighth in a row.
const SUSPECTS = new RegExp(
  [
    "\\r\\n",
    "\\u{1f3f4}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}",
    "[\\x00-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e]",
    "[\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff]",
    "[\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]",
    "\\p{Surrogate}",
    "(?:(?![\\u034f\\u180b-\\u180f\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])\\p{M}){9,}",
  ].join("|"),
  "gu",
);

const CONTROL_PICTURES = 0x2400;
const BLACK_FLAG = 0x1f3f4;
// Each of these is tried on one character.
const MARK = /\p{M}/u;
const EMOJI = /\p{Emoji}/u;
const EMOJI_END = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\ufe0f/u;
const EMOJI_START = /\p{Extended_Pictographic}/u;
const IDEOGRAPH = /\p{Unified_Ideograph}/u;
const MONGOLIAN = /\p{Script=Mongolian}/u;
const JOINING_LETTER =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Mongolian}]/u;
const MAX_MARKS = 8;

// Keeps cli 1.
/**
 * The one way of untrusted text (model, tool output, file names, errors) to the terminal. Removes escape sequences; shows what
 * else could deceive: controls as ␍ ␈ ␇, invisible and bidirectional characters as ‹U+202E›, combining marks past the eighth
 * as a count. Keeps emoji families, flags and combining marks. Linear in the length of the text; idempotent.
 */
export function sanitise(text: string, options: SanitiseOptions = {}): string {
  const stripped = options.showSequences === true ? text : text.replace(SEQUENCES, "");
  const tab = " ".repeat(options.tabWidth ?? 4);
  const newline = options.keepNewlines === true ? "\n" : "␊";
  return stripped.replace(SUSPECTS, (found, offset: number) => {
    if (found === "\n") return newline;
    if (found === "\r\n") return (options.showSequences === true || !options.keepNewlines ? "␍" : "") + newline;
    if (found === "\t") return options.tabWidth === 0 ? "\t" : tab;
    return belongs(found, stripped, offset) ? found : reveal(found);
  });
}

/** Blanks that are drawn as one and are none to a shell. */
const ODD_BLANKS = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu;

/** Blanks that are drawn as one and are none to a shell, by name: a file's name may end in one. */
export const nameBlanks = (text: string): string => text.replace(ODD_BLANKS, reveal);

/** The same with a plain blank for each of them. */
export const plainBlanks = (text: string): string => text.replace(ODD_BLANKS, " ");

/** JSON text in which all that `sanitise` and `nameBlanks` show as something else is an escape: safe to draw, and the same value. */
export const escapedJson = (json: string): string =>
  json
    .replace(SUSPECTS, (found) => {
      if (found === "\n") return found;
      const points = [...found];
      const seen = points.length > 1 && MARK.test(points[0] ?? "") ? points.slice(0, MAX_MARKS).join("") : "";
      return seen + escapes(found.slice(seen.length));
    })
    .replace(ODD_BLANKS, escapes);

const escapes = (text: string): string =>
  text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

/** Tells whether `sanitise` removes or reveals anything but line ends and tabs: the reader must be warned. */
export function hasHidden(text: string): boolean {
  return sanitise(text, { keepNewlines: true, tabWidth: 0 }) !== text.replaceAll("\r\n", "\n");
}

/** Removes escape sequences and nothing else. */
export function stripSequences(text: string): string {
  return text.replace(SEQUENCES, "");
}

function reveal(found: string): string {
  const point = found.codePointAt(0) ?? 0;
  if (point < 0x20) return String.fromCodePoint(CONTROL_PICTURES + point);
  if (point === 0x7f) return "␡";
  const marks = [...found];
  if (marks.length > 1) return `${marks.slice(0, MAX_MARKS).join("")}‹+${marks.length - MAX_MARKS} marks›`;
  return `‹U+${point.toString(16).toUpperCase().padStart(4, "0")}›`;
}

/** Tells whether an invisible character does its proper work where it stands. */
function belongs(found: string, text: string, offset: number): boolean {
  const point = found.codePointAt(0) ?? 0;
  if (point === BLACK_FLAG) return true; // it is found only with the tags of its flag
  if (point === 0x200d) return joins(text, offset);
  if (point === 0x200c)
    return JOINING_LETTER.test(before(text, offset)) && JOINING_LETTER.test(after(text, offset + 1));
  if (point === 0xfe0e || point === 0xfe0f) return EMOJI.test(before(text, offset));
  if (isIdeographVariant(point)) return IDEOGRAPH.test(before(text, offset));
  return point >= 0x180b && point <= 0x180f && MONGOLIAN.test(before(text, offset));
}

function isIdeographVariant(point: number): boolean {
  return (point >= 0xfe00 && point <= 0xfe0d) || (point >= 0xe0100 && point <= 0xe01ef);
}

function joins(text: string, offset: number): boolean {
  const left = before(text, offset);
  if (EMOJI_END.test(left)) return EMOJI_START.test(after(text, offset + 1));
  return JOINING_LETTER.test(left) || (MARK.test(left) && JOINING_LETTER.test(before(text, offset - left.length)));
}

/** The code point that ends at `offset`. */
function before(text: string, offset: number): string {
  const isPair = (text.codePointAt(offset - 2) ?? 0) > 0xffff;
  return text.slice(offset - (isPair ? 2 : 1), offset);
}

function after(text: string, offset: number): string {
  return String.fromCodePoint(text.codePointAt(offset) ?? 0);
}

/** Text of several lines from outside, made safe to print and to draw. */
export const cleanText = (text: string): string => sanitise(text, { keepNewlines: true });
