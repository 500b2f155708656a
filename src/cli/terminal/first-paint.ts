// Loaded before everything else: imports nothing, so that the prompt stands within milliseconds.

/** What of a terminal's input is needed here. */
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
  /** Hands over the bytes and stops listening; raw mode stays on. Only the first call returns bytes. */
  take(): EarlyChunk[];
  /** What a caller writes before it draws its own prompt: erases the painted prompt, not the banner. */
  readonly erase: string;
  /** Gives up: raw mode off, cursor on a new line. For a start that fails. */
  restore(): void;
}

const PROMPT = "❯ ";
const PROMPT_CELLS = 2;
const BRACKETED_PASTE = "\x1b[?2004h";
const BRACKETED_PASTE_OFF = "\x1b[?2004l";
const CTRL_C = 3;

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
    stdout.write(`${BRACKETED_PASTE_OFF}\r\n`);
    stdin.setRawMode?.(false);
  };
  stdin.setRawMode?.(true);
  stdin.on("data", listen);
  stdin.resume();
  const banner = (options.banner ?? []).map((line) => `${line}\r\n`).join("");
  stdout.write(`${banner}${BRACKETED_PASTE}${PROMPT}`);
  return {
    take() {
      if (listening) stop();
      return chunks.splice(0);
    },
    erase: "\r\x1b[J",
    restore,
  };
}

/** The bytes as text to echo: printable ASCII only, and only what fits on the row. */
function simpleText(bytes: Buffer, room: number): string {
  const text = bytes.toString("latin1");
  return /^[ -~]+$/.test(text) && text.length <= room ? text : "";
}
