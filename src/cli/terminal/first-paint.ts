// Loaded before everything else: imports nothing, so that the prompt stands within milliseconds.

/** The part of a terminal's input that is needed here. */
export interface InputStream {
  isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  off(event: "data", listener: (chunk: Buffer) => void): unknown;
  resume(): unknown;
}

export interface OutputStream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

export interface FirstPaintOptions {
  stdin: InputStream;
  stdout: OutputStream;
  env: Readonly<Record<string, string | undefined>>;
  /** Plain lines above the prompt, trusted text. */
  banner?: readonly string[];
  /** Ctrl-C before anyone takes over; the terminal is restored first. */
  onInterrupt(): void;
}

export interface EarlyChunk {
  bytes: Buffer;
  /** performance.now() at its arrival, in ms. */
  at: number;
}

/** A painted prompt and the bytes typed at it so far. */
export interface EarlyInput {
  /**
   * The plain message that was typed with Enter behind it: one that the input would send as it stands. It is taken out of the
   * bytes; undefined for all else, such as a command, a word that is completed, an edit or a paste.
   */
  takeLine(): string | undefined;
  /** Hands over the bytes and stops listening; raw mode stays on. Only the first call returns bytes. */
  take(): EarlyChunk[];
  /** The text that a caller writes before it draws its own prompt: erases the painted prompt, not the banner. */
  readonly erase: string;
  /** Gives up: raw mode off, the painted prompt erased. For a start that fails. */
  restore(): void;
}

const PROMPT = "❯ ";
const PROMPT_CELLS = 2;
const BRACKETED_PASTE = "\x1b[?2004h";
const BRACKETED_PASTE_OFF = "\x1b[?2004l";
/** From the second cell on, for tmux keeps a screen that is erased as a whole, and would show it a second time above. */
const BLANK_FROM_HERE = "\x1b7\x1b[K\x1b[C\x1b[J\x1b8";
/**
 * Back to the first screen, at the place where it was left; on that one, nothing. Leaving the other one puts the cursor where it was last
 * saved even where there is none to leave: here that is where it stands. tmux has one place for both screens, and it is entering that saves it.
 */
const FIRST_SCREEN = "\x1b7\x1b[?1049l\x1b8";
const FIRST_SCREEN_OF_TMUX = "\x1b[?1049h\x1b[?1049l";
/** One row: below it nothing was painted. */
const ERASE = "\r\x1b[K";
const CTRL_C = 3;

/**
 * Returns the sequences that a chat begins with, whatever a killed one left: its rows, among which the shell prompts now, or the other screen.
 * From the cursor on the screen is blank then; asks nothing of the terminal.
 */
export const blankScreen = (env: FirstPaintOptions["env"]): string =>
  `${env["TMUX"] === undefined ? FIRST_SCREEN : FIRST_SCREEN_OF_TMUX}${BLANK_FROM_HERE}`;

/**
 * Paints banner and prompt at once and collects what is typed while the rest of the program loads; simple text is echoed.
 * `undefined` where there is no terminal on both sides, or one that cannot move its cursor.
 */
export function firstPaint(options: FirstPaintOptions): EarlyInput | undefined {
  const { stdin, stdout, env } = options;
  if (stdin.isTTY !== true || stdout.isTTY !== true || env["TERM"] === "dumb") return undefined;
  const chunks: EarlyChunk[] = [];
  let room = (stdout.columns ?? 80) - PROMPT_CELLS - 1;
  let listening = true;
  const listen = (bytes: Buffer): void => {
    chunks.push({ bytes, at: performance.now() });
    if (bytes.includes(CTRL_C)) {
      restore();
      options.onInterrupt();
      return;
    }
    const echo = simpleText(bytes, room);
    room -= echo.length;
    if (echo !== "") stdout.write(echo);
  };
  const stop = (): void => {
    listening = false;
    stdin.off("data", listen);
  };
  const restore = (): void => {
    if (!listening) return;
    stop();
    stdout.write(`${ERASE}${BRACKETED_PASTE_OFF}`);
    stdin.setRawMode?.(false);
  };
  stdin.setRawMode?.(true);
  stdin.on("data", listen);
  stdin.resume();
  const banner = (options.banner ?? []).map((line) => `${line}\r\n`).join("");
  stdout.write(`${blankScreen(env)}${banner}${BRACKETED_PASTE}${PROMPT}`);
  return {
    takeLine() {
      const typed = Buffer.concat(chunks.map(({ bytes }) => bytes));
      const line = plainLine(typed.toString("latin1"));
      if (line === undefined) return undefined;
      const at = chunks.at(-1)?.at ?? 0;
      const rest = typed.subarray(line.length + 1);
      chunks.splice(0, chunks.length, ...(rest.length === 0 ? [] : [{ bytes: rest, at }]));
      return line;
    },
    take() {
      if (listening) stop();
      return chunks.splice(0);
    },
    erase: ERASE,
    restore,
  };
}

/** The bytes as text to echo: printable ASCII only, and only what fits on the row. */
function simpleText(bytes: Buffer, room: number): string {
  const text = bytes.toString("latin1");
  return /^[ -~]+$/.test(text) && text.length <= room ? text : "";
}

/** Returns the text before the first Enter where it is nothing but a message: no command, no completion, no line end by a backslash. */
function plainLine(typed: string): string | undefined {
  const line = /^([ -~]+)\r/.exec(typed)?.[1];
  if (line === undefined || /^[ /]|@|[\\ ]$/.test(line)) return undefined;
  return line;
}
