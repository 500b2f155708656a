import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { ReadStream } from "node:tty";
import { type IPty, spawn } from "@lydell/node-pty";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import headless from "@xterm/headless";

type Terminal = InstanceType<typeof headless.Terminal>;

export interface PtyOptions {
  command: string;
  args?: string[];
  cwd?: string;
  /** Added to this process's environment, from which all that means CI is taken out; `undefined` takes a variable out. */
  env?: Record<string, string | undefined>;
  cols?: number;
  rows?: number;
  /**
   * For a program that prints and ends: a shell keeps the terminal until all was read. Where a terminal ends with its first process, the
   * kernel drops what is still on its way, and a busy machine reads late.
   */
  prints?: true;
}

export interface Cell {
  text: string;
  /** "default", "palette:N" or "rgb:RRGGBB". */
  color: string;
  background: string;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
}

export interface Exit {
  code: number;
  /** Number of the signal that ended it, 0 for none. */
  signal: number;
}

/** A program at a real pseudo-terminal, and what a person would see of it. */
export interface Pty {
  readonly pid: number;
  readonly term: Terminal;
  /** Resolves once the screen or the scrollback shows it; rejects after `timeout` ms (default 120,000: a busy machine is slow, not wrong) with the screen as text. */
  waitFor(wanted: string | RegExp | ((pty: Pty) => boolean), timeout?: number): Promise<void>;
  /** Presses named keys one by one: `key("down", "enter")`, `key("ctrl-c")`, `key("alt-enter")`; one character is itself. */
  key(...names: string[]): void;
  /** Types text as a person would, but at once. */
  type(text: string): void;
  /** Ctrl-C twice in one piece: what comes later than two seconds after the first one does not leave. */
  leave(): void;
  /** A bracketed paste if the program asked for it, otherwise the bare text with \r for line ends. */
  paste(text: string): void;
  resize(cols: number, rows: number): void;
  /**
   * Resizes a terminal on which nothing is painted by itself, and waits until the program has painted since, and is done with it: a key that
   * is sent after it finds the program in the new size. Where something spins it is not to be had: any turn of that would be taken for it.
   */
  resized(cols: number, rows: number): Promise<void>;
  /** The rows on show, trailing blanks cut. */
  screen(): string[];
  /** All rows, those scrolled away first. */
  scrollback(): string[];
  /** All bytes that the program wrote, as text. */
  raw(): string;
  /** How often something was written: where it is as it was, so is the screen. */
  painted(): number;
  /** The terminal's other screen is shown: a view has all of it. */
  isFull(): boolean;
  /** Cells of a row on show, counted from 0. */
  cells(row: number): Cell[];
  cursor(): { row: number; col: number; visible: boolean };
  kill(signal?: NodeJS.Signals): void;
  hasEnded(): boolean;
  readonly exit: Promise<Exit>;
  /** Ends the program's whole process group if it still runs, and frees the terminal. */
  close(): Promise<void>;
}

const POLL_MS = 10;
const mostMs = 120_000;
/** Runs a program, says how it ended in a way that no terminal shows, and stays. */
const keeping = '"$@"; printf "\\033]777;ended;%s\\007" $?; read -r _';
const endMark = /\x1b\]777;ended;(\d+)\x07/;
const CI_VARIABLE =
  /^(CI|CI_.*|CONTINUOUS_INTEGRATION|BUILD_NUMBER|GITHUB_ACTIONS|GITLAB_CI|TRAVIS|CIRCLECI|BUILDKITE|TF_BUILD)$/;

const KEYS: Readonly<Record<string, string>> = {
  enter: "\r",
  escape: "\x1b",
  esc: "\x1b",
  tab: "\t",
  space: " ",
  backspace: "\x7f",
  delete: "\x1b[3~",
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  home: "\x1b[H",
  end: "\x1b[F",
  pageup: "\x1b[5~",
  pagedown: "\x1b[6~",
  "shift-tab": "\x1b[Z",
  "shift-enter": "\x1b[13;2u",
};

/** The bytes that a terminal sends for a key's name. Throws for a name it does not know. */
export function keyBytes(name: string): string {
  const known = KEYS[name];
  if (known !== undefined) return known;
  if (name.startsWith("ctrl-") && name.length === 6)
    return String.fromCharCode(name.toUpperCase().charCodeAt(5) & 0x1f);
  if (name.startsWith("alt-")) return `\x1b${keyBytes(name.slice(4))}`;
  if ([...name].length === 1) return name;
  throw new Error(`no key named ${name}`);
}

