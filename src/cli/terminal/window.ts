type Environment = Readonly<Record<string, string | undefined>>;

const bel = "\x07";

/** One line without what would end a sequence or is none of a text's characters. */
const plain = (text: string): string =>
  text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, " ")
    .slice(0, 200)
    .replace(/[\ud800-\udbff]$/, "");

/** The Linux console takes no strings: it would draw them. */
const takesStrings = ({ TERM }: Environment): boolean => TERM !== undefined && TERM !== "dumb" && TERM !== "linux";

/** Keeps the window's title as it is, until `titleBack`. */
export const titleKept = (env: Environment): string => (takesStrings(env) ? "\x1b[22;2t" : "");

export const titleBack = (env: Environment): string => (takesStrings(env) ? "\x1b]2;\x07\x1b[23;2t" : "");

export const titleSet = (title: string, env: Environment): string =>
  takesStrings(env) ? `\x1b]2;${plain(title)}${bel}` : "";

/** By OSC 777 where the terminal knows that, else by OSC 9; inside tmux handed through to the terminal around it. */
export function notification(text: string, env: Environment): string {
  if (!takesStrings(env)) return bel;
  const { TERM = "", TERM_PROGRAM = "" } = env;
  const ofRxvt = /^(rxvt|foot)/.test(TERM) || TERM_PROGRAM === "vscode";
  const said = plain(text).replaceAll(";", ",");
  const sequence = ofRxvt ? `\x1b]777;notify;agent;${said}${bel}` : `\x1b]9;agent: ${said}${bel}`;
  return env["TMUX"] === undefined ? sequence : throughTmux(sequence);
}

export const bell = bel;

/** Characters of base64 that the most careful terminals take. */
const mostEncoded = 74_994;
export const mostCopied = "56 kB";

/** Brings a text into the terminal's clipboard by OSC 52; inside tmux by both of its ways. `none`: this terminal has none. */
export function clipboard(text: string, env: Environment): "none" | "too long" | `\x1b${string}` {
  if (!takesStrings(env)) return "none";
  const encoded = Buffer.from(text, "utf8").toString("base64");
  if (encoded.length > mostEncoded) return "too long";
  const sequence = `\x1b]52;c;${encoded}${bel}` as const;
  return env["TMUX"] === undefined ? sequence : `${sequence}${throughTmux(sequence)}`;
}

const throughTmux = (sequence: string): string => `\x1bPtmux;${sequence.replaceAll("\x1b", "\x1b\x1b")}\x1b\\`;