export function openPty(options: PtyOptions): Pty {
  const cols = options.cols ?? 100;
  const rows = options.rows ?? 30;
  const program = [options.command, ...(options.args ?? [])];
  const [file = "", ...args] = options.prints === undefined ? program : ["sh", "-c", keeping, "sh", ...program];
  const child = spawn(file, args, {
    name: options.env?.["TERM"] ?? "xterm-256color", // it becomes TERM, whatever the environment has
    cols,
    rows,
    cwd: options.cwd ?? process.cwd(),
    env: childEnvironment(options.env ?? {}),
  });
  const term = new headless.Terminal({ cols, rows, scrollback: 10_000, allowProposedApi: true });
  term.loadAddon(new Unicode11Addon());
  term.unicode.activeVersion = "11";
  const output: string[] = [];
  let painted = 0;
  term.onWriteParsed(() => {
    painted += 1;
  });
  let ended: Exit | undefined;
  child.onData((data) => {
    output.push(data);
    term.write(data);
  });
  readToTheEnd(child, () => output.length);
  const send = (bytes: string): void => {
    if (ended === undefined && !socketOf(child).readableEnded) child.write(bytes);
  };
  const answers = term.onData(send); // what a terminal answers to questions about itself
  const exit = new Promise<Exit>((resolve) => {
    const end = (code: number, signal: number): void => {
      const one = ended ?? { code, signal };
      ended = one;
      term.write("", () => resolve(one));
    };
    child.onExit(({ exitCode, signal }) => end(exitCode, signal ?? 0));
    if (options.prints === undefined) return;
    child.onData(() => {
      const code = endMark.exec(output.join(""))?.[1];
      if (code === undefined || ended !== undefined) return;
      end(Number(code), 0);
      child.kill("SIGKILL");
    });
  });
  const rowsFrom = (first: number, count: number): string[] =>
    Array.from({ length: count }, (_, row) => rowText(term, first + row));
  const signalGroup = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // the group is gone already
    }
  };

  const pty: Pty = {
    pid: child.pid,
    term,
    exit,
    waitFor: (wanted, timeout = mostMs) => waitUntil(pty, wanted, timeout),
    key: (...names) => {
      for (const name of names) send(keyBytes(name));
    },
    type: send,
    leave: () => send(keyBytes("ctrl-c").repeat(2)),
    paste: (text) => {
      const typed = text.replace(/\r?\n/g, "\r");
      send(term.modes.bracketedPasteMode ? `\x1b[200~${typed}\x1b[201~` : typed);
    },
    resize: (newCols, newRows) => {
      term.resize(newCols, newRows);
      if (ended === undefined) child.resize(newCols, newRows);
    },
    resized: async (newCols, newRows) => {
      await whole(pty);
      const before = output.length;
      pty.resize(newCols, newRows);
      await waitUntil(pty, () => output.length > before, mostMs);
      await whole(pty);
    },
    screen: () => rowsFrom(term.buffer.active.viewportY, term.rows),
    scrollback: () => rowsFrom(0, term.buffer.active.length),
    raw: () => output.join("").replace(endMark, ""),
    painted: () => painted,
    isFull: () => term.buffer.active.type === "alternate",
    cells: (row) => rowCells(term, row),
    cursor: () => ({
      row: term.buffer.active.cursorY,
      col: term.buffer.active.cursorX,
      visible: cursorShown(output.join("")),
    }),
    hasEnded: () => ended !== undefined,
    kill: (signal = "SIGTERM") => child.kill(signal),
    close: async () => {
      signalGroup("SIGKILL");
      if (ended === undefined) child.kill("SIGKILL");
      await exit;
      answers.dispose();
      term.dispose();
    },
  };
  return pty;
}

const socketOf = (child: IPty): ReadStream => (child as IPty & { _socket: ReadStream })._socket;

/** Looks at which nothing more had come. */
const mostQuiet = 40;

/**
 * The library closes the terminal 200 ms after its program has ended, though a busy machine may not have come to read all that was said
 * until then, nor the system to hand all of it on. It is closed by itself once all was read; where something else still holds it, once nothing
 * more has come for a while.
 */
function readToTheEnd(child: IPty, read: () => number): void {
  const socket = socketOf(child);
  const destroy = socket.destroy.bind(socket);
  const whenQuiet = async (): Promise<void> => {
    for (let [before, quiet] = [-1, 0]; quiet < mostQuiet; quiet = before === read() ? quiet + 1 : 0) {
      before = read();
      await wait(POLL_MS);
      for (let turn = 0; turn < 2; turn += 1) await nextTurn(); // in each of which what is there is read
    }
    destroy();
  };
  socket.destroy = (error) => {
    if (error === undefined || error === null) void whenQuiet();
    else destroy(error);
    return socket;
  };
}

/** What `waitFor` of a terminal does. */
export async function waitUntil(
  pty: Pty,
  wanted: string | RegExp | ((pty: Pty) => boolean),
  timeout: number,
): Promise<void> {
  const shows = (): boolean => {
    // A frame comes in pieces: until its end rows of the one before are still there.
    if (pty.term.modes.synchronizedOutputMode && !pty.hasEnded()) return false;
    if (typeof wanted === "function") return wanted(pty);
    const text = pty.scrollback().join("\n");
    return typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
  };
  for (const until = Date.now() + timeout; !shows(); ) {
    if (Date.now() > until) {
      const what = typeof wanted === "function" ? "what was waited for" : String(wanted);
      throw new Error(`${what} did not come within ${timeout} ms; the screen:\n${pty.screen().join("\n")}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Looks at a screen on which nothing more was painted. */
const mostStill = 5;

/** Waits until nothing more is painted for a while: a screen comes in pieces. */
export async function whole(pty: Pty): Promise<void> {
  let [painted, still] = [-1, 0];
  await waitUntil(
    pty,
    (one) => {
      still = one.painted() === painted ? still + 1 : 0;
      painted = one.painted();
      return still === mostStill;
    },
    mostMs,
  );
}

/** By what the terminal around these tests is known: the program stands in another one. */
const terminalVariables = [
  ...["TMUX", "TMUX_PANE", "STY", "ZELLIJ", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LC_TERMINAL"],
  ...["LC_TERMINAL_VERSION", "KITTY_WINDOW_ID", "COLORTERM", "COLORFGBG"],
];

/** This process's environment as a program at a terminal gets it. @param changes as of `PtyOptions` */
export function childEnvironment(changes: Record<string, string | undefined>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !CI_VARIABLE.test(name) && !name.startsWith("VITEST"),
  );
  const ours = {
    NODE_ENV: undefined,
    FORCE_COLOR: undefined,
    NO_COLOR: undefined,
    ...Object.fromEntries(terminalVariables.map((name) => [name, undefined])),
    TERM: "xterm-256color",
  };
  const merged = { ...Object.fromEntries(inherited), ...ours, ...changes };
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function cursorShown(raw: string): boolean {
  return raw.lastIndexOf("\x1b[?25l") <= raw.lastIndexOf("\x1b[?25h");
}

/** What can be seen of a row: where the other screen became narrower, it keeps cells that are behind its edge. */
const rowText = (term: Terminal, row: number): string =>
  term.buffer.active.getLine(row)?.translateToString(true, 0, term.cols) ?? "";

/** The cells of one row of the screen; a wide character is one cell here, followed by none. */
export function rowCells(term: Terminal, row: number): Cell[] {
  const line = term.buffer.active.getLine(term.buffer.active.viewportY + row);
  const found: Cell[] = [];
  for (let col = 0; line !== undefined && col < term.cols; col += 1) {
    const cell = line.getCell(col);
    if (cell === undefined || cell.getWidth() === 0) continue;
    found.push({
      text: cell.getChars() || " ",
      color: colorName(cell.isFgDefault(), cell.isFgPalette(), cell.getFgColor()),
      background: colorName(cell.isBgDefault(), cell.isBgPalette(), cell.getBgColor()),
      bold: cell.isBold() !== 0,
      dim: cell.isDim() !== 0,
      italic: cell.isItalic() !== 0,
      underline: cell.isUnderline() !== 0,
      inverse: cell.isInverse() !== 0,
    });
  }
  return found;
}

function colorName(isDefault: boolean, isPalette: boolean, value: number): string {
  if (isDefault) return "default";
  return isPalette ? `palette:${value}` : `rgb:${value.toString(16).padStart(6, "0")}`;
}
